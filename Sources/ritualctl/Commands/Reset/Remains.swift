import AgentProtocol
import FoundationEssentials
import Glibc

/// All that the agent and its tools have left on this machine.
struct Remains {
  private let state: String
  private let applications: String
  /// The socket, where it is the usual one.
  private let socket: String?
  /// The key first: without it the rest is nothing that anybody could read, should this end halfway.
  private let trees: [OwnTree]
  private let handlers: [SchemeHandler]
  /// The configuration that stays.
  let keptConfiguration: String?

  /// - Throws: where something of it cannot be removed safely.
  init(_ places: Places, withConfiguration: Bool) throws {
    (state, applications) = (try places.state, try places.applications)
    socket = places.hasUsualSocket ? try places.socket : nil
    let folders =
      [try places.keyFile, try places.state + "/vault", try places.reminders]
      + (withConfiguration ? [try places.configuration] : [])
    trees = try folders.compactMap { try OwnTree(Self.folder(of: $0)) }
    handlers = SchemeHandler.registered(in: applications)
    let configuration = try places.configuration
    keptConfiguration = withConfiguration || access(configuration, F_OK) != 0 ? nil : configuration
  }

  /// What is going to be removed.
  var paths: [String] { trees.map(\.path) + handlers.map { applications + "/" + $0.file } }

  /// The accounts that the agent has noted outside of the vault, for its own start into a locked one.
  var accountNames: [String] {
    struct Known: Decodable { let names: [String] }
    guard let data = try? Data(contentsOf: URL(filePath: state + "/accounts")),
      let known = try? JSONDecoder().decode(Known.self, from: data)
    else { return [] }
    return known.names.filter(AccountName.isValid)
  }

  /// Removes it; nobody may have the vault open.
  ///
  /// - Returns: the paths that are gone.
  func remove() throws -> [String] {
    let paths = self.paths
    for tree in trees { try tree.remove() }
    for handler in handlers { _ = try handler.remove(from: applications) }
    removeSocketFolder()
    return paths
  }

  /// A socket that an agent left which was killed, and the folder, which stays where anything else is in it.
  private func removeSocketFolder() {
    guard let socket else { return }
    var status = stat()
    if lstat(socket, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { unlink(socket) }
    rmdir(Self.folder(of: socket))
  }

  private static func folder(of file: String) -> String {
    String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])
  }
}

extension Places {
  /// Whether the socket is where the agent's unit has it, and not one that RITUAL_AGENT_SOCKET names.
  var hasUsualSocket: Bool {
    (try? socket)?.hasSuffix("/ritual-agent/agent.sock") == true && getenv("RITUAL_AGENT_SOCKET") == nil
  }
}
