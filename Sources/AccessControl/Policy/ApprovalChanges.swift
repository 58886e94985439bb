import AgentProtocol
import ServiceLifecycle
package import SessionEngine

/// Questions to a person and their ends, on their way from the policy to the stream of events, in order. Posting never
/// waits; safe from any thread.
package struct ApprovalChanges: Sendable {
  typealias Change = (type: EventType, approval: Approval)

  let stream: AsyncStream<Change>
  private let continuation: AsyncStream<Change>.Continuation

  init() {
    // As many as one answer each for all that may wait or hold, twice over; who reads is never far behind.
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1024))
  }

  func post(_ type: EventType, _ approval: Approval) { continuation.yield((type, approval)) }
}

/// Publishes them as events.
package struct ApprovalTeller: Service {
  private let changes: ApprovalChanges
  private let accounts: Accounts

  package init(_ changes: ApprovalChanges, accounts: Accounts) { (self.changes, self.accounts) = (changes, accounts) }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      for await change in changes.stream { await accounts.tell(change.type, change.approval) }
    }
  }
}
