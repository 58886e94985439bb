import AgentClient
import AgentProtocol
import ArgumentParser
import FoundationEssentials
import Glibc
import SystemSupport

/// `api`: sends an authorized request through the agent, so that this program never gets the token
/// (TK-9).
struct APICommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "api",
    abstract: "Send an authorized API request and print the response body.",
    discussion: "Exits with 1 if the HTTP status is 400 or above; the body is printed anyway."
  ).examples(
    "ritualctl api '/rest/v1/items?select=id,name'",
    "ritualctl api -X PATCH '/rest/v1/items?id=eq.1' -d '{\"name\": \"tea\"}'",
    "ritualctl api /rest/v1/items -F items.json -H 'Prefer: return=minimal'")

  @Option(name: [.customShort("X"), .long], help: "HTTP method; by default GET, or POST with a body.")
  var method: String?
  @Option(
    name: [.customShort("H"), .customLong("header")],
    help: ArgumentHelp("Request header; may be repeated.", valueName: "name: value"))
  var headers: [String] = []
  @Option(name: [.customShort("d"), .long], help: "Request body; JSON unless a Content-Type header is given.")
  var data: String?
  @Option(
    name: [.customShort("F"), .long],
    help: ArgumentHelp("File with the request body; - is standard input.", valueName: "file"), completion: .file())
  var file: String?
  @Flag(name: [.customShort("i"), .long], help: "Print the status and the headers before the body.")
  var include = false
  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions
  @Argument(help: ArgumentHelp("Path, or URL on the origin of the API or the project.", valueName: "path-or-url"))
  var path: String

  /// Longer than the agent waits for an API, so that the agent reports the error.
  private static let requestTimeout = Duration.seconds(180)

  func validate() throws {
    if data != nil && file != nil { throw ValidationError("use -d or -F, not both") }
    for header in headers where APIHeader(header) == nil {
      throw ValidationError("write a header as 'Name: value'")
    }
  }

  func perform(_ output: Output) throws -> ExitStatus {
    let request = try params()
    let answer = try common.connect().call(APIRequestMethod.self, request, timeout: Self.requestTimeout)
    guard let body = Data(base64Encoded: answer.body) else {
      throw Failure(.failed, "the agent sent an invalid response: the body is not base64")
    }
    if output.json { try output.answer(APIAnswer(value: answer)) } else { try write(answer, Array(body)) }
    guard answer.status >= 400 else { return .done }
    output.remark("HTTP \(answer.status)")
    return .failed
  }

  private func params() throws -> APIRequestMethod.Params {
    let body = try body()
    var pairs = headers.compactMap { APIHeader($0)?.pair }
    if body != nil, !pairs.contains(where: { $0[0].lowercased() == "content-type" }) {
      pairs.append(["Content-Type", "application/json"])
    }
    return APIRequestMethod.Params(
      account: account.account, method: method ?? (body == nil ? "GET" : "POST"), path: path,
      headers: pairs.isEmpty ? nil : pairs, body: body.map { Data($0).base64EncodedString() })
  }

  private func body() throws -> [UInt8]? {
    if let data { return try bounded(Array(data.utf8)) }
    guard let file else { return nil }
    guard file != "-" else { return try Streams.readAll(from: STDIN_FILENO, limit: Wire.bodyLimit) }
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(.failed, "\(ForeignText.shown(file)) cannot be read: \(errorDescription(errno))")
    }
    defer { close(descriptor) }
    return try Streams.readAll(from: descriptor, limit: Wire.bodyLimit)
  }

  private func bounded(_ bytes: [UInt8]) throws -> [UInt8] {
    guard bytes.count <= Wire.bodyLimit else {
      throw Failure(.usage, "the body is longer than \(Wire.bodyLimit) bytes")
    }
    return bytes
  }

  /// Writes the body unchanged, except on a terminal, where control characters are escaped.
  private func write(_ answer: APIRequestMethod.Result, _ body: [UInt8]) throws {
    if include { try Streams.write(APIAnswer(value: answer).head, to: STDOUT_FILENO) }
    guard isatty(STDOUT_FILENO) == 1 else { return try Streams.write(body, to: STDOUT_FILENO) }
    try Streams.write(ForeignText.shownLines(String(decoding: body, as: UTF8.self)), to: STDOUT_FILENO)
  }
}

/// A request header as written on the command line.
private struct APIHeader {
  /// Name and value.
  let pair: [String]

  init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return nil }
    let value = text[text.index(after: colon)...].drop { $0 == " " }
    pair = [String(text[..<colon]), String(value)]
  }
}

private struct APIAnswer: Answer {
  let value: APIRequestMethod.Result

  func text(_ style: Style) -> String { head }

  /// The status and the headers, one per line, followed by an empty line.
  var head: String {
    let lines = value.headers.map { $0.map { ForeignText.shown($0, limit: .max) }.joined(separator: ": ") }
    return (["HTTP \(value.status)"] + lines + ["", ""]).joined(separator: "\n")
  }
}
