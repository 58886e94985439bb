import WebURLs

/// The fields that the proxy looks at, by their names.
enum KnownField: String, CaseIterable, Sendable {
  case apikey, authorization, connection, expect, host, link, location, origin, prefer, upgrade
  case accessControlRequestMethod = "access-control-request-method"
  case contentLength = "content-length"
  case contentLocation = "content-location"
  case keepAlive = "keep-alive"
  case ritualAccount = "ritual-account"
  case secFetchSite = "sec-fetch-site"
  case transferEncoding = "transfer-encoding"
  case tusResumable = "tus-resumable"
  case wwwAuthenticate = "www-authenticate"
  case other = ""
}

/// Finds fields by their names without making a string of each.
struct FieldTable {
  /// The facts about a name.
  struct Entry {
    var known = KnownField.other
    var isReserved = false
    var endsHere = false
    /// The place of the name in `names`; empty for a free slot.
    fileprivate var name = 0..<0
  }

  /// The hash of a name in small letters and with hyphens: gateways take an underscore for one.
  struct Key {
    /// FNV-1a.
    private(set) var hash: UInt32 = 0x811C_9DC5
    private(set) var hasUnderscore = false

    mutating func add(_ byte: UInt8, isUnderscore: Bool) {
      hash = (hash ^ UInt32(byte)) &* 0x0100_0193
      if isUnderscore { hasUnderscore = true }
    }
  }

  static let shared = FieldTable()
  /// The canonical form of each byte of a token (RFC 9110, section 5.6.2); 0 for other bytes.
  static let tokens: [UInt8] = (0...255).map { (byte: UInt8) -> UInt8 in
    switch byte {
    case 0x41...0x5A: byte | 0x20
    case 0x5F: UInt8(ascii: "-")
    case 0x30...0x39, 0x61...0x7A: byte
    default: "!#$%&'*+-.^`|~".utf8.contains(byte) ? byte : 0
    }
  }

  /// Fields of an answer that concern the connection, or whose effect would be on the proxy's host instead
  /// of the API's.
  private static let endingHere = [
    "alt-svc", "authentication-info", "connection", "content-length", "keep-alive", "set-cookie", "set-cookie2", "te",
    "trailer", "transfer-encoding", "upgrade", "www-authenticate",
  ]
  private static let prefixesEndingHere = ["access-control-", "proxy-"]
  /// A power of two, and several times the names, so that few share a slot.
  private static let size = 256
  private var slots = [Entry](repeating: Entry(), count: size)
  private var names: [UInt8] = []
  /// The places of prefixes of names that are reserved or end here.
  private var prefixes: [Range<Int>] = []

  private init() {
    let known = KnownField.allCases.dropLast().map(\.rawValue)
    for name in Set(known).union(ReservedHeader.names).union(Self.endingHere) {
      var key = Key()
      for byte in name.utf8 { key.add(byte, isUnderscore: false) }
      var slot = Int(key.hash) & (Self.size - 1)
      while !slots[slot].name.isEmpty { slot = (slot + 1) & (Self.size - 1) }
      slots[slot] = Entry(
        known: KnownField(rawValue: name) ?? .other, isReserved: ReservedHeader.contains(name),
        endsHere: Self.endsHere(name), name: add(name))
    }
    for prefix in ReservedHeader.prefixes + Self.prefixesEndingHere { prefixes.append(add(prefix)) }
  }

  /// Adds to `names`, and returns the place.
  private mutating func add(_ name: String) -> Range<Int> {
    let start = names.count
    names += name.utf8
    return start..<names.count
  }

  func find(_ key: Key, _ name: UnsafeRawBufferPointer) -> Entry {
    var slot = Int(key.hash) & (Self.size - 1)
    while !slots[slot].name.isEmpty {
      let entry = slots[slot]
      if isEqual(name, entry.name) { return key.hasUnderscore ? Entry(isReserved: entry.isReserved) : entry }
      slot = (slot + 1) & (Self.size - 1)
    }
    guard prefixes.contains(where: { isEqual(UnsafeRawBufferPointer(rebasing: name.prefix($0.count)), $0) }) else {
      return Entry()
    }
    let text = String(decoding: name, as: UTF8.self).lowercased()
    return Entry(isReserved: ReservedHeader.contains(text), endsHere: Self.endsHere(text))
  }

  private static func endsHere(_ name: String) -> Bool {
    endingHere.contains(name) || prefixesEndingHere.contains { name.hasPrefix($0) }
  }

  private func isEqual(_ name: UnsafeRawBufferPointer, _ other: Range<Int>) -> Bool {
    guard name.count == other.count else { return false }
    for (offset, byte) in name.enumerated() where Self.tokens[Int(byte)] != names[other.lowerBound + offset] {
      return false
    }
    return true
  }
}
