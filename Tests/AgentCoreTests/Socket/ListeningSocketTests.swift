import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import TestKit
import Testing

@testable import AgentServer

@Suite struct ListeningSocketTests {
  private var folder: URL { scratchDirectory }

  private func mode(_ path: String) -> mode_t {
    let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    return mode_t(mode ?? 0)
  }

  private func message(_ body: () throws -> Void) -> (SocketError.Code, String)? {
    do {
      try body()
      return nil
    } catch let error as SocketError {
      return (error.code, error.message)
    } catch {
      return nil
    }
  }

  private func bindAndClose(_ path: String) throws { close(try ListeningSocket.bind(path).descriptor) }

  @Test(.scratchDirectory) func folderAndSocketAreTheUsersAlone() async throws {
    let path = folder.path + "/a/b/agent.sock"
    let socket = try ListeningSocket.bind(path)
    #expect(mode(path) == 0o600)
    #expect(mode(folder.path + "/a/b") == 0o700)
    #expect(mode(folder.path + "/a") == 0o700)
    #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    socket.remove()
    #expect(mode(path) == 0)
    close(socket.descriptor)
  }

  @Test(.scratchDirectory) func aLooseFolderIsRefusedWithTheRemedy() async throws {
    let inner = folder.path + "/run"
    mkdir(inner, 0o700)
    chmod(inner, 0o750)
    let refused = message { try bindAndClose(inner + "/agent.sock") }
    #expect(refused?.0 == .insecure)
    #expect(refused?.1.contains("chmod 700 \(inner)") == true)
  }

  @Test(.scratchDirectory) func aLinkIsNotFollowed() async throws {
    mkdir(folder.path + "/real", 0o700)
    symlink(folder.path + "/real", folder.path + "/run")
    #expect(message { try bindAndClose(folder.path + "/run/agent.sock") }?.0 == .insecure)
    symlink(folder.path + "/elsewhere", folder.path + "/real/agent.sock")
    #expect(message { try bindAndClose(folder.path + "/real/agent.sock") }?.0 == .insecure)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to give a folder away")) func aForeignFolderIsRefused() async throws {
    try await withScratchDirectory { folder in
      mkdir(folder.path + "/run", 0o700)
      chown(folder.path + "/run", 65534, 65534)
      let refused = message { try bindAndClose(folder.path + "/run/agent.sock") }
      #expect(refused?.0 == .insecure)
      #expect(refused?.1.contains("65534") == true)
    }
  }

  @Test("VA-6: a directory above the socket's that someone else could exchange is refused, and left as it is")
  func aFolderAboveIsTrusted() async throws {
    try await withScratchDirectory { folder in
      let runtime = folder.path + "/runtime"
      mkdir(runtime, 0o700)
      for inner in ["/ritual-agent", "/a/b/ritual-agent"] {
        for mode: mode_t in [0o777, 0o770, 0o702] {
          chmod(runtime, mode)
          let refused = message { try bindAndClose(runtime + inner + "/agent.sock") }
          #expect(refused?.0 == .insecure && refused?.1.contains("chmod go-w \(runtime)") == true, "\(inner) \(mode)")
          #expect(try FileManager.default.contentsOfDirectory(atPath: runtime) == [])
        }
        // Only the owner of an entry of a sticky directory can rename it.
        chmod(runtime, 0o1777)
        try bindAndClose(runtime + inner + "/agent.sock")
        try FileManager.default.removeItem(atPath: runtime)
        mkdir(runtime, 0o700)
      }
      guard geteuid() == 0 else { return }
      chown(runtime, 65534, 65534)
      let refused = message { try bindAndClose(runtime + "/ritual-agent/agent.sock") }
      #expect(refused?.0 == .insecure && refused?.1.contains("uid 65534") == true)
    }
  }

  @Test(.scratchDirectory) func whatIsNoSocketIsLeftAlone() async throws {
    let path = folder.path + "/agent.sock"
    try Data("precious".utf8).write(to: URL(filePath: path))
    #expect(message { try bindAndClose(path) }?.0 == .insecure)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("precious".utf8))
  }

  @Test func aPathThatIsTooLongOrRelativeIsRefused() {
    #expect(message { try bindAndClose("/tmp/" + String(repeating: "x", count: 108)) }?.0 == .invalid)
    #expect(message { try bindAndClose("agent.sock") }?.0 == .invalid)
  }

  @Test(.scratchDirectory) func aStaleSocketIsReplaced() async throws {
    let path = folder.path + "/agent.sock"
    let dead = try ListeningSocket.bind(path)
    close(dead.descriptor)
    #expect(mode(path) == 0o600)
    let living = try ListeningSocket.bind(path)
    // The file belongs to the new socket by now, so the old one does not remove it.
    dead.remove()
    #expect(mode(path) == 0o600)
    close(living.descriptor)
  }

  @Test(.scratchDirectory) func ofManyThatStartAtOnceOneGetsTheSocket() async throws {
    let path = folder.path + "/agent.sock"
    // Each round begins with the stale socket of the round before.
    for round in 0..<1000 {
      var bound: [Int32] = []
      // Between fork(2) and execve(2) a child of another test may hold the last round's socket,
      // which then still listens. Rightly, neither bind succeeds, and the round is repeated.
      try await eventually("one of the two gets the socket") {
        bound = bindAtOnce(path, apart: round * 10)
        return !bound.isEmpty
      }
      #expect(bound.count == 1)
      for descriptor in bound { close(descriptor) }
    }
  }

  /// Binds from two threads that start together. The second one first spins for `steps`, so that
  /// every overlap occurs.
  private func bindAtOnce(_ path: String, apart steps: Int) -> [Int32] {
    let bound = Mutex<[Int32]>([])
    let ready = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      ready.add(1, ordering: .sequentiallyConsistent)
      // Bounded: with a single thread for both, they run one after the other.
      for _ in 0..<100_000 where ready.load(ordering: .sequentiallyConsistent) < 2 {}
      for _ in 0..<(index * steps) { _ = ready.load(ordering: .sequentiallyConsistent) }
      if let socket = try? ListeningSocket.bind(path) { bound.withLock { $0.append(socket.descriptor) } }
    }
    return bound.withLock { $0 }
  }
}
