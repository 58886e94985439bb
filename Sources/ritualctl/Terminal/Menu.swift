import AgentProtocol
import Glibc
import SystemSupport

/// A menu on the terminal. It is drawn if the terminal can move its cursor; otherwise it asks line
/// by line, which also suits screen readers and serial lines.
struct Menu {
  struct Choice {
    /// The text in the menu.
    let title: String
    /// The word to type, as on the command line.
    let name: String
  }

  let question: String
  let choices: [Choice]

  func choose(on descriptor: Int32) throws -> Int {
    try isDrawable(on: descriptor) ? pick(on: descriptor) : ask(on: descriptor)
  }

  /// Whether the cursor can move over the whole menu. Lines that have scrolled away cannot be drawn
  /// again.
  private func isDrawable(on descriptor: Int32) -> Bool {
    let rows = TerminalKind.size(of: descriptor)?.rows ?? .max
    // Besides the choices: the question, the typed text, and the cursor.
    return !TerminalKind.isDumb && choices.count + 3 <= rows
  }

  /// The index of the choice with the number or name in `answer`, or whose name or title starts
  /// with it. Nil if no choice or more than one matches.
  func named(_ answer: String) -> Int? {
    let word = Self.trimmed(answer).lowercased()
    if let number = Int(word) { return choices.indices.contains(number - 1) ? number - 1 : nil }
    guard !word.isEmpty else { return nil }
    if let exact = choices.firstIndex(where: { $0.name == word }) { return exact }
    let found = choices.indices.filter {
      choices[$0].name.hasPrefix(word) || choices[$0].title.lowercased().hasPrefix(word)
    }
    return found.count == 1 ? found[0] : nil
  }

  /// The text without spaces and line ends at both ends.
  static func trimmed(_ text: String) -> String {
    var rest = text[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }

  private static func refusal(_ answer: String) -> String {
    "no such choice: \(ForeignText.shown(trimmed(answer), limit: 40))"
  }

  // MARK: - By lines

  private func ask(on descriptor: Int32) throws -> Int {
    let list = choices.enumerated().map { "  \($0 + 1)  \($1.title)\n" }.joined()
    try Streams.write(question + "\n" + list, to: descriptor)
    while true {
      try Streams.write("Enter a number (1-\(choices.count)) or a name: ", to: descriptor)
      guard let line = try Streams.readLine(from: descriptor, limit: Self.lineLimit) else { throw Self.cancelled }
      if let index = named(line) { return index }
      if !Self.trimmed(line).isEmpty { try Streams.write(Self.refusal(line) + "\n", to: descriptor) }
    }
  }

  /// The maximum length of a line that a terminal delivers (N_TTY_BUF_SIZE, termios(3)).
  private static let lineLimit = 4096

  // MARK: - By keys

  /// The state on the screen: the selected index, the typed bytes, and the error about the last
  /// input.
  private struct State {
    var index = 0
    var typed: [UInt8] = []
    var remark = ""
    var isCancelled = false

    var word: String { String(decoding: typed, as: UTF8.self) }

    mutating func move(by step: Int, of count: Int) {
      (index, typed, remark) = ((index + step + count) % count, [], "")
    }

    mutating func erase() {
      // Erases a whole UTF-8 character: its continuation bytes are 10xxxxxx.
      while let last = typed.popLast(), last & 0xC0 == 0x80 {}
    }
  }

  private func pick(on descriptor: Int32) throws -> Int {
    try Streams.write(question + " (use the arrow keys and Enter, or type a number or name)\n", to: descriptor)
    return try KeyReading.on(descriptor) { keys in
      var state = State()
      try draw(state, on: descriptor)
      while true {
        if let chosen = take(try keys.next(), &state, isMoreTyped: keys.hasMore) {
          state.index = chosen
          try redraw(state, on: descriptor)
          return chosen
        }
        // Pasted text is drawn once, when all of it has arrived.
        if !keys.hasMore() { try redraw(state, on: descriptor) }
        if state.isCancelled { throw Self.cancelled }
      }
    }
  }

  /// Applies a key. Returns the index if the key completes the choice.
  private func take(_ key: KeyReading.Key, _ state: inout State, isMoreTyped: () -> Bool) -> Int? {
    switch key {
    case .enter where state.typed.isEmpty: return state.index
    case .enter:
      if let chosen = named(state.word) { return chosen }
      state.remark = Self.refusal(state.word)
      state.typed = []
    case .cancel: state.isCancelled = true
    case .up: state.move(by: -1, of: choices.count)
    case .down: state.move(by: 1, of: choices.count)
    case .erase: state.erase()
    case .eraseAll: state.typed = []
    case .other: break
    case .byte(let byte):
      state.remark = ""
      if state.typed.count < Self.lineLimit { state.typed.append(byte) }
      // In a list of fewer than ten, one digit completes the choice, unless more pasted input
      // follows.
      if choices.count < 10, state.typed.count == 1, (0x30...0x39).contains(byte), let chosen = named(state.word),
        !isMoreTyped()
      {
        return chosen
      }
    }
    if let found = named(state.word) { state.index = found }
    return nil
  }

  private func redraw(_ state: State, on descriptor: Int32) throws {
    try Streams.write("\u{1B}[\(choices.count + 1)A", to: descriptor)
    try draw(state, on: descriptor)
  }

  private func draw(_ state: State, on descriptor: Int32) throws {
    let lines = choices.indices.map { index in
      "\r\u{1B}[K\(index == state.index ? "> " : "  ")\(index + 1)  \(choices[index].title)\n"
    }
    let typed = state.typed.isEmpty ? state.remark : "typed: " + ForeignText.shown(state.word, limit: 60)
    try Streams.write(lines.joined() + "\r\u{1B}[K\(typed)\n", to: descriptor)
  }

  private static var cancelled: Failure { Failure(.cancelled, "cancelled") }
}

/// A terminal that delivers each key immediately and without echo, for a menu. The previous modes
/// are restored in every case.
struct KeyReading {
  enum Key: Equatable {
    case up, down, enter, cancel, erase, eraseAll
    /// A key without a function in the menu.
    case other
    /// A byte of a UTF-8 character.
    case byte(UInt8)
  }

  private let descriptor: Int32

  /// Runs `body` with the terminal in this mode.
  static func on<Result>(_ descriptor: Int32, _ body: (KeyReading) throws -> Result) throws -> Result {
    try TerminalModes.changed(descriptor, { $0.c_lflag &= ~tcflag_t(ECHO | ICANON) }) {
      try body(KeyReading(descriptor: descriptor))
    }
  }

  /// Waits for the next key.
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

  /// Whether more input arrives within `pause`, as it does when text is pasted.
  func hasMore() -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, Self.pause) > 0
  }

  /// Reads the rest of an escape sequence. The arrow keys send `ESC [ A` or `ESC O A`; the Escape
  /// key sends only ESC.
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

  /// The maximum time in milliseconds between the bytes of a key's sequence; enough for a slow line
  /// (compare vi's timeout).
  private static let pause: Int32 = 100

  private func byte() throws -> UInt8? {
    (try? Descriptor.read(descriptor, count: 1))?.first
  }
}
