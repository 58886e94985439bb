import AgentProtocol
import SupabaseAuth
import Synchronization
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

/// A long-running tool that subscribes to tokens and never requests one.
@Suite(.timeLimit(.minutes(10))) struct RotationTests {
  @Test("SE-5: over 50 rotations a subscriber to tokens always holds a valid one", arguments: [5, 3600, 86_400])
  func handsOnEachToken(life: Int) async throws {
    try await withAccounts { fixture async throws in
      let issued = Mutex(1)
      fixture.server.answerRefreshes { _ in
        let number = issued.withLock {
          $0 += 1; return $0
        }
        return .refreshed(.fixture("\(number)", life: life))
      }
      try await fixture.signIn(life: life)
      let subscription = await fixture.accounts.subscribe(EventsSubscribe.Params(tokens: true))
      var events = subscription.events.makeAsyncIterator()
      let first = try #require(subscription.first.first?.token)
      var held = (token: first.accessToken, until: fixture.clock.now.advanced(by: .seconds(first.expiresIn)))
      for rotation in 2...51 {
        // Time advances in steps until the refresh is sent. The tool holds a valid token
        // throughout.
        fixture.clock.advance(by: .seconds(life) * 0.7)
        while issued.withLock({ $0 }) < rotation {
          fixture.clock.advance(by: .seconds(life) / 50)
          #expect(fixture.clock.now < held.until, "an expired token in hand before rotation \(rotation)")
          _ = await fixture.accounts.tick()
          try await eventually("what was due is answered") {
            try await fixture.accounts.status(nil).activity == AccountActivity.none
          }
        }
        let event = try #require(await events.next())
        #expect(event.type == .tokenRefreshed)
        let token = try #require(event.token)
        #expect(token.accessToken == "access-\(rotation)")
        #expect(fixture.clock.now < held.until)
        held = (token.accessToken, fixture.clock.now.advanced(by: .seconds(token.expiresIn)))
      }
      #expect(held.token == "access-51")
    }
  }
}
