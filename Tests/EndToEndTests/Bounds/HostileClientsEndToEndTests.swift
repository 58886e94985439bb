import Foundation
import TestKit
import Testing

/// Whatever others do on the socket, a client that behaves is served (PR-4). How quickly is what `script/bench` measures.
@Suite(.timeLimit(.minutes(10))) struct HostileClientsEndToEndTests {
  /// Beside the agent's own 60 MB or so in a debug build: 32 MiB of long lines, 256 KiB of answers for each that does not
  /// read, buffers.
  private static let mostGrowth = 160 * 1024 * 1024
  /// What the hostile clients may send between a request and its answer: a turn is 512 bytes, or 64 KiB in a long line, for each of
  /// the 120.
  private static let mostBefore = 1024 * 1024
  /// What the allocator keeps for later.
  private static let mostKept = 96 * 1024 * 1024

  @Test func aGoodClientIsServedBesideAllKinds() async throws {
    try await withHousehold { home in
      try await home.signIn()
      let token = try await home.token()
      let agent = ProcessFigures(pid: try #require(await home.agentPID))
      let before = (memory: try agent.memory(), descriptors: agent.descriptors())
      let good = try BlockingSocket(unix: home.socket)
      let hostile = HostileClients(home.socket, ofEachKind: 12)
      let result: Result<Void, any Error>
      do { result = .success(try await serve(good, token, hostile, agent, before.memory)) } catch {
        result = .failure(error)
      }
      await hostile.stop()
      try result.get()
      try await eventually("descriptors and memory are given back") {
        // The address sanitizer keeps what was freed for a while, to see whether it is used.
        let isSmall = try Sanitizer.isOn || agent.memory() - before.memory < Self.mostKept
        // Two more: what the good client and its session opened.
        return isSmall && (agent.descriptors() ?? 0) <= (before.descriptors ?? 0) + 2
      }
      #expect(try await home.askForToken(on: good, rejected: nil).token == token)
      #expect(try await home.report().accounts.count == 1)
    }
  }

  private func serve(
    _ good: BlockingSocket, _ token: String, _ hostile: HostileClients, _ agent: ProcessFigures, _ memory: Int
  ) async throws {
    try await eventually("they are at work") { hostile.bytesSent > 10_000_000 }
    var others: [Int] = []
    for number in 0..<400 {
      let before = hostile.bytesSent
      let answer = await good.exchange(
        #"{"jsonrpc":"2.0","id":\#(number),"method":"session.token","params":{}}"# + "\n")
      others.append(hostile.bytesSent - before)
      // How many bytes of theirs were taken meanwhile, not how long it took: all tests share two cores. Half of the answers, for
      // after an answer this process may have to wait for a core itself.
      let usual = others.sorted()[others.count / 2]
      try #require(others.count < 5 || usual < Self.mostBefore, "\(usual) bytes of the others before an answer")
      try #require(answer.hasPrefix(#"{"id":\#(number),"#) && answer.contains(token), "\(answer)")
      let growth = try agent.memory() - memory
      try #require(growth < Self.mostGrowth, "\(growth / 1_048_576) MiB more")
    }
    // A general call, which needs a task, is answered as well.
    #expect(await good.exchange(#"{"jsonrpc":"2.0","id":1,"method":"session.list"}"# + "\n").contains("result"))
  }
}
