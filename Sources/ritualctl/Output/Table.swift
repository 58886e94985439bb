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
