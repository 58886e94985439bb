import Glibc

/// A choice on the terminal: drawn where the cursor can be moved, else asked for line by line, which screen readers and
/// serial lines like better.
struct Menu {
  let question: String
  let choices: [String]

  func choose(on descriptor: Int32) throws -> Int {
    // A terminal that says so cannot move its cursor up: terminfo(5), and emacs.
    let name = getenv("TERM").map { String(cString: $0) } ?? "dumb"
    return name == "dumb" ? try ask(on: descriptor) : try pick(on: descriptor)
  }

  /// The choice whose number or whose beginning `answer` is; nil if there is none, or more than one.
  func named(_ answer: String) -> Int? {
    if let number = Int(answer) { return choices.indices.contains(number - 1) ? number - 1 : nil }
    let found = choices.indices.filter { !answer.isEmpty && choices[$0].lowercased().hasPrefix(answer.lowercased()) }
    return found.count == 1 ? found[0] : nil
  }

  // MARK: - By lines

  private func ask(on descriptor: Int32) throws -> Int {
    let list = choices.enumerated().map { "  \($0 + 1)  \($1)\n" }.joined()
    try Streams.write(question + "\n" + list, to: descriptor)
    while true {
      try Streams.write("1-\(choices.count), or the name: ", to: descriptor)
      guard let line = try Streams.readLine(from: descriptor, limit: Self.lineLimit) else { throw Self.cancelled }
      if let index = named(line) { return index }
    }
  }

  /// As much as a terminal gives in one line (N_TTY_BUF_SIZE, termios(3)).
  private static let lineLimit = 4096

  // MARK: - By keys

  private func pick(on descriptor: Int32) throws -> Int {
    try Streams.write(question + " (arrows and Enter, or a number or name)\n", to: descriptor)
    return try KeyReading.on(descriptor) { next in
      var (index, typed) = (0, "")
      try draw(index, on: descriptor)
      while true {
        switch try next() {
        case .enter: return index
        case .cancel: throw Self.cancelled
        case .up: (index, typed) = ((index + choices.count - 1) % choices.count, "")
        case .down: (index, typed) = ((index + 1) % choices.count, "")
        case .character(let character):
          typed = named(typed + String(character)) == nil ? String(character) : typed + String(character)
          // A number is chosen at once; of a name the beginning only goes there.
          if let number = Int(typed), let chosen = named(typed), number <= choices.count {
            try redraw(chosen, on: descriptor)
            return chosen
          }
          index = named(typed) ?? index
        }
        try redraw(index, on: descriptor)
      }
    }
  }

  private func redraw(_ index: Int, on descriptor: Int32) throws {
    try Streams.write("\u{1B}[\(choices.count)A", to: descriptor)
    try draw(index, on: descriptor)
  }

  private func draw(_ index: Int, on descriptor: Int32) throws {
    let lines = choices.indices.map { "\r\u{1B}[K\($0 == index ? "> " : "  ")\($0 + 1)  \(choices[$0])\n" }
    try Streams.write(lines.joined(), to: descriptor)
  }

  private static var cancelled: Failure { Failure(.cancelled, "cancelled") }
}
