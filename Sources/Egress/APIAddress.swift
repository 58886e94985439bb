import AgentProtocol
import SessionEngine
import SupabaseAuth

/// Where an API request goes: worked out from a path or an address, under the rules of TK-9. Pure.
///
/// What comes out begins with one of the two configured origins, letter by letter, and is spelt as RFC 3986 wants it, so
/// that no parser behind us can read another host or path from it.
struct APIAddress: Sendable, Equatable {
  /// The whole address.
  let url: String
  /// Whether it goes to the project, which wants its `apikey`.
  let isProject: Bool

  /// The longest address: more than any server takes.
  private static let limit = 8 * 1024

  /// The paths that lie on the project whatever `api_url` says.
  private static let projectPaths = ["/rest", "/storage", "/functions/v1"]

  /// - Parameter text: a path that begins with `/`, or an address on the project's or the API's origin.
  /// - Throws: `.invalidParams` for what is no such address; `.denied` for a spelling of the auth server's.
  init(_ text: String, project: Project) throws(AgentError) {
    guard text.utf8.count <= Self.limit, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !text.contains("#") else {
      throw Self.refused("The address is too long, or has characters that have to be percent-encoded.")
    }
    let (origin, target) = try Self.split(text, project)
    switch origin {
    case nil where Self.isProjectPath(target):
      isProject = true
      url = try project.origin + APITarget(project.basePath + target, on: project.basePath).text
    case nil, project.apiOrigin:
      isProject = project.apiOrigin == project.origin
      url = try project.apiOrigin + APITarget(target, on: isProject ? project.basePath : nil).text
    case project.origin:
      isProject = true
      url = try project.origin + APITarget(target, on: project.basePath).text
    default:
      throw Self.refused("A token goes to \(Self.origins(of: project)) alone.")
    }
  }

  /// The origin of an address, and its path with query; a path has no origin.
  private static func split(_ text: String, _ project: Project) throws(AgentError) -> (origin: String?, target: String)
  {
    if text.hasPrefix("/") { return (nil, text) }
    guard let scheme = text.firstRange(of: "://") else {
      throw refused("A path that begins with /, or an address on \(origins(of: project)), is meant.")
    }
    let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
    guard !authority.contains(where: { "@%\\".contains($0) }) else {
      throw refused("An address has a plain host and no user name.")
    }
    guard let origin = try? WebOrigin.of(String(text[..<scheme.upperBound] + authority)) else {
      throw refused("A token goes to \(origins(of: project)) alone.")
    }
    let target = String(text[authority.endIndex...])
    return (origin, target.hasPrefix("/") ? target : "/" + target)
  }

  private static func isProjectPath(_ target: String) -> Bool {
    projectPaths.contains { target == $0 || target.hasPrefix($0 + "/") || target.hasPrefix($0 + "?") }
  }

  private static func origins(of project: Project) -> String {
    project.origin == project.apiOrigin ? project.origin : "\(project.origin) and \(project.apiOrigin)"
  }

  private static func refused(_ message: String) -> AgentError { AgentError(.invalidParams, message) }
}
