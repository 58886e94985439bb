import AgentProtocol
import FoundationEssentials
import Testing

@Suite struct EnvelopeTests {
  @Test("an id is returned as it was sent", arguments: ["1", "\"a\"", "null", "1.5", "-9007199254740993"])
  func idsComeBack(text: String) throws {
    let id = try WireCoding.decode(RequestID.self, from: .init(text.utf8))
    #expect(String(decoding: try WireCoding.encode(id), as: UTF8.self) == text)
  }

  @Test(
    "any JSON value is returned as it was, with sorted keys",
    arguments: [
      #"{"a":[1,2.5,true,null,"x"],"b":{"c":""}}"#, "[]", "\"/\"", "9223372036854775807",
    ])
  func valuesComeBack(text: String) throws {
    let value = try WireCoding.decode(JSONValue.self, from: .init(text.utf8))
    #expect(String(decoding: try WireCoding.encode(value), as: UTF8.self) == text)
  }

  @Test("a request and its responses have the members of JSON-RPC 2.0")
  func envelopesAreJSONRPC() throws {
    let request = RequestEnvelope(id: .integer(1), method: "session.use", params: AccountParams(account: "work"))
    #expect(
      String(decoding: try WireCoding.encode(request), as: UTF8.self)
        == #"{"id":1,"jsonrpc":"2.0","method":"session.use","params":{"account":"work"}}"#)
    let answer = ResponseEnvelope<Empty>(id: .null, error: AgentError(.parseError))
    #expect(
      String(decoding: try WireCoding.encode(answer), as: UTF8.self)
        == #"{"error":{"code":-32700,"data":{"kind":"parseError","retryable":false},"message":"The request is not JSON."},"#
        + #""id":null,"jsonrpc":"2.0"}"#)
  }
}
