import Synchronization

/// What the endpoints share: the tables, the keys, the faults, the journal. Each lock is held for a step without
/// awaits.
final class Backend: Sendable {
  let state: Mutex<SandboxState>
  let faults = Mutex(FaultQueue())
  let journal = Mutex(RequestJournal())
  let hangs = HangGate()
  let keys: SigningKeys
  /// The project's public key, a JWT with role `anon`, as on hosted projects.
  let anonKey: String
  /// The key that may do everything.
  let serviceRoleKey: String

  init(settings: SandboxSettings) async throws {
    keys = SigningKeys()
    // Both outlive any test; hosted keys are good for ten years as well.
    let times: [String: JSON] = ["iss": "supabase", "ref": "sandbox", "iat": 1_700_000_000, "exp": 4_800_000_000]
    func key(_ role: JSON) -> JSON { .object(times.merging(["role": role], uniquingKeysWith: { $1 })) }
    anonKey = try keys.sign(key("anon"), with: .hs256)
    serviceRoleKey = try keys.sign(key("service_role"), with: .hs256)
    state = Mutex(SandboxState(settings: settings))
  }

  /// One step on the tables, for a body with typed failures.
  func commit<Result: Sendable>(
    _ step: @Sendable (inout SandboxState) throws(APIError) -> Result
  ) throws(APIError) -> Result {
    let outcome: Swift.Result<Result, APIError> = state.withLock { state in
      do throws(APIError) { return .success(try step(&state)) } catch { return .failure(error) }
    }
    return try outcome.get()
  }

  var settings: SandboxSettings { state.withLock { $0.settings } }
  var now: Moment { state.withLock { $0.now } }
}
