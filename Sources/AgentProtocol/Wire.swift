/// Numbers that both ends of the socket keep to.
public enum Wire {
  /// The version of the protocol that `agent.hello` names. It grows when an old client would misread an answer.
  public static let protocolVersion = 1

  /// What `agent.hello` answers in `capabilities`: the groups of methods that this version has.
  public static let capabilities = [
    "agent", "api", "approval", "audit", "events", "identity", "profile", "rpc", "session", "signIn", "telemetry",
    "vault",
  ]

  /// The usual bound of one line, in bytes: a request is some hundred bytes, a callback address at most 8 KiB.
  public static let frameLimit = 64 * 1024

  /// The bound of one long line, in bytes: 8 MiB of body are 10.7 MiB in base64, and some headers.
  public static let longFrameLimit = 12 * 1024 * 1024

  /// The largest body that `api.request` carries each way, in bytes.
  public static let bodyLimit = 8 * 1024 * 1024

  /// How long a caller of `session.token` waits for a refresh at most, in seconds (TK-4).
  public static let longestWait = 15
}
