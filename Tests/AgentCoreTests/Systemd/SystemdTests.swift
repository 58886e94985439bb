import FoundationEssentials
import Glibc
import Logging
import SystemSupport
import TestKit
import Testing

@testable import AgentCore
@testable import AgentServer
@testable import SessionEngine

/// The environment is per process, so a test that changes it runs in a process of its own.
@Suite struct SystemdTests {
  private var folder: URL { scratchDirectory }

  @Test func theManagerIsTold() async {
    await #expect(processExitsWith: .success) {
      try await withScratchDirectory { folder in
        let manager = try DatagramSocket(folder.path + "/notify")
        setenv("NOTIFY_SOCKET", manager.path, 1)
        let notifier = Notifier()
        notifier.ready("2 accounts\nMAINPID=1")
        #expect(manager.receive() == "READY=1\nSTATUS=2 accounts\\u{a}MAINPID=1")
        notifier.ready()
        #expect(manager.receive() == "READY=1")
        notifier.status("working")
        #expect(manager.receive() == "STATUS=working")
        notifier.watchdog()
        #expect(manager.receive() == "WATCHDOG=1")
        notifier.stopping()
        #expect(manager.receive() == "STOPPING=1\nSTATUS=stopping")
      }
    }
  }

  @Test func theWatchdogsTimeoutIsRead() async {
    await #expect(processExitsWith: .success) {
      #expect(Notifier().watchdogTimeout == nil)
      setenv("WATCHDOG_USEC", "30000000", 1)
      #expect(Notifier().watchdogTimeout == .seconds(30))
      setenv("WATCHDOG_PID", "1", 1)
      #expect(Notifier().watchdogTimeout == nil)
    }
  }

  @Test func nothingIsPassedWithoutAManager() async {
    await #expect(processExitsWith: .success) { #expect(PassedSocket.takeAll().isEmpty) }
  }

  @Test(.scratchDirectory) func onlyAListeningUnixStreamSocketIsAdopted() async throws {
    let datagram = try DatagramSocket(folder.path + "/notify")
    let passed = PassedSocket(descriptor: datagram.descriptor, name: "wrong")
    #expect(throws: SocketError(.invalid, "")) { try ListeningSocket.adopt(passed) }
  }

  @Test(.scratchDirectory) func anAdoptedSocketIsServedAndItsFileStays() async throws {
    let path = folder.path + "/passed.sock"
    let managers = try ListeningSocket.bind(path)
    defer { close(managers.descriptor) }
    let passed = PassedSocket(descriptor: dup(managers.descriptor), name: "agent")
    try await withServer(socket: { _ in try ListeningSocket.adopt(passed) }) { _ in
      let client = try RawClient(path)
      #expect(try await client.ask(ServerTests.subtract) == ServerTests.nineteen)
    }
    // The manager still listens: a new connection waits for the next agent.
    _ = try RawClient(path)
  }

  @Test func hardeningLeavesNoCoreDump() async {
    await #expect(processExitsWith: .success) {
      #expect(ProcessHardening.apply().isEmpty)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
      #expect(limit.rlim_cur == 0)
      #expect(limit.rlim_max == 0)
      // prctl(2), PR_GET_DUMPABLE. Swift does not import prctl, because it is variadic.
      typealias Prctl = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
      let prctl = unsafeBitCast(dlsym(nil, "prctl"), to: Prctl.self)
      #expect(prctl(3, 0, 0, 0, 0) == 0)
    }
  }
}

/// A datagram socket like that of a service manager.
final class DatagramSocket {
  let path: String
  let descriptor: Int32

  init(_ path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    try #require(try UnixAddress(path).bind(descriptor) == 0)
  }

  deinit { close(descriptor) }

  func receive() -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
  }
}

@Suite struct JournalTests {
  @Test func namesOfEventsAreWrittenDown() throws {
    // The repository's root, four levels above this file.
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOfFile: root.path + "/docs/systemd.md", encoding: .utf8)
    for event in JournalEvent.allCases {
      #expect(page.contains("`\(event.rawValue)`"), "docs/systemd.md does not name \(event.rawValue)")
    }
  }

  @Test func anEventIsAddedToWhatALineIsAbout() {
    let metadata = JournalEvent.sessionEnded.with(["account": "work"])
    #expect(metadata == ["account": "work", "event": "session_ended"])
  }

  @Test func fieldsHaveNamesThatTheJournalTakes() {
    var entry = JournalEntry("two\nlines", priority: LOG_NOTICE, identifier: "ritual-test")
    entry.add("RITUAL_two words", "v")
    #expect(
      entry.fields == ["MESSAGE=two\nlines", "PRIORITY=5", "SYSLOG_IDENTIFIER=ritual-test", "RITUAL_TWO_WORDS=v"])
  }
}
