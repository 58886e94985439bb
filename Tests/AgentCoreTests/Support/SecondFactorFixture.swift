import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit

@testable import SessionEngine

extension Factor {
  /// A verified authenticator app.
  static let app = Factor(id: "app", type: "totp", name: "Phone app", isVerified: true)
  /// A verified phone.
  static let phone = Factor(id: "phone", type: "phone", name: "mobile", isVerified: true)
}

extension AccountsFixture {
  /// The stored session of the account.
  func stored(_ account: String = "default") async throws -> StoredSession? { try await store.load(account).session }

  /// Verifies with three lost answers: the outcome is unknown afterwards.
  func loseVerification(account: String? = nil) async throws -> AgentError? {
    let caller = verify(account: account)
    for _ in 0..<VerificationPolicy.maxSends { try await factors.nextVerification().lose() }
    return await errorOf { try await caller.value }
  }
}

extension Session {
  /// The answer to a verification.
  static func verified(_ token: String, user: String = "user-1", factors: [Factor] = [.app]) -> Session {
    .fixture(token, user: user, assurance: "aal2", factors: factors)
  }
}

/// The agent's error of `body`; nil if there is none.
func errorOf<Value>(_ body: () async throws -> Value) async -> AgentError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? AgentError ?? AgentError(.internalError, "\(error)")
  }
}

extension EventSubscription {
  /// The first `count` events, the present state included.
  func events(_ count: Int) async throws -> [AgentEvent] {
    var all = first
    if all.count >= count { return Array(all.prefix(count)) }
    for await event in events {
      all.append(event)
      if all.count == count { return all }
    }
    throw ConditionTimeout(what: "\(count) events, got \(all.count)")
  }
}
