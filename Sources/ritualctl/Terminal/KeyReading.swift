import Glibc

/// A terminal that gives each key at once and shows none of them, for a menu. However it ends, the terminal is as it was.
enum KeyReading {
  enum Key: Equatable {
    case up, down, enter, cancel
    case character(Character)
  }

  /// Runs `body` with the terminal so. `body` gets what reads the next key.
  static func on<Result>(_ descriptor: Int32, _ body: (() throws -> Key) throws -> Result) throws -> Result {
    try TerminalModes.changed(descriptor, { $0.c_lflag &= ~tcflag_t(ECHO | ICANON) }) {
      try body { try key(from: descriptor) }
    }
  }

  private static func key(from descriptor: Int32) throws -> Key {
    switch try byte(from: descriptor) {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return .enter
    case nil, 0x04: return .cancel
    case 0x1B: return try escape(from: descriptor)
    case let byte?: return .character(Character(UnicodeScalar(byte)))
    }
  }

  /// The arrow keys send `ESC [ A` or `ESC O A`; Escape alone is followed by nothing.
  private static func escape(from descriptor: Int32) throws -> Key {
    guard isReady(descriptor), let kind = try byte(from: descriptor),
      [UInt8(ascii: "["), UInt8(ascii: "O")].contains(kind)
    else { return .cancel }
    switch try byte(from: descriptor) {
    case UInt8(ascii: "A"): return .up
    case UInt8(ascii: "B"): return .down
    default: return .character(" ")
    }
  }

  /// The rest of a key's sequence comes with it; a slow line may take this long (as vi's timeout).
  private static func isReady(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 100) > 0
  }

  private static func byte(from descriptor: Int32) throws -> UInt8? {
    while true {
      var byte: UInt8 = 0
      let count = read(descriptor, &byte, 1)
      if count < 0 && errno == EINTR { continue }
      return count > 0 ? byte : nil
    }
  }
}
