import FoundationEssentials

/// Which machine this is: machine-id(5). It is confidential, and only ever written sealed.
struct MachineID: Equatable {
  static let length = 16

  /// 16 bytes; all zero where the machine has no id.
  let bytes: [UInt8]

  init(bytes: [UInt8]) {
    self.bytes = bytes.count == Self.length ? bytes : [UInt8](repeating: 0, count: Self.length)
  }

  /// This machine, from /etc/machine-id: 32 hexadecimal digits and a newline.
  static var ofThisMachine: MachineID {
    let text = (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)) ?? ""
    return MachineID(bytes: Hex.decode(text.prefix { $0 != "\n" }) ?? [])
  }
}
