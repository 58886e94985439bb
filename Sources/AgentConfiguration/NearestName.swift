/// The name that somebody meant.
enum NearestName {
  /// Longer than any name and its typing errors; beyond it nothing is compared.
  private static let longest = 64

  /// The most letters that may be wrong: one in three, for a suggestion beyond that is a guess.
  private static func tolerance(_ name: String) -> Int { max(1, name.count / 3) }

  /// The nearest of `candidates`, if it is near enough to be meant. `anonKey` and `ANON-KEY` are near `anon_key`.
  static func of(_ name: String, among candidates: [String]) -> String? {
    guard name.utf8.count <= longest else { return nil }
    let lower = name.lowercased()
    let best = candidates.map { ($0, distance(lower, $0)) }.min { $0.1 < $1.1 }
    guard let best, best.1 <= tolerance(name) else { return nil }
    return best.0
  }

  /// Letters to change, add, leave out or swap with the next (optimal string alignment, after Damerau).
  static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
    var rows = [Array(0...right.count)]
    for i in left.indices {
      var row = [i + 1]
      for j in right.indices {
        var best = min(row[j], rows[i][j + 1]) + 1
        best = min(best, rows[i][j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { best = min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
