import AgentProtocol
import TestKit
import Testing

@testable import AgentCore

/// One random history of a server and its clients, with a model of the answers that each connection
/// must get.
struct ServerHistory {
  /// A client, and its state in the model.
  private struct Client {
    let socket: RawClient
    /// Answers that come without further action.
    var due: [String] = []
    /// Answers that come when the gate opens.
    var held: [String] = []
    /// The second half of a line that was begun, and the expected answer.
    var unsentLine: (text: String, answer: String)?
    var hasEnded = false
    /// The number of expected notifications.
    var notices = 0
  }

  private let server: RunningServer
  private var chance: SeededRandom
  private var clients: [Client] = []
  private var number = 0
  private var holds = 0
  private var cancelled = 0
  /// The actions so far, for a failure's report.
  private(set) var trace: [String] = []

  /// The maximum number of held requests on a connection. More are the subject of another test.
  private static let maxHeld = 12

  init(_ seed: UInt64, _ server: RunningServer) {
    chance = SeededRandom(seed)
    self.server = server
  }

  mutating func step() async throws {
    guard !clients.isEmpty, !(clients.count < 6 && chance.happens(15)) else { return try connect() }
    let index = chance.below(clients.count)
    switch chance.below(10) {
    case 0: try await leave(index)
    case 1: endInput(index)
    case 2, 3: try await hold(index)
    case 4: try await follow(index)
    case 5: try await halfLine(index)
    case 6: try await send(index, "{\"id\":", "null: -32700")
    case 7: try await read(index)
    default: try await call(index)
    }
  }

  private mutating func note(_ words: String) { trace.append(words) }

  private mutating func connect() throws {
    note("connect")
    clients.append(Client(socket: try server.connect()))
  }

  private mutating func nextID() -> Int {
    number += 1
    return number
  }

  /// Sends a line, unless the client has ended its input. A line that was begun is finished first.
  private mutating func send(_ index: Int, _ line: String, _ answer: String) async throws {
    guard !clients[index].hasEnded else { return }
    try await finishLine(index)
    note("\(index) sends \(line)")
    try await clients[index].socket.send(line + "\n")
    clients[index].due.append(answer)
  }

  private mutating func finishLine(_ index: Int) async throws {
    guard let unsaid = clients[index].unsentLine else { return }
    note("\(index) ends its line")
    try await clients[index].socket.send(unsaid.text + "\n")
    clients[index].due.append(unsaid.answer)
    clients[index].unsentLine = nil
  }

  private mutating func call(_ index: Int) async throws {
    let (id, left) = (nextID(), chance.below(100))
    let line = ServerTests.request("test.subtract", #"{"minuend":\#(left),"subtrahend":1}"#, id: "\(id)")
    try await send(index, line, "\(id): \(left - 1)")
  }

  private mutating func halfLine(_ index: Int) async throws {
    guard !clients[index].hasEnded, clients[index].unsentLine == nil else { return }
    let id = nextID()
    let line = ServerTests.request("test.subtract", #"{"minuend":3,"subtrahend":1}"#, id: "\(id)")
    let cut = 1 + chance.below(line.utf8.count - 1)
    note("\(index) begins a line")
    try await clients[index].socket.send(String(line.prefix(cut)))
    clients[index].unsentLine = (String(line.dropFirst(cut)), "\(id): 2")
  }

  private mutating func hold(_ index: Int) async throws {
    guard !clients[index].hasEnded, clients[index].held.count < Self.maxHeld else { return }
    let id = nextID()
    try await send(index, ServerTests.request("test.hold", id: "\(id)"), "")
    clients[index].due.removeLast()
    clients[index].held.append("\(id): {}")
    holds += 1
  }

  private mutating func follow(_ index: Int) async throws {
    guard !clients[index].hasEnded else { return }
    let (id, count) = (nextID(), 1 + chance.below(5))
    let line = ServerTests.request("test.follow", #"{"count":\#(count),"text":"n"}"#, id: "\(id)")
    try await send(index, line, "\(id): {}")
    clients[index].notices += count
  }

  /// Reads the expected answers. Any other answer is an error.
  private mutating func read(_ index: Int) async throws {
    note("\(index) reads")
    var due = clients[index].due
    while !due.isEmpty || clients[index].notices > 0 {
      guard let line = try await clients[index].socket.line() else {
        throw ConditionTimeout(what: "\(due) on \(index)")
      }
      if line == #"{"jsonrpc":"2.0","method":"test","params":"n"}"#, clients[index].notices > 0 {
        clients[index].notices -= 1
        continue
      }
      let text = try answerText(line)
      guard let place = due.firstIndex(of: text) else { throw ConditionTimeout(what: "no \(text) on \(index): \(due)") }
      due.remove(at: place)
    }
    clients[index].due = []
  }

  /// Disconnects a client. All of its pending requests must be cancelled, and no other's.
  private mutating func leave(_ index: Int) async throws {
    let begun = holds
    try await eventually("all that wait have begun") { server.witness.begun == begun }
    note("\(index) leaves")
    cancelled += clients.remove(at: index).held.count
    let expected = cancelled
    try await eventually("\(expected) were cancelled, not \(server.witness.cancelled)") {
      server.witness.cancelled == expected
    }
  }

  private mutating func endInput(_ index: Int) {
    guard !clients[index].hasEnded, clients[index].unsentLine == nil else { return }
    note("\(index) ends its input")
    clients[index].socket.endInput()
    clients[index].hasEnded = true
  }

  /// Opens the gate. Every pending answer must arrive, and a client that ended its input must see
  /// the end.
  mutating func end() async throws {
    let begun = holds
    try await eventually("all that wait have begun") { server.witness.begun == begun }
    guard server.witness.cancelled == cancelled else { throw ConditionTimeout(what: "somebody else was cancelled") }
    note("the gate opens")
    server.witness.open()
    for index in clients.indices {
      clients[index].due += clients[index].held
      try await finishLine(index)
      try await call(index)
      try await read(index)
      if clients[index].hasEnded, let line = try await clients[index].socket.line() {
        throw ConditionTimeout(what: "the end of \(index), not \(line)")
      }
    }
  }
}

/// Random histories of connecting, calling, subscribing, sending half a line, disconnecting and
/// ending the input, compared with a model of each connection's answers. `RITUAL_TEST_SEED=n`
/// replays one history.
@Suite struct ServerModelTests {
  @Test func anyOrderIsAnsweredAsTheModelSays() async throws {
    for seed in TestSeeds.chosen ?? Array(1...60) {
      try await withServer { server in
        var history = ServerHistory(seed, server)
        do {
          for _ in 0..<60 { try await history.step() }
          try await history.end()
        } catch {
          Issue.record("RITUAL_TEST_SEED=\(seed): \(error)\n\(history.trace.joined(separator: "\n"))")
        }
      }
    }
  }
}
