import Glibc

/// The value of `--color`.
enum ColorChoice: String, CaseIterable {
  case auto, always, never
}

/// Colours for text on a terminal (ECMA-48, 8.3.117, SGR).
struct Style {
  enum Colour: String {
    case green = "32"
    case yellow = "33"
    case red = "31"
  }

  static let plain = Style(isColoured: false)

  let isColoured: Bool

  init(isColoured: Bool) { self.isColoured = isColoured }

  /// With `auto`, colour is used only if standard output is a terminal and NO_COLOR is unset or
  /// empty (no-color.org).
  init(_ choice: ColorChoice, isJSON: Bool) {
    switch choice {
    case .always: isColoured = !isJSON
    case .never: isColoured = false
    case .auto:
      let refused = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
      isColoured = !isJSON && !refused && isatty(STDOUT_FILENO) == 1
    }
  }

  func marked(_ text: String, _ colour: Colour?) -> String {
    guard isColoured, let colour else { return text }
    return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
  }
}

/// A table whose columns are as wide as their widest cell.
struct Table {
  struct Cell {
    let text: String
    var colour: Style.Colour?

    init(_ text: String, _ colour: Style.Colour? = nil) {
      self.text = text
      self.colour = colour
    }
  }

  /// The number of spaces after each column except the last.
  let gaps: [Int]
  var rows: [[Cell]] = []

  /// One line per row, without trailing spaces.
  func lines(_ style: Style) -> [String] {
    let widths = gaps.indices.map { column in rows.map { $0[column].text.count }.max() ?? 0 }
    return rows.map { row in
      let last = row.lastIndex { !$0.text.isEmpty } ?? 0
      return row[...last].enumerated().map { column, cell in
        let padding = column < last ? widths[column] - cell.text.count + gaps[column] : 0
        return style.marked(cell.text, cell.colour) + String(repeating: " ", count: padding)
      }.joined()
    }
  }
}
