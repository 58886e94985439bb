/// Accounts whose profile is to be read, in the order in which that was asked. Safe from any thread.
package struct ProfileRequests: Sendable {
  package let names: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  /// Requests that may wait where nobody reads; what is dropped is asked for again after the next refresh.
  private static let waiting = 4096

  init() {
    (names, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.waiting))
  }

  func ask(_ name: String) { continuation.yield(name) }

  func finish() { continuation.finish() }
}
