/// The version of the agent, as `agent.hello`, `agent.status` and `--version` say it.
public enum AgentVersion {
  /// Semantic versioning; the CHANGELOG has a heading for each.
  public static let current = "0.1.0"
}
