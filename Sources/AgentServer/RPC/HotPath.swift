import AccessControl
import AgentProtocol
import NIOCore
import SessionEngine
import SystemSupport

/// Answers `session.token` on the event loop, from memory: no task, no decoder, no encoder. Everything that it does not
/// recognise, or has no good token for, is left to the general path.
///
/// Bound to one event loop, as it keeps the text of times.
struct HotPath {
  private let tokens: TokenSnapshot
  private let clock: any AgentClock
  private let handOuts: HandOutTable?
  private let policy: Policy?
  private var times = TimeTexts()

  init(tokens: TokenSnapshot, clock: any AgentClock, handOuts: HandOutTable? = nil, policy: Policy? = nil) {
    self.handOuts = handOuts
    self.policy = policy
    self.tokens = tokens
    self.clock = clock
  }

  enum Outcome {
    case answered
    /// The general path has to answer.
    case left
    /// As before, for the policy has not let the caller in: it may not be looked up yet.
    case undecided
  }

  /// Writes the answer to `line`, newline included, behind `output`.
  mutating func answer(
    _ line: ByteBuffer, into output: inout ByteBuffer, for connection: HandOutTable.Connection? = nil
  ) -> Outcome {
    guard let request = HotRequest(line.readableBytesUInt8Span),
      let answer = tokens.answer(
        account: request.account, minTTL: request.minTTL, rejected: request.rejected, now: clock.now),
      let id = line.getSlice(at: line.readerIndex + request.id.lowerBound, length: request.id.count)
    else { return .left }
    guard isAllowed(connection, answer) else { return .undecided }
    tokens.use()
    if let connection { handOuts?.note(HandOutTable.Key(connection, answer), at: answer.handedOutAt) }
    output.writeStaticString("{\"id\":")
    output.writeImmutableBuffer(id)
    output.writeStaticString(",\"jsonrpc\":\"2.0\",\"result\":{")
    output.writeBytes(answer.head)
    output.writeStaticString("\"expiresAt\":\"")
    output.writeBytes(times.text(of: answer.expiresAt))
    output.writeStaticString("\",\"expiresIn\":")
    output.writeString(String(answer.expiresIn))
    output.writeStaticString(",\"tokenType\":\"bearer\"")
    if answer.unchanged { output.writeStaticString(",\"unchanged\":true") }
    output.writeStaticString("}}\n")
    return .answered
  }

  /// What is not decided yet, or was denied, goes the general way, which decides and has the words (PR-3).
  private func isAllowed(_ connection: HandOutTable.Connection?, _ answer: TokenAnswer) -> Bool {
    guard let policy, policy.isInForce else { return true }
    guard let connection else { return false }
    return policy.isAllowed(connection.id, answer.entry.account, now: clock.now)
  }
}

/// The texts of the times that were asked for last: a token's end is the same second for as long as it lives.
private struct TimeTexts {
  /// A power of two: one for each account that is in use at a time, and some more.
  private static let count = 16
  private var times = [Timestamp](repeating: Timestamp(unixSeconds: .min), count: count)
  private var texts = [[UInt8]](repeating: [], count: count)

  mutating func text(of time: Timestamp) -> [UInt8] {
    let index = Int(truncatingIfNeeded: time.unixSeconds) & (Self.count - 1)
    if times[index] != time {
      times[index] = time
      texts[index] = Array(time.description.utf8)
    }
    return texts[index]
  }
}
