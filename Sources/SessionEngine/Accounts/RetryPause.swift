package import SupabaseAuth
import SystemSupport

/// The pause after a failed attempt, and what it allows.
package struct RetryPause: Sendable, Equatable {
  package enum Kind: Sendable {
    /// Between quick attempts, for which callers wait.
    case quick
    /// After the quick attempts. A caller's request retries at once.
    case backoff
    /// After an error that a short wait does not fix: a wrong key or URL, a banned user, a refusal of
    /// the project, a paused project. A caller's request retries at once.
    case slow
    /// The server asked for the pause, or would refuse anyway. No request can shorten it.
    case enforced
  }

  package let length: Duration
  package let kind: Kind
}

extension RefreshPolicy {
  /// Returns the pause after a failed attempt. `step` counts the current backoff from 1.
  package func pause(after failure: RefreshFailure, step: Int) -> RetryPause {
    if let asked = failure.retryAfter { return RetryPause(length: spread(asked), kind: .enforced) }
    return switch failure.kind {
    case .transient where failure.error.code == .rateLimited:
      RetryPause(length: spread(Self.limitedPause), kind: .enforced)
    case .transient: backoff(step)
    // A gateway can answer every agent with the same error, so these pauses are as long.
    case .misconfigured, .banned, .refused, .paused: RetryPause(length: latePause, kind: .slow)
    }
  }

  /// Exponential with full jitter while callers wait, then one early attempt, then late ones.
  private func backoff(_ step: Int) -> RetryPause {
    if step < Self.maxQuickAttempts {
      return RetryPause(length: Self.quickPause * (1 << max(0, step - 1)) * random(), kind: .quick)
    }
    let isEarly = step == Self.maxQuickAttempts
    return RetryPause(length: isEarly ? Self.maxEarlyPause * random() : latePause, kind: .backoff)
  }

  private var latePause: Duration { Self.minLatePause + (Self.maxLatePause - Self.minLatePause) * random() }
}

/// A failed attempt that leaves the session in place.
package struct RefreshFailure: Sendable {
  package enum Kind: Sendable, CaseIterable { case transient, misconfigured, banned, refused, paused }

  let kind: Kind
  let error: AuthError
  let retryAfter: Duration?

  package init(kind: Kind, error: AuthError, retryAfter: Duration? = nil) {
    (self.kind, self.error, self.retryAfter) = (kind, error, retryAfter)
  }
}
