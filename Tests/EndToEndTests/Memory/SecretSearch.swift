import Foundation
import Glibc
import Testing

/// Data that must not remain in a process's memory.
struct Secret: Sendable {
  /// The name used in a finding.
  let name: String
  let bytes: [UInt8]

  init(_ name: String, _ text: String) { self.init(name, bytes: Array(text.utf8)) }

  init(_ name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// The characteristic parts of a JWT: its signature and pieces of its payload. They are separate,
  /// because only a piece of a token may remain.
  static func parts(ofAccessToken token: String, _ name: String) -> [Secret] {
    let pieces = token.split(separator: ".").map { Array($0.utf8) }
    guard pieces.count == 3 else { return [Secret(name, token)] }
    let (payload, signature) = (pieces[1], pieces[2])
    return [
      Secret(name + " payload, middle", bytes: Array(payload[(payload.count / 2)...].prefix(48))),
      Secret(name + " payload, end", bytes: payload.suffix(48)),
      Secret(name + " signature, begin", bytes: Array(signature.prefix(signature.count / 2))),
      Secret(name + " signature, end", bytes: Array(signature.suffix(signature.count / 2))),
    ]
  }
}

/// An encoding of a secret.
struct SecretForm: Sendable {
  let secret: String
  let encoding: String
  let bytes: [UInt8]

  /// Every encoding that a secret has on its way through JSON, URLs, headers and Swift strings,
  /// without duplicates.
  static func all(of secret: Secret) -> [SecretForm] {
    var seen: Set<[UInt8]> = []
    return encodings(of: secret.bytes).filter { seen.insert($0.bytes).inserted }
      .map { SecretForm(secret: secret.name, encoding: $0.name, bytes: $0.bytes) }
  }

  private static func encodings(of bytes: [UInt8]) -> [(name: String, bytes: [UInt8])] {
    var all: [(String, [UInt8])] = [("UTF-8", bytes)]
    for offset in 0..<3 {
      let base64 = base64(bytes, offset: offset)
      all.append(("base64, offset \(offset)", base64))
      all.append(("base64url, offset \(offset)", base64.map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 }))
    }
    all.append(("percent-encoded", percent(bytes, digits: "0123456789ABCDEF", space: "%20")))
    all.append(("percent-encoded, lower case", percent(bytes, digits: "0123456789abcdef", space: "%20")))
    all.append(("form-encoded", percent(bytes, digits: "0123456789ABCDEF", space: "+")))
    guard let text = String(validating: bytes, as: UTF8.self) else { return all }
    all.append(("UTF-16", text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }))
    all.append(("JSON", json(text, slash: "/")))
    all.append(("JSON, escaped slashes", json(text, slash: "\\/")))
    return all
  }

  /// The base64 characters (RFC 4648) that depend only on `bytes`, if these begin `offset` bytes
  /// after the start of a group.
  static func base64(_ bytes: [UInt8], offset: Int) -> [UInt8] {
    let all = Data([UInt8](repeating: 0, count: offset) + bytes).base64EncodedData()
    let begin = (8 * offset + 5) / 6
    return Array(all[begin..<(8 * (offset + bytes.count) / 6)])
  }

  private static func percent(_ bytes: [UInt8], digits: String, space: String) -> [UInt8] {
    let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    let digits = Array(digits.utf8)
    return bytes.flatMap { byte -> [UInt8] in
      if unreserved.contains(byte) { return [byte] }
      return byte == 0x20 ? Array(space.utf8) : [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }

  private static func json(_ text: String, slash: String) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar -> [UInt8] in
      switch scalar {
      case "\"": Array("\\\"".utf8)
      case "\\": Array("\\\\".utf8)
      case "/": Array(slash.utf8)
      default: Array(String(scalar).utf8)
      }
    }
  }
}

/// The place where a secret was found.
struct SecretFinding: Sendable, CustomStringConvertible {
  let secret: String
  let encoding: String
  let place: String

  var description: String { "\(secret) as \(encoding) at \(place)" }
}

/// Searches memory for secrets.
struct SecretSearch: Sendable {
  private typealias Memmem =
    @convention(c) (UnsafeRawPointer, Int, UnsafeRawPointer, Int) -> UnsafeMutableRawPointer?
  /// memmem(3), many times faster than a loop in an unoptimized build. Looked up at run time,
  /// because the Glibc module hides GNU extensions.
  private static let memmem: Memmem = unsafeBitCast(dlsym(nil, "memmem"), to: Memmem.self)

  private let forms: [SecretForm]

  init(_ secrets: [Secret]) { forms = secrets.flatMap(SecretForm.all) }

  /// All findings in `memory`; `place` describes an offset.
  func findings(in memory: UnsafeRawBufferPointer, place: (Int) -> String) -> [SecretFinding] {
    forms.flatMap { form in
      Self.offsets(of: form.bytes, in: memory).map {
        SecretFinding(secret: form.secret, encoding: form.encoding, place: place($0))
      }
    }
  }

  private static func offsets(of pattern: [UInt8], in memory: UnsafeRawBufferPointer) -> [Int] {
    guard let start = memory.baseAddress else { return [] }
    var offsets: [Int] = []
    var next = 0
    while next < memory.count, let found = Self.memmem(start + next, memory.count - next, pattern, pattern.count) {
      let offset = UnsafeRawPointer(found) - start
      offsets.append(offset)
      next = offset + 1
    }
    return offsets
  }
}

/// The search finds each encoding, produced by an independent encoder.
@Suite struct SecretSearchTests {
  private static let secret = #"pass"wörd\/? 9+"#

  private func names(in text: some Sequence<UInt8>) -> Set<String> {
    let bytes = [0x00, 0xFF] + Array(text) + [0x22]
    let search = SecretSearch([Secret("it", Self.secret)])
    return bytes.withUnsafeBytes { memory in Set(search.findings(in: memory) { "\($0)" }.map(\.encoding)) }
  }

  @Test func findsText() {
    #expect(names(in: Self.secret.utf8) == ["UTF-8"])
    #expect(names(in: Self.secret.data(using: .utf16LittleEndian)!) == ["UTF-16"])
    #expect(names(in: "pass word".utf8) == [])
  }

  @Test func findsJSON() throws {
    let encoder = JSONEncoder()
    #expect(names(in: try encoder.encode([Self.secret])) == ["JSON, escaped slashes"])
    encoder.outputFormatting = .withoutEscapingSlashes
    #expect(names(in: try encoder.encode([Self.secret])) == ["JSON"])
  }

  @Test func findsPercentEncoding() throws {
    let unreserved = CharacterSet(charactersIn: "-._~").union(.alphanumerics)
    let encoded = try #require(Self.secret.addingPercentEncoding(withAllowedCharacters: unreserved))
    #expect(names(in: encoded.replacingOccurrences(of: "ö", with: "%C3%B6").utf8) == ["percent-encoded"])
    #expect(names(in: encoded.replacingOccurrences(of: "%20", with: "+").utf8) == ["form-encoded"])
  }

  @Test(arguments: 0..<6, 0..<4)
  func findsBase64(before: Int, after: Int) {
    let bytes = Data((0..<before).map(UInt8.init) + Array(Self.secret.utf8) + (0..<after).map(UInt8.init))
    let base64 = bytes.base64EncodedString()
    #expect(names(in: base64.utf8).contains { $0.hasPrefix("base64") })
    let url = base64.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    #expect(names(in: url.utf8).contains { $0.hasPrefix("base64") })
  }

  @Test func findsEachPlace() {
    let bytes = Array("abcabcabc".utf8)
    let search = SecretSearch([Secret("it", "abca")])
    #expect(bytes.withUnsafeBytes { search.findings(in: $0) { "\($0)" } }.map(\.place) == ["0", "3"])
  }

  @Test func splitsAToken() {
    let token = "head." + String(repeating: "p", count: 200) + "." + String(repeating: "s", count: 86)
    #expect(Secret.parts(ofAccessToken: token, "a").map(\.bytes.count) == [48, 48, 43, 43])
  }
}
