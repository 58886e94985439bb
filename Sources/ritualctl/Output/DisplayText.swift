/// Text on a terminal, measured in columns. It is that of `Words`, so it is escaped.
enum DisplayText {
  /// The number of columns, as wcwidth(3) in a UTF-8 locale. (wcwidth itself needs a locale, which a
  /// statically linked program does not load.)
  static func width(_ text: some StringProtocol) -> Int {
    // Fast path: ASCII, which needs no Unicode tables.
    if text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x1B }) { return text.utf8.count }
    if text.utf8.contains(0x1B) { return width(withoutColor(text)) }
    return text.unicodeScalars.reduce(0) { $0 + width($1) }
  }

  /// The text with its middle replaced by an ellipsis, in at most `limit` columns.
  static func shortened(_ text: String, to limit: Int) -> String {
    guard width(text) > limit else { return text }
    let room = max(0, limit - 1)
    let head = prefix(Array(text), room - room / 2)
    let tail = prefix(text.reversed(), room - width(head)).reversed()
    return head + "…" + String(tail)
  }

  /// The longest prefix of `characters` in at most `limit` columns.
  private static func prefix(_ characters: [Character], _ limit: Int) -> String {
    var result = ""
    var left = limit
    for character in characters {
      left -= width(String(character))
      guard left >= 0 else { break }
      result.append(character)
    }
    return result
  }

  /// The text without the marks of `Style.marked`, which take no column.
  private static func withoutColor(_ text: some StringProtocol) -> String {
    text.split(separator: "\u{1B}", omittingEmptySubsequences: false).enumerated().map { index, part in
      index == 0 ? String(part) : String(part.drop { $0 != "m" }.dropFirst())
    }.joined()
  }

  /// The line in lines of at most `limit` columns, folded between words. The first one keeps the leading
  /// spaces, the others begin with `indent` spaces. Longer words, and a command that is the whole line or
  /// its end, are not folded, so that they can be copied.
  static func folded(_ line: String, to limit: Int, indent: Int) -> [String] {
    guard width(line) > limit else { return [line] }
    var lines: [String] = []
    var end = line.startIndex
    for part in parts(line) {
      let gap = line[end..<part.startIndex]
      end = part.endIndex
      if let last = lines.last, width(last) + width(gap) + width(part) > limit {
        lines.append(String(repeating: " ", count: indent) + part)
      } else {
        lines.append((lines.popLast() ?? "") + gap + part)
      }
    }
    // The space after a question.
    return lines.dropLast() + [(lines.last ?? "") + line[end...]]
  }

  /// The words of a line; a command after its last colon is one part.
  private static func parts(_ sentence: String) -> [Substring] {
    let words = sentence.split(separator: " ")
    if let first = words.first, programs.contains(first.split(separator: "/").last ?? first) {
      return [sentence[first.startIndex...]]
    }
    guard let colon = words.lastIndex(where: { $0.last == ":" }), let program = words[(colon + 1)...].first,
      programs.contains(program)
    else { return words }
    return words[...colon] + [sentence[program.startIndex...]]
  }

  /// The programs in the next steps that the agent and this program suggest.
  private static let programs: Set<Substring> = [
    "ritualctl", "ritual-agentd", "systemctl", "loginctl", "timedatectl", "journalctl", "chmod", "sudo", "rm",
    "kill",
  ]

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    if hangulVowelsAndFinals.contains(scalar.value) { return 0 }
    return scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  /// Jamo that a terminal draws into the preceding syllable.
  private static let hangulVowelsAndFinals: ClosedRange<UInt32> = 0x1160...0x11FF

  /// The blocks of wide characters (Unicode Standard Annex #11, W and F), without emoji.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]
}
