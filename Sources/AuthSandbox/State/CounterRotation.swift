import FoundationEssentials

/// Refresh algorithm v2. The session has a counter; a token carries its value at issue.
struct CounterRotation: Sendable {
  var now: Moment
  var reuseInterval: Double

  func refresh(_ session: SessionRecord, presenting token: CounterToken) throws(RefreshRefusal) -> RefreshOutcome {
    var session = session
    guard let state = session.counter, token.isSigned(by: state.key), token.counter <= state.value else {
      throw .validation("Invalid Refresh Token: Not Issued By This Server")
    }
    let isWithinInterval = now <= (session.refreshedAt ?? session.createdAt).adding(seconds: reuseInterval)
    let cause = "sb-auth-refresh-token-reuse-cause"
    switch state.value - token.counter {
    case 0:
      session.counter?.value += 1
      session.refreshedAt = now
      return Self.outcome(session, isNew: true, name: "sb-auth-refresh-token-reuse", value: "false")
    case 1:
      let why = isWithinInterval ? "concurrent-refresh,fail-to-save" : "fail-to-save"
      return Self.outcome(session, isNew: false, name: cause, value: why)
    default:
      guard isWithinInterval else {
        throw .alreadyUsed(.delete(session.id), headers: [("sb-auth-refresh-token-rotated", "true")])
      }
      return Self.outcome(session, isNew: false, name: cause, value: "concurrent-refresh")
    }
  }

  /// Returns the session's current token, with its response headers.
  static func outcome(_ session: SessionRecord, isNew: Bool, name: String, value: String) -> RefreshOutcome {
    let state = session.counter ?? CounterState()
    return RefreshOutcome(
      session: session, token: CounterToken(session: session.id, counter: state.value, key: state.key).text,
      isNew: isNew,
      headers: [(name, value), ("sb-auth-refresh-token-counter", String(state.value))])
  }
}

/// A refresh token of algorithm v2: version 0, session ID, counter as a varint, 16 bytes of
/// HMAC-SHA-256 under the session's key, and 4 bytes of SHA-256 over everything before. 38 bytes,
/// 51 characters, for counters below 128.
struct CounterToken: Sendable, Equatable {
  /// The length of a v1 token. A shorter token is malformed; a longer one can only be v2.
  static let opaqueLength = 12
  private static let signatureLength = 16
  private static let checksumLength = 4
  private static let headLength = 1 + 16

  var session: String
  var counter: UInt64
  private var signature: [UInt8] = []

  init(session: String, counter: UInt64, key: [UInt8]) {
    (self.session, self.counter) = (session, counter)
    signature = Self.sign(payload, key)
  }

  /// Nil if the text is not a token of this kind, or was altered.
  init?(parsing text: String) {
    guard let bytes = Text.base64URLDecoded(text), bytes.first == 0 else { return nil }
    let tail = Self.signatureLength + Self.checksumLength
    guard bytes.count > Self.headLength + tail else { return nil }
    let body = bytes.dropLast(Self.checksumLength)
    guard Array(bytes.suffix(Self.checksumLength)) == Self.checksum(Array(body)) else { return nil }
    guard let counter = Self.varint(bytes[Self.headLength..<(bytes.count - tail)]) else { return nil }
    let identifier = bytes[1..<Self.headLength].withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
    session = UUID(uuid: identifier).uuidString.lowercased()
    self.counter = counter
    signature = Array(body.suffix(Self.signatureLength))
  }

  func isSigned(by key: [UInt8]) -> Bool { signature == Self.sign(payload, key) }

  var text: String {
    let body = payload + signature
    return Text.base64URL(body + Self.checksum(body))
  }

  private var payload: [UInt8] {
    var bytes: [UInt8] = [0]
    let uuid = UUID(uuidString: session) ?? UUID()
    withUnsafeBytes(of: uuid.uuid) { bytes += $0 }
    var rest = counter
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  private static func sign(_ payload: [UInt8], _ key: [UInt8]) -> [UInt8] {
    Array(Digest.code256(payload, key: key).prefix(signatureLength))
  }

  private static func checksum(_ body: [UInt8]) -> [UInt8] {
    Array(Digest.sha256(body).prefix(checksumLength))
  }

  private static func varint(_ bytes: ArraySlice<UInt8>) -> UInt64? {
    // Nine bytes hold 63 bits: more than any counter reaches, and the result cannot overflow.
    guard !bytes.isEmpty, bytes.count <= 9, bytes.last! < 0x80 else { return nil }
    return bytes.reversed().reduce(0) { $0 << 7 | UInt64($1 & 0x7f) }
  }
}

/// Refresh algorithm v1. A token is a row; a refresh revokes it and issues a child.
struct OpaqueRotation: Sendable {
  var now: Moment
  var reuseInterval: Double
  /// True if algorithm v2 is enabled, so that this refresh upgrades the session.
  var upgrades: Bool

  func refresh(_ session: SessionRecord, presenting value: String) throws(RefreshRefusal) -> RefreshOutcome {
    var session = session
    guard let index = session.opaqueTokens.firstIndex(where: { $0.value == value }) else {
      throw .notFound
    }
    if session.opaqueTokens[index].revoked {
      // The direct parent of the active token, from a client that lost the response. There is no
      // time limit.
      if let active = session.opaqueTokens.last(where: { !$0.revoked }), active.parent == value {
        session.refreshedAt = now
        return RefreshOutcome(session: session, token: active.value, isNew: false, headers: [])
      }
      try checkReuse(&session, at: index)
    }
    return upgrades ? upgrade(session, at: index) : swap(session, at: index)
  }

  /// Accepts a revoked token for one interval after the last change of its row; later, revokes the
  /// whole family. That change starts a new interval for the newest token, which therefore works
  /// once more (recorded).
  private func checkReuse(_ session: inout SessionRecord, at index: Int) throws(RefreshRefusal) {
    let until = session.opaqueTokens[index].updatedAt.adding(seconds: reuseInterval)
    guard now > until else { return }
    for each in session.opaqueTokens.indices where !session.opaqueTokens[each].revoked {
      revoke(&session, at: each)
    }
    throw .alreadyUsed(.put(session))
  }

  /// Issues the token of a verification: the child of the active token, which the parent rule then
  /// protects. Returns the token; the session's last refresh stays.
  func verify(_ session: inout SessionRecord) -> String {
    let index = session.opaqueTokens.lastIndex { !$0.revoked } ?? session.opaqueTokens.count - 1
    let outcome = swap(session, at: index)
    session.opaqueTokens = outcome.session.opaqueTokens
    return outcome.token
  }

  private func swap(_ session: SessionRecord, at index: Int) -> RefreshOutcome {
    var session = session
    revoke(&session, at: index)
    let child = OpaqueToken(parent: session.opaqueTokens[index].value, updatedAt: now)
    session.opaqueTokens.append(child)
    session.refreshedAt = now
    return RefreshOutcome(
      session: session, token: child.value, isNew: true, headers: [("sb-auth-refresh-token-reuse", "false")])
  }

  /// Replaces the token by a counter. No opaque token stays active, so the parent rule does not
  /// apply to the old one; within the interval, the old token gets the next counter instead
  /// (recorded: "the v1 token again").
  private func upgrade(_ session: SessionRecord, at index: Int) -> RefreshOutcome {
    var session = session
    revoke(&session, at: index)
    if session.counter == nil { session.counter = CounterState() } else { session.counter?.value += 1 }
    session.refreshedAt = now
    return CounterRotation.outcome(session, isNew: true, name: "sb-auth-refresh-token-reuse", value: "false")
  }

  private func revoke(_ session: inout SessionRecord, at index: Int) {
    session.opaqueTokens[index].revoked = true
    session.opaqueTokens[index].updatedAt = now
  }
}
