import ArgumentParser
import Glibc

/// The value of `--color`.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never

  /// The value of `--color` among arguments that the parser rejected; `auto` if there is none.
  static func spelled(in arguments: some Sequence<String>) -> Self {
    var choice = Self.auto
    var isNext = false
    for argument in arguments {
      let value = argument.hasPrefix("--color=") ? String(argument.dropFirst(8)) : isNext ? argument : ""
      choice = Self(rawValue: value) ?? choice
      isNext = argument == "--color"
    }
    return choice
  }
}

/// The abilities of a stream: colors (ECMA-48, 8.3.117, SGR) and a number of columns.
struct Style {
  enum Color: String {
    case green = "32"
    case yellow = "33"
    case red = "31"
  }

  static let plain = Style(isColored: false)

  let isColored: Bool
  /// The width of the layout.
  let columns: Int
  /// Whether sentences are folded at `columns`. They are not in a pipe or a file, because scripts
  /// search whole lines.
  let folds: Bool

  init(isColored: Bool, columns: Int? = nil) {
    (self.isColored, self.columns, folds) = (isColored, columns ?? Self.defaultColumns, columns != nil)
  }

  /// With `auto`, color is used only if the stream is a terminal, TERM is not `dumb`, and NO_COLOR is
  /// unset or empty (no-color.org). A document of `--json` has no color.
  init(_ choice: ColorChoice, isJSON: Bool, of stream: Int32) {
    let isColored =
      switch choice {
      case .always: true
      case .never: false
      case .auto: isatty(stream) == 1 && !TerminalKind.isDumb && getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
      }
    self.init(isColored: isColored && !isJSON, columns: Self.columns(of: stream))
  }

  func marked(_ text: Words, _ color: Color?) -> Words {
    guard isColored, let color else { return text }
    return "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m"
  }

  /// A sentence in lines of at most `columns`, if this style folds. Lines after the first begin with
  /// `indent` spaces. A command at the end stays on one line, so that it can be copied.
  func lines(_ sentence: Words, indent: Int = 2) -> [Words] {
    folds
      ? DisplayText.folded(sentence.text, to: columns, indent: indent).map { Words(harmless: $0) } : [sentence]
  }

  /// A text whose long lines are folded, if this style folds. Every output for people is folded here, except
  /// what is to be copied (`Answer.isFolded`).
  func folded(_ text: Words) -> Words {
    guard folds else { return text }
    return text.text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      lines(Words(harmless: String(line)), indent: max(2, line.prefix { $0 == " " }.count))
    }.joined(separator: "\n")
  }

  /// The width of a terminal; without a terminal, COLUMNS, or nil.
  private static func columns(of stream: Int32) -> Int? {
    let given = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }
    return (TerminalKind.size(of: stream)?.columns ?? given).flatMap { usableColumns.contains($0) ? $0 : nil }
  }

  private static let defaultColumns = 80
  /// In fewer columns no line would have room for its label, and more are not a screen.
  private static let usableColumns = 20...1000
}

/// Properties of a terminal, from the environment and the kernel.
enum TerminalKind {
  /// TERM=dumb (terminfo(5), also set by Emacs): the terminal shows neither colors nor cursor
  /// movements. A terminal without TERM may be a serial line, and counts as dumb.
  static var isDumb: Bool { getenv("TERM").map { String(cString: $0) == "dumb" } ?? true }

  /// The size of a terminal (TIOCGWINSZ, ioctl_tty(2)); nil if it is unknown, or no terminal.
  static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}

/// A table whose columns are as wide as their widest cell.
struct Table {
  struct Cell {
    let text: Words
    var color: Style.Color?

    init(_ text: Words, _ color: Style.Color? = nil) { (self.text, self.color) = (text, color) }

    @_disfavoredOverload
    init(_ foreign: String, _ color: Style.Color? = nil) { self.init(Words(foreign), color) }
  }

  /// The number of spaces after each column except the last.
  let gaps: [Int]
  var rows: [[Cell]] = []

  /// The width of the longest line.
  var width: Int { zip(widths, gaps.dropLast() + [0]).reduce(0) { $0 + $1.0 + $1.1 } }

  /// The widths of the columns.
  var widths: [Int] { gaps.indices.map { column in rows.map { DisplayText.width($0[column].text.text) }.max() ?? 0 } }

  /// One line per row, without trailing spaces.
  func lines(_ style: Style) -> [Words] {
    let widths = widths
    return rows.map { row in
      let last = row.lastIndex { !$0.text.isEmpty } ?? 0
      return row[...last].enumerated().map { column, cell in
        let padding = column < last ? widths[column] - DisplayText.width(cell.text.text) + gaps[column] : 0
        return style.marked(cell.text, cell.color).text + String(repeating: " ", count: padding)
      }.joined()
    }.map { Words(harmless: $0) }
  }

  func text(_ style: Style) -> Words { lines(style).joined(separator: "\n") }
}
