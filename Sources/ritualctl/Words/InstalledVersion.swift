import AgentProtocol

/// The version that is installed, which is this program's own: agent and tools come in one package.
enum InstalledVersion {
  /// What to do where the agent is older than what is installed, as after an upgrade; nil where it is not.
  static func complaint(aboutRunning running: String, installed: String = AgentVersion.current) -> String? {
    guard let old = numbers(running), let new = numbers(installed), old.lexicographicallyPrecedes(new) else {
      return nil
    }
    return "the agent runs \(ForeignText.shown(running)), installed is \(installed): "
      + ServiceManager.restartAgent
  }

  /// Major, minor, patch (Semantic Versioning 2.0.0, section 11); what stands behind them is left out.
  private static func numbers(_ version: String) -> [Int]? {
    let parts = version.prefix { $0 != "-" && $0 != "+" }.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    return numbers.count == 3 && parts.count == 3 ? numbers : nil
  }
}
