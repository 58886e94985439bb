import AgentProtocol
import FoundationEssentials
import Glibc

/// All that the agent and its tools have left on this machine.
struct Remains {
  private let places: Places
  /// The key first: without it the rest is nothing that anybody could read, should this end halfway.
  private let trees: [OwnTree]
  private let handlers: [SchemeHandler]
  /// The configuration that stays.
  let keptConfiguration: String?

  /// - Throws: where something of it cannot be removed safely.
  init(_ places: Places, withConfiguration: Bool) throws {
    self.places = places
    let folders =
      [places.keyFile, places.state + "/vault", places.reminders]
      + (withConfiguration ? [places.configuration] : [])
    trees = try folders.compactMap { try OwnTree(Self.folder(of: $0)) }
    handlers = SchemeHandler.registered(in: places.applications)
    keptConfiguration = withConfiguration || access(places.configuration, F_OK) != 0 ? nil : places.configuration
  }

  /// What is going to be removed.
  var paths: [String] { trees.map(\.path) + handlers.map { places.applications + "/" + $0.file } }

  /// The accounts that the agent has noted outside of the vault, for its own start into a locked one.
  var accountNames: [String] {
    struct Known: Decodable { let names: [String] }
    guard let data = try? Data(contentsOf: URL(filePath: places.state + "/accounts")),
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
    for handler in handlers { _ = try handler.remove(from: places.applications) }
    removeSocketFolder()
    return paths
  }

  /// A socket that an agent left which was killed, and the folder, which stays where anything else is in it.
  private func removeSocketFolder() {
    guard places.hasUsualSocket else { return }
    var status = stat()
    if lstat(places.socket, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { unlink(places.socket) }
    rmdir(Self.folder(of: places.socket))
  }

  private static func folder(of file: String) -> String {
    String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])
  }
}

extension Places {
  /// Whether the socket is where the agent's unit has it, and not one that RITUAL_AGENT_SOCKET names.
  var hasUsualSocket: Bool { socket.hasSuffix("/ritual-agent/agent.sock") && getenv("RITUAL_AGENT_SOCKET") == nil }
}
