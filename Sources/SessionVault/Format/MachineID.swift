import FoundationEssentials
import SystemSupport

/// Which machine this is: machine-id(5). It is confidential, and never written as it is.
struct MachineID: Equatable {
  static let length = 16
  /// Where systemd keeps it.
  static let file = "/etc/machine-id"

  /// 16 bytes; all zero where the machine has no id.
  let bytes: [UInt8]

  init(bytes: [UInt8]) {
    self.bytes = bytes.count == Self.length ? bytes : [UInt8](repeating: 0, count: Self.length)
  }

  /// This machine, from 32 hexadecimal digits and a newline; none where the file is missing or says something else
  /// ("uninitialized").
  init(file: String) {
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    self.init(bytes: Hexadecimal.bytes(of: text.prefix { $0 != "\n" }.lowercased().utf8) ?? [])
  }
}

/// A machine as a header names it: the hash of its id together with the vault's, which tells who has neither nothing
/// (machine-id(5) asks for a hash of this kind, one for each use).
struct MachineTag: Equatable {
  static let length = Sodium.hashLength
  private static let purpose = Array("RITMACHN".utf8)

  /// All zero where the machine has no id.
  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  init(_ machine: MachineID, vaultID: [UInt8]) {
    let hasID = machine.bytes.contains { $0 != 0 }
    bytes = hasID ? Sodium.hash(Self.purpose + vaultID + machine.bytes) : [UInt8](repeating: 0, count: Self.length)
  }

  var isKnown: Bool { bytes.contains { $0 != 0 } }
}

/// Whether a vault is on the machine that it was made on, or adopted by (VA-8).
public enum VaultMachine: Sendable, Equatable {
  /// It is.
  case this
  /// It is not: a restored backup, a cloned container, a home that is synchronised. Also where this machine has no id
  /// and that one had.
  case other
  /// The vault names no machine, since the one that made it had no id: a copy cannot be told. Also of a vault of
  /// version 1 that is still locked.
  case unknown

  init(_ tag: MachineTag, here: MachineTag) {
    if !tag.isKnown {
      self = .unknown
    } else {
      self = tag == here ? .this : .other
    }
  }
}
