import AgentProtocol
import Foundation
import Glibc
import TestKit
import Testing

@testable import AgentClient

@Suite(.timeLimit(.minutes(2))) struct RefusalTests {
  private var folder: URL { scratchDirectory }

  @Test("PR-7: sends nothing to a server of another uid")
  func refusesAForeignServer() async throws {
    try await withServer { connection in
      _ = connection.readLine()
      connection.send(ConnectionTests.answer + "\n")
    } _: { server in
      #expect(throws: AgentClientError.foreignServer("", uid: 0)) {
        let connection = try AgentConnection(to: server.path, timeout: .seconds(60), uid: geteuid() + 1)
        _ = try connection.call(SignInNonce.self)
      }
      #expect(server.lines.isEmpty)
    }
  }

  @Test(
    "PR-7: sends nothing to a server that really runs as another user", .scratchDirectory, .enabled(if: geteuid() == 0))
  func refusesAServerOfAnotherUser() async throws {
    #expect(chmod(folder.path, 0o777) == 0)
    let path = folder.path + "/agent.sock"
    let server = try RunningProgram(
      "/usr/bin/setpriv",
      [
        "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c",
        "import socket,sys; s=socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); c=s.accept()[0]; "
          + "sys.exit(len(c.recv(1)))", path,
      ], environment: [:], folder: folder)
    defer { server.send(SIGTERM) }
    // The socket file exists before the server listens.
    var code: AgentClientError.Code?
    try await eventually("the server listens") {
      do throws(AgentClientError) { _ = try AgentConnection(to: path) } catch { code = error.code }
      return code != .unreachable
    }
    #expect(code == .foreignServer)
    #expect(try await server.end().status == 0, "not a byte came")
  }

  @Test("without an agent, the error names the command that helps", .scratchDirectory)
  func saysHowToStart() async throws {
    let missing = #expect(throws: AgentClientError.self) { try AgentConnection(to: folder.path + "/none") }
    #expect(missing?.code == .unreachable)
    #expect(missing?.hint != nil)
    do {
      let server = try ScriptedServer(in: folder) { _ in }
      server.stop()
    }
    try await eventually("nobody listens any more") {
      (try? AgentConnection(to: folder.path + "/agent.sock")) == nil
    }
    let stale = #expect(throws: AgentClientError.self) { try AgentConnection(to: folder.path + "/agent.sock") }
    #expect(stale?.code == .unreachable)
    for path in ["", String(repeating: "x", count: 108)] {
      let error = #expect(throws: AgentClientError.self) { try AgentConnection(to: path) }
      #expect(error?.code == .unreachable)
    }
  }

  @Test("reads the refusal of an agent that closes the connection")
  func hearsTheRefusal() async throws {
    try await withServer { connection in
      connection.send(
        #"{"jsonrpc":"2.0","id":null,"error":{"code":-32006,"message":"no","data":{"kind":"denied","retryable":false}}}"#
          + "\n")
    } _: { server in
      let connection = try AgentConnection(to: server.path)
      let error = #expect(throws: AgentError.self) { try connection.call(SignInNonce.self, timeout: .seconds(60)) }
      #expect(error?.kind == .denied)
    }
  }

  @Test("a server that disconnects causes an error, then and later, and no SIGPIPE")
  func survivesAClosedConnection() async throws {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      try await withServer { connection in
        _ = connection.readLine()
      } _: { server in
        let connection = try AgentConnection(to: server.path)
        for _ in 0..<3 {
          #expect(throws: AgentClientError.disconnected()) {
            try connection.call(SignInNonce.self, timeout: .seconds(60))
          }
        }
        let other = try AgentConnection(to: server.path)
        _ = try other.start(SignInNonce.self, Empty())
        try await eventually("the write fails") { (try? other.start(SignInNonce.self, Empty())) == nil }
        #expect(throws: AgentClientError.disconnected()) { try other.start(SignInNonce.self, Empty()) }
      }
    }
  }
}
