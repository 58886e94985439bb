/// `application/x-www-form-urlencoded`, for query strings and forms.
enum FormCoding {
  /// Pairs in the order of the text; a pair without `=` has an empty value.
  static func decode(_ text: some StringProtocol) -> [(name: String, value: String)] {
    text.split(separator: "&").map { pair in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (unescape(halves[0]), halves.count > 1 ? unescape(halves[1]) : "")
    }
  }

  /// Escaped as Go's `url.Values.Encode` does: a blank becomes `+`, and the unreserved set stays.
  static func encode(_ pairs: [(name: String, value: String)]) -> String {
    pairs.map { "\(escape($0.name))=\(escape($0.value))" }.joined(separator: "&")
  }

  static func escape(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      case UInt8(ascii: " "): bytes.append(UInt8(ascii: "+"))
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func unescape(_ text: some StringProtocol) -> String {
    let source = Array(text.utf8)
    var bytes: [UInt8] = []
    var index = 0
    while index < source.count {
      if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
        let value = UInt8(String(decoding: source[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        index += 3
      } else {
        bytes.append(source[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : source[index])
        index += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension FormCoding {
  /// Blanks once, the rest twice, as in `Unable+to+exchange+external+code%253A+M8bz`.
  static func escapeTwice(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { escape(escape(String($0))) }
      .joined(separator: "+")
  }
}

extension String {
  /// The address with more query parameters, all of them sorted by name; a fragment is dropped, since a new one
  /// follows.
  func addingQuery(_ pairs: [(name: String, value: String)]) -> String {
    let whole = prefix { $0 != "#" }
    let halves = whole.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let present = halves.count > 1 ? FormCoding.decode(halves[1]) : []
    let names = Set(pairs.map(\.name))
    let all = (present.filter { !names.contains($0.name) } + pairs).sorted { $0.name < $1.name }
    return String(halves.first ?? "") + "?" + FormCoding.encode(all)
  }
}
