extension String {
  /// Not empty, and every byte visible ASCII: what may stand in a header or an address as it is.
  var isPrintableASCII: Bool { !isEmpty && utf8.allSatisfy { (0x21...0x7E).contains($0) } }

  /// The text as a server's error code, if it can be one: at most 64 letters, digits, `_`, `-`, `.` and spaces
  /// (`invalid request` has one).
  var asServerCode: String? {
    guard !isEmpty, utf8.count <= 64 else { return nil }
    let isCode = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: " "):
        true
      default: false
      }
    }
    return isCode ? self : nil
  }
}
