import AgentProtocol
import Foundation
import TestKit
import Testing

@testable import AgentClient

@Suite(.timeLimit(.minutes(2))) struct ConnectionTests {
  static let answer = #"{"jsonrpc":"2.0","id":1,"result":{"nonce":"n","hashed":"h"}}"#

  @Test("a call has typed parameters and a typed result")
  func calls() async throws {
    try await withServer { connection in
      _ = connection.readLine()
      connection.send(
        #"{"jsonrpc":"2.0","id":1,"result":{"account":"work","accessToken":"t","tokenType":"bearer","#
          + #""expiresAt":"2026-11-21T04:48:17Z","expiresIn":60,"later":{}}}"# + "\n")
    } _: { server in
      let connection = try AgentConnection(to: server.path)
      let token = try connection.call(SessionToken.self, SessionToken.Params(account: "work", minTTL: 60))
      #expect(token.accessToken == "t")
      #expect(token.expiresAt == Timestamp("2026-11-21T04:48:17Z"))
      #expect(
        server.lines == [
          #"{"id":1,"jsonrpc":"2.0","method":"session.token","params":{"account":"work","minTTL":60}}"#
        ])
    }
  }

  @Test("reports the agent's error as it was sent")
  func passesErrors() async throws {
    try await withServer { connection in
      _ = connection.readLine()
      connection.send(
        #"{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"m","data":{"kind":"signInNeeded","retryable":false,"#
          + #""hint":"h","account":"a"}}}"# + "\n")
    } _: { server in
      let connection = try AgentConnection(to: server.path)
      let error = #expect(throws: AgentError.self) { try connection.call(SignInNonce.self) }
      #expect(error == AgentError(.signInNeeded, "m", hint: "h", account: "a"))
    }
  }

  @Test("joins a response that arrives byte by byte")
  func joinsSplitAnswers() async throws {
    try await withServer { connection in
      _ = connection.readLine()
      for character in Self.answer + "\n" { connection.send(String(character)) }
    } _: { server in
      let result = try AgentConnection(to: server.path).call(SignInNonce.self)
      #expect(result == SignInNonce.Result(nonce: "n", hashed: "h"))
    }
  }

  @Test("matches responses to several requests in flight, in any order and in one read")
  func keepsAnswersApart() async throws {
    try await withServer { connection in
      _ = (connection.readLine(), connection.readLine())
      connection.send(
        #"{"jsonrpc":"2.0","id":2,"result":{"methods":["email"],"signUp":true}}"# + "\n" + Self.answer + "\n")
    } _: { server in
      let connection = try AgentConnection(to: server.path)
      let first = try connection.start(SignInNonce.self, Empty())
      let second = try connection.start(SignInMethods.self, SignInMethods.Params())
      #expect(try connection.answer(to: first, within: .seconds(60))?.nonce == "n")
      #expect(try connection.answer(to: second, within: .zero)?.methods == ["email"])
    }
  }

  @Test("keeps events that arrive between responses, and ignores unknown notifications")
  func keepsEvents() async throws {
    try await withServer { connection in
      _ = connection.readLine()
      let event = #""params":{"sequence":7,"type":"SIGNED_IN","at":"2026-11-21T04:48:17Z","account":"work"}"#
      connection.send(
        #"{"jsonrpc":"2.0","method":"event",\#(event)}"# + "\n" + #"{"jsonrpc":"2.0","method":"other","params":[1]}"#
          + "\n"
          + #"{"jsonrpc":"2.0","id":1,"result":{"epoch":"e","sequence":7}}"# + "\n")
    } _: { server in
      let connection = try AgentConnection(to: server.path)
      #expect(try connection.subscribe() == EventsSubscribe.Position(epoch: "e", sequence: 7))
      let event = try connection.nextEvent(timeout: .zero)
      #expect(event?.type == .signedIn)
      #expect(event?.account == "work")
      #expect(throws: AgentClientError.disconnected()) { try connection.nextEvent(timeout: .seconds(60)) }
    }
  }

  @Test(
    "rejects an invalid response",
    arguments: [
      "nonsense\n", "{}\n", "[]\n", "\u{0}\n", #"{"jsonrpc":"1.0","id":1,"result":{}}"# + "\n",
      #"{"jsonrpc":"2.0","id":9,"result":{}}"# + "\n", #"{"jsonrpc":"2.0","id":"1","result":{}}"# + "\n",
      #"{"jsonrpc":"2.0","id":1,"result":{"nonce":1}}"# + "\n", #"{"jsonrpc":"2.0","id":1}"# + "\n",
    ])
  func refusesGarbage(line: String) async throws {
    try await withServer { connection in
      _ = connection.readLine()
      connection.send(line)
      _ = connection.readLine()
    } _: { server in
      let connection = try AgentConnection(to: server.path)
      let error = #expect(throws: AgentClientError.self) {
        try connection.call(SignInNonce.self, timeout: .seconds(60))
      }
      #expect(error?.code == .protocolViolation)
    }
  }

  @Test("a line over the limit ends the connection before it fills the memory")
  func refusesOversizeLines() async throws {
    try await withServer { connection in
      _ = connection.readLine()
      let part = String(repeating: "x", count: 1 << 20)
      for _ in 0...12 { connection.send(part) }
      _ = connection.readLine()
    } _: { server in
      let connection = try AgentConnection(to: server.path)
      for _ in 0..<2 {
        let error = #expect(throws: AgentClientError.self) {
          try connection.call(SignInNonce.self, timeout: .seconds(60))
        }
        #expect(error?.code == .protocolViolation)
      }
      #expect(server.lines.count == 1, "nothing is sent any more")
    }
  }

  @Test("takes a response of the limit, and does not send an oversized line")
  func carriesLongLines() async throws {
    try await withServer { connection in
      _ = connection.readLine()
      let (start, end) = (#"{"jsonrpc":"2.0","id":1,"result":{"nonce":""#, #"","hashed":"h"}}"#)
      let nonce = String(repeating: "n", count: Wire.answerLimit - start.utf8.count - end.utf8.count)
      connection.send(start + nonce + end + "\n")
      _ = connection.readLine()
    } _: { server in
      let connection = try AgentConnection(to: server.path)
      #expect(try connection.call(SignInNonce.self, timeout: .seconds(60)).nonce.utf8.count > Wire.answerLimit / 2)
      let name = String(repeating: "n", count: Wire.frameLimit)
      let error = #expect(throws: AgentClientError.self) {
        try connection.call(SessionUse.self, SessionUse.Params(account: name))
      }
      #expect(error?.code == .tooLarge)
      #expect(server.lines.count == 1, "nothing was sent")
    }
  }

  @Test("keeps the timeout, and a late response does not answer the next request")
  func timesOut() async throws {
    try await withServer { connection in
      _ = (connection.readLine(), connection.readLine())
      connection.send(Self.answer + "\n" + #"{"jsonrpc":"2.0","id":2,"result":{"nonce":"new","hashed":"h"}}"# + "\n")
    } _: { server in
      let connection = try AgentConnection(to: server.path)
      #expect(throws: AgentClientError.timedOut(after: nil, "")) {
        try connection.call(SignInNonce.self, timeout: .milliseconds(50))
      }
      #expect(try connection.call(SignInNonce.self, timeout: .seconds(60)).nonce == "new")
    }
  }
}

@Suite struct LineReaderTests {
  @Test("yields the same lines however the stream is split", arguments: 1...12)
  func cuts(size: Int) throws {
    var reader = LineReader(limit: 100)
    var lines: [String] = []
    let bytes = Array("one\n\ntwo three\nfour\nfive".utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { reader.append($0) }
      while let line = try reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    }
    #expect(lines == ["one", "", "two three", "four"])
  }

  @Test("accepts a line as long as the limit, and rejects one byte more")
  func bounds() throws {
    for (count, fits) in [(9, true), (10, true), (11, false)] {
      for ending in ["\n", ""] {
        var reader = LineReader(limit: 10)
        Array((String(repeating: "x", count: count) + ending).utf8).withUnsafeBytes { reader.append($0) }
        if fits {
          #expect(try reader.next()?.count == (ending.isEmpty ? nil : count))
        } else {
          #expect(throws: LineReader.Oversize.self) { try reader.next() }
        }
      }
    }
  }
}
