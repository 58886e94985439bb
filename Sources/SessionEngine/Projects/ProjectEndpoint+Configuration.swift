import AgentConfiguration
import SupabaseAuth

extension ProjectConfiguration {
  /// Where the project's servers are.
  ///
  /// - Throws: `AuthError` with what is wrong, in words.
  func endpoint() throws(AuthError) -> ProjectEndpoint {
    try ProjectEndpoint(url: url, anonKey: anonKey, caFile: caFile, onlyThisCA: onlyThisCA, proxy: proxy)
  }
}
