import Glibc

/// What `--color` says.
enum ColorChoice: String, CaseIterable {
  case auto, always, never
}

/// How text is marked for a person; ECMA-48, 8.3.117 (SGR).
struct Style {
  enum Colour: String {
    case green = "32"
    case yellow = "33"
    case red = "31"
  }

  static let plain = Style(isColoured: false)

  let isColoured: Bool

  init(isColoured: Bool) { self.isColoured = isColoured }

  /// Colour where a person looks at it and has not said no (no-color.org: set and not empty).
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

/// Columns of text, as wide as their widest cell.
struct Table {
  struct Cell {
    let text: String
    var colour: Style.Colour?

    init(_ text: String, _ colour: Style.Colour? = nil) {
      self.text = text
      self.colour = colour
    }
  }

  /// The spaces after each column but the last.
  let gaps: [Int]
  var rows: [[Cell]] = []

  /// One line for each row, without spaces at its end.
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
