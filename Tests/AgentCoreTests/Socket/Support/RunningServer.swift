import AgentProtocol
import FoundationEssentials
import Glibc
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import AgentServer
@testable import SessionEngine

/// A server on a socket in a temporary directory, for the duration of a test.
struct RunningServer: Sendable {
  let path: String
  let witness: CallRecorder
  let tokens: TokenSnapshot
  let log: LogLines
  fileprivate let group: ServiceGroup

  /// Begins the graceful stop.
  func stop() async { await group.triggerGracefulShutdown() }

  func connect() throws -> RawClient { try RawClient(path) }
}

extension RunningServer {
  fileprivate static let running = TestFixture<RunningServer>()
  static var current: RunningServer { running.current }
}

extension Trait where Self == FixtureTrait {
  /// Gives the test a server: `RunningServer.current`.
  static var server: Self { server() }

  static func server(
    grace: TimeAmount = .seconds(3), cancellation: TimeAmount = .seconds(2),
    firstRequest: TimeAmount = .milliseconds(50), limits: ReadDeadline.Limits = ReadDeadline.Limits()
  ) -> Self {
    RunningServer.running.trait {
      try await withServer(
        grace: grace, cancellation: cancellation, firstRequest: firstRequest, limits: limits, $0)
    }
  }
}

/// Runs `body` with a server, then stops the server. Returns when it has stopped.
func withServer(
  grace: TimeAmount = .seconds(3), cancellation: TimeAmount = .seconds(2), firstRequest: TimeAmount = .milliseconds(50),
  limits: ReadDeadline.Limits = ReadDeadline.Limits(),
  socket: ((String) throws -> ListeningSocket)? = nil,
  _ body: @Sendable (RunningServer) async throws -> Void
) async throws {
  try await withScratchDirectory { folder in
    let path = folder.path + "/run/agent.sock"
    let listening = try socket?(path) ?? ListeningSocket.bind(path)
    let log = LogLines()
    let logger = Logger(label: "test") { _ in log }
    let clock = SystemClock()
    let tokens = TokenSnapshot(clock: clock)
    let witness = CallRecorder()
    let server = SocketServer(
      listening, on: MultiThreadedEventLoopGroup.singleton.next(), methods: MethodTable(testing: witness),
      tokens: tokens, clock: clock, logger: logger, grace: grace, cancellation: cancellation,
      firstRequest: firstRequest, limits: limits)
    let group = ServiceGroup(
      services: [server], gracefulShutdownSignals: [], logger: Logger(label: "quiet") { _ in log })
    try await withThrowingTaskGroup { tasks in
      tasks.addTask { try await group.run() }
      do {
        try await body(
          RunningServer(
            path: path, witness: witness, tokens: tokens, log: log, group: group))
      } catch {
        tasks.cancelAll()
        throw error
      }
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
    }
  }
}

extension TokenSnapshot {
  /// Publishes a token that lives for an hour.
  func publish(
    _ accessToken: String, of account: String = "work", endpoints: SessionToken.Endpoints? = nil,
    received: BootTime = SystemClock().now
  ) {
    publish(
      TokenEntry(
        account: account, accessToken: accessToken, received: received, life: .seconds(3600), usualLife: .seconds(60),
        endpoints: endpoints),
      for: account)
  }
}

extension ServerState {
  /// The state of a server without methods, on `loop`.
  static func test(
    on loop: any EventLoop, tokens: TokenSnapshot = TokenSnapshot(clock: SystemClock()),
    limits: ReadDeadline.Limits = ReadDeadline.Limits()
  ) -> ServerState {
    let logger = Logger(label: "test") { _ in LogLines() }
    // These tasks are never run.
    let starting = AsyncStream.makeStream(of: ConnectionTasks.self, bufferingPolicy: .bufferingOldest(0)).continuation
    return ServerState(
      dispatcher: Dispatcher(methods: MethodTable(), tokens: tokens, logger: logger),
      hot: HotPath(tokens: tokens, clock: SystemClock()), issuedTokens: IssuedTokens(), logger: logger,
      starting: starting, limits: limits, on: loop)
  }
}

/// A log handler that records the lines.
struct LogLines: LogHandler {
  private final class Store: Sendable {
    let lines = Mutex<[String]>([])
  }
  private let store = Store()
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level

  init(level: Logger.Level = .debug) { logLevel = level }

  var lines: [String] { store.lines.withLock { $0 } }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let text = "\(event.level) \(event.message) \(event.metadata ?? [:])"
    store.lines.withLock { $0.append(text) }
  }
}
