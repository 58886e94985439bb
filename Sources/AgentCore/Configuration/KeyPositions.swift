/// Where each key, value and table of a TOML text begins: TOMLKit tells positions for syntax errors only.
///
/// Any text can be handed in, and for one that TOMLKit accepts every key is found but those in arrays. It also finds
/// what must not reach TOMLKit at all (`hazard`).
struct KeyPositions: Sendable {
  /// Something that TOMLKit must not see: it would end the process by an assertion (a header that begins with no name,
  /// an array with a brace in a value's place, a date with a space and one digit behind it) or by recursion, or cut a text short.
  struct Hazard: Sendable {
    let position: TextPosition
    let message: String
  }

  private struct Place: Sendable {
    let key: TextPosition
    var value: TextPosition?
  }

  private var places: [[String]: Place] = [:]
  /// The first one in the text.
  let hazard: Hazard?

  init(_ text: String) {
    var walk = TOMLWalk(text)
    walk.run()
    hazard = walk.hazard
    for entry in walk.entries {
      for length in 1..<(entry.path.count + 1) where places[Array(entry.path.prefix(length))] == nil {
        places[Array(entry.path.prefix(length))] = Place(key: entry.key)
      }
      if places[entry.path]?.value == nil { places[entry.path]?.value = entry.value }
    }
  }

  /// Where the key begins; of a key that is not there, its table.
  func position(of path: [String]) -> TextPosition? { place(of: path)?.key }

  /// Where the key's value begins; of a table, its header.
  func valuePosition(of path: [String]) -> TextPosition? {
    place(of: path).map { $0.value ?? $0.key }
  }

  private func place(of path: [String]) -> Place? {
    var path = path
    while !path.isEmpty {
      if let place = places[path] { return place }
      path.removeLast()
    }
    return nil
  }
}
