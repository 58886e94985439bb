import Foundation
import Glibc
import NIOCore
import NIOPosix
import SystemSupport
import TestKit
import Testing

@testable import AccessControl

/// pidfd_open(2), in glibc since 2.36. The Glibc module does not declare it.
@_silgen_name("pidfd_open") private func pidfd_open(_ pid: Int32, _ flags: UInt32) -> Int32

/// A process is distinguished from a later one with the same pid.
@Suite(.timeLimit(.minutes(10))) struct PeerProcessTests {
  private var folder: URL { scratchDirectory }

  @Test("a pidfd is valid while its process lives", .scratchDirectory)
  func endsWithTheProcess() async throws {
    let child = try RunningProgram("/bin/sleep", ["infinity"], environment: [:], folder: folder)
    let pid = child.pid
    let peer = PeerProcess(.descriptor(pidfd_open(pid, 0)))
    #expect(peer.isStill(startedAt: nil))
    let subjects = ConnectionOpener.Subjects(executables: true, units: true)
    let opener = try #require(ConnectionOpener(peer, pid: pid, subjects))
    #expect(opener.program == ProgramFile("/bin/sleep") && opener.unit?.name == Caller(pid: pid).unitName)
    #expect(ConnectionOpener(peer, pid: pid, .init())?.program == nil)
    #expect(ConnectionOpener(PeerProcess(.accepted(SystemClock().now)), pid: pid, .init()) == nil)
    #expect(peer.id == PeerProcess(.descriptor(pidfd_open(pid, 0))).id)
    #expect(peer.id == nil || peer.id != PeerProcess(.descriptor(pidfd_open(getpid(), 0))).id)
    let caller = Caller(pid: pid, peer: peer)
    #expect(caller.start != nil && caller.file == ProgramFile("/bin/sleep"))
    await child.stop()
    #expect(!peer.isStill(startedAt: caller.start))
    #expect(ConnectionOpener(peer, pid: pid, .init()) == nil)
    #expect(ConnectionOpener(peer, pid: getpid(), subjects) == nil)
    // The pid of this test stands for a reused pid.
    #expect(Caller(pid: getpid(), peer: peer) == Caller())
    #expect(Caller(pid: getpid(), peer: PeerProcess(.gone)) == Caller())
    #expect(Caller(pid: getpid()).start != nil)
  }

  @Test("a path that the kernel has in memory is found without waiting; others are left to a lookup")
  func findsPathsInMemory() throws {
    let file = try #require(ProgramFile("/bin/sleep"))
    #expect(ProgramFile(inMemory: "/bin/sleep") == file)
    #expect(ProgramFile(inMemory: "/bin/no-such-program") == nil)
  }

  @Test("program and unit as of the connection count, not those that the process has at the lookup")
  func keepsTheOpener() throws {
    let before = try #require(ProgramFile("/bin/sleep"))
    let caller = Caller(pid: getpid(), opener: ConnectionOpener(program: before, unit: .init(name: "a.service")))
    #expect(caller.file == before && caller.unitName == "a.service")
    #expect(Caller(pid: getpid(), opener: ConnectionOpener()).file == ProgramFile("/proc/self/exe"))
  }

  @Test("without a pidfd, a process that started after the connection is not the peer")
  func comparesTimes() throws {
    let start = try #require(Caller(pid: getpid()).start)
    let tick = 1_000_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK)))
    let (before, after) = (BootTime(nanoseconds: Int64(start) * tick - 1), SystemClock().now)
    #expect(!PeerProcess(.accepted(before)).isStill(startedAt: start))
    #expect(PeerProcess(.accepted(after)).isStill(startedAt: start))
    #expect(!PeerProcess(.accepted(after)).isStill(startedAt: nil))
    #expect(Caller(pid: getpid(), peer: PeerProcess(.accepted(before))) == Caller())
    #expect(Caller(pid: getpid(), peer: PeerProcess(.accepted(after))).start == start)
  }

  @Test(
    "a connection has a pidfd where the kernel has it (Linux 6.5), otherwise the time of the accept", .scratchDirectory)
  func asksTheKernel() async throws {
    let path = folder.path + "/s"
    let found = Mutexed<PeerProcess?>(nil)
    let now = SystemClock().now
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          found.value = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self
          ) { PeerProcess(of: $0, now: now) }
        }
      }
      .bind(unixDomainSocketPath: path).get()
    let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(unixDomainSocketPath: path).get()
    try await eventually("the connection is accepted") { found.value != nil }
    let peer = try #require(found.value)
    var name = utsname()
    uname(&name)
    let release = withUnsafeBytes(of: &name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let version = release.split(separator: ".").prefix(2).compactMap { Int($0) }
    if version.count == 2, (version[0], version[1]) >= (6, 5) {
      guard case .descriptor = peer.evidence else { Issue.record("\(peer.evidence)"); return }
    } else {
      #expect(peer.evidence == .accepted(now))
    }
    let start = Caller(pid: getpid()).start
    #expect(peer.isStill(startedAt: start))
    try await client.close()
    try await server.close()
  }
}
