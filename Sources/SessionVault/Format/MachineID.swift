import FoundationEssentials
import SystemSupport

/// The machine's id (machine-id(5)). It is confidential and never written as is.
struct MachineID: Equatable {
  static let length = 16
  /// The path of systemd's machine id.
  static let file = "/etc/machine-id"

  /// 16 bytes; all zero if the machine has no id.
  let bytes: [UInt8]

  init(bytes: [UInt8]) {
    self.bytes = bytes.count == Self.length ? bytes : [UInt8](repeating: 0, count: Self.length)
  }

  /// Reads the id, 32 hexadecimal digits and a newline. All zero if the file is missing or has
  /// other content ("uninitialized").
  init(file: String) {
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    self.init(bytes: Hexadecimal.bytes(of: text.prefix { $0 != "\n" }.lowercased().utf8) ?? [])
  }
}

/// A machine as a header names it: a hash of the vault id and the machine id, which reveals nothing
/// without both. machine-id(5) recommends a separate hash for each application.
struct MachineTag: Equatable {
  static let length = Sodium.hashLength
  private static let purpose = Array("RITMACHN".utf8)

  /// All zero if the machine has no id.
  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  init(_ machine: MachineID, vaultID: [UInt8]) {
    let hasID = machine.bytes.contains { $0 != 0 }
    bytes = hasID ? Sodium.hash(Self.purpose + vaultID + machine.bytes) : [UInt8](repeating: 0, count: Self.length)
  }

  var isKnown: Bool { bytes.contains { $0 != 0 } }
}

/// Whether a vault belongs to this machine: the one that it was created on or adopted by.
public enum VaultMachine: Sendable, Equatable {
  /// The vault belongs to this machine.
  case this
  /// The vault belongs to another machine: a restored backup, a cloned container, a synchronized
  /// home directory. Also if this machine has no id and the vault names one.
  case other
  /// The vault names no machine, because the machine that created it had no id, so copies cannot be
  /// detected. Also for a version 1 vault that is still locked.
  case unknown

  init(_ tag: MachineTag, here: MachineTag) {
    if !tag.isKnown {
      self = .unknown
    } else {
      self = tag == here ? .this : .other
    }
  }
}
