/// Text on a terminal, measured in columns. It is that of `Words`, so it is escaped.
enum DisplayText {
  /// The number of columns, as wcwidth(3) in a UTF-8 locale. (wcwidth itself needs a locale, which a
  /// statically linked program does not load.)
  static func width(_ text: some StringProtocol) -> Int {
    // Fast path: ASCII, which needs no Unicode tables.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
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

  /// The sentence in lines of at most `limit` columns, folded between words. The first line keeps the
  /// sentence's leading spaces, the others begin with `indent` spaces. Longer words, and a command at
  /// the end, are not folded.
  static func folded(_ sentence: String, to limit: Int, indent: Int) -> [String] {
    var lines: [String] = []
    for part in parts(sentence) {
      if let line = lines.last, width(line) + 1 + width(part) <= limit {
        lines[lines.count - 1] = "\(line) \(part)"
      } else {
        let spaces = lines.isEmpty ? sentence.prefix { $0 == " " }.count : indent
        lines.append(String(repeating: " ", count: spaces) + part)
      }
    }
    return lines
  }

  /// The words of a sentence; a command after its last colon is one part.
  private static func parts(_ sentence: String) -> [Substring] {
    let words = sentence.split(separator: " ")
    guard let colon = words.lastIndex(where: { $0.last == ":" }), let program = words[(colon + 1)...].first,
      programs.contains(program)
    else { return words }
    return words[...colon] + [sentence[program.startIndex...]]
  }

  /// The programs in the next steps that the agent and this program suggest.
  private static let programs: Set<Substring> = [
    "ritualctl", "ritual-agentd", "systemctl", "loginctl", "timedatectl", "journalctl", "chmod", "sudo",
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
