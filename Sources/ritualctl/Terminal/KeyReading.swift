import Glibc

/// A terminal that gives each key at once and shows none of them, for a menu. However it ends, the terminal is as it was.
struct KeyReading {
  enum Key: Equatable {
    case up, down, enter, cancel, erase, eraseAll
    /// A key without a meaning here.
    case other
    /// A byte of a character in UTF-8.
    case byte(UInt8)
  }

  private let descriptor: Int32

  /// Runs `body` with the terminal so.
  static func on<Result>(_ descriptor: Int32, _ body: (KeyReading) throws -> Result) throws -> Result {
    try TerminalModes.changed(descriptor, { $0.c_lflag &= ~tcflag_t(ECHO | ICANON) }) {
      try body(KeyReading(descriptor: descriptor))
    }
  }

  /// The next key.
  func next() throws -> Key {
    switch try byte() {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return .enter
    case nil, 0x04: return .cancel
    case 0x08, 0x7F: return .erase
    // Ctrl-U, VKILL of termios(3).
    case 0x15: return .eraseAll
    case 0x1B: return try escape()
    case let byte? where byte < 0x20: return .other
    case let byte?: return .byte(byte)
    }
  }

  /// Whether another key has come already, as all of what is pasted does.
  func hasMore() -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, Self.pause) > 0
  }

  /// The arrow keys send `ESC [ A` or `ESC O A`; Escape alone is followed by nothing.
  private func escape() throws -> Key {
    guard hasMore(), let kind = try byte(), [UInt8(ascii: "["), UInt8(ascii: "O")].contains(kind) else {
      return .cancel
    }
    // Parameters come before the final byte (ECMA-48, 5.4).
    var last = try byte()
    while let byte = last, (0x20...0x3F).contains(byte) { last = try self.byte() }
    switch last {
    case UInt8(ascii: "A"): return .up
    case UInt8(ascii: "B"): return .down
    default: return .other
    }
  }

  /// Milliseconds until the rest of a key's sequence is there; a slow line may take this long (as vi's timeout).
  private static let pause: Int32 = 100

  private func byte() throws -> UInt8? {
    while true {
      var byte: UInt8 = 0
      let count = read(descriptor, &byte, 1)
      if count < 0 && errno == EINTR { continue }
      return count > 0 ? byte : nil
    }
  }
}
