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
    discussion: "Exits with 1 if the HTTP status is 400 or above; the body is then printed unfiltered, even with --jq. "
      + "JSON is indented on a terminal; otherwise the body is printed unchanged."
  ).examples(
    "ritualctl api '/rest/v1/items?select=id,name'", "ritualctl api -f title=Run -f 'tags[]=sport' /rest/v1/items",
    "ritualctl api -X GET -f select=id,title --jq '.[].title' /rest/v1/items",
    "ritualctl api -X PATCH '/rest/v1/items?id=eq.1' -d '{\"name\": \"tea\"}'",
    "ritualctl api /rest/v1/items -F items.json -H 'Prefer: return=minimal'")
  static let documents = [JSONDocument(APIAnswer.Value.self)]

  @Option(name: [.customShort("X"), .long], help: "HTTP method; by default GET, or POST with a body.")
  var method: String?
  @Option(
    name: [.customShort("H"), .customLong("header")],
    help: ArgumentHelp("Request header; may be repeated.", valueName: "name: value"))
  var headers: [String] = []
  @Option(
    name: [.customShort("d"), .long],
    help: "Request body; JSON unless a Content-Type header is given. @FILE reads a file, and @- standard input.")
  var data: String?
  @Option(
    name: [.customShort("f"), .customLong("raw-field")],
    help: ArgumentHelp(
      "String field for the JSON body, or for the query with -X GET; may be repeated. "
        + "Keys can have the form a[b] or a[].",
      valueName: "key=value"))
  var fields: [String] = []
  @Option(
    name: [.customShort("F"), .long],
    help: ArgumentHelp("File with the request body; - is standard input.", valueName: "file"), completion: .file())
  var file: String?
  @Flag(name: [.customShort("i"), .long], help: "Print the status and the headers before the body.")
  var include = false
  @Option(
    name: .customLong("jq"),
    help: ArgumentHelp("Filter the response with jq (must be installed).", valueName: "expression"))
  var expression: String?
  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions
  @Argument(
    help: ArgumentHelp("Path, or complete URL on the origin of the API or of the project.", valueName: "path-or-url"))
  var path: String

  /// Longer than the agent waits for an API, so that the agent reports the error.
  private static let requestTimeout = Duration.seconds(180)

  func validate() throws {
    guard [data != nil, file != nil, !fields.isEmpty].count(where: { $0 }) <= 1 else {
      throw ValidationError("use only one of -d, -F, and -f")
    }
    if common.json && expression != nil { throw ValidationError("--json and --jq cannot be combined") }
    for header in headers where APIHeader(header) == nil {
      throw ValidationError("write a header as 'Name: value'")
    }
  }

  func perform(_ output: Output) throws -> ExitStatus {
    let request = try params()
    if expression != nil { try JQ.requireInstalled() }
    let answer = try common.connect().call(APIRequestMethod.self, request, timeout: Self.requestTimeout)
    guard let body = Data(base64Encoded: answer.body) else {
      throw Failure(.failed, "the agent sent an invalid response: the body is not base64")
    }
    let response = APIAnswer(answer, Array(body))
    if output.json { try output.answer(response) } else { try write(response) }
    guard answer.status >= 400 else { return .done }
    output.remark("HTTP \(answer.status)")
    return .failed
  }

  private func params() throws -> APIRequestMethod.Params {
    let fields = try RequestFields(fields)
    // A GET has no body (RFC 9110, section 9.3.1).
    let isQuery = !fields.isEmpty && method == "GET"
    let body = fields.isEmpty ? try body() : isQuery ? nil : try bounded(fields.json)
    var pairs = headers.compactMap { APIHeader($0)?.pair }
    if body != nil, !pairs.contains(where: { $0[0].lowercased() == "content-type" }) {
      pairs.append(["Content-Type", "application/json"])
    }
    return APIRequestMethod.Params(
      account: account.account, method: method ?? (body == nil ? "GET" : "POST"),
      path: isQuery ? fields.added(toQueryOf: path) : path, headers: pairs.isEmpty ? nil : pairs,
      body: body.map { Data($0).base64EncodedString() })
  }

  private func body() throws -> [UInt8]? {
    if let data, !data.hasPrefix("@") { return try bounded(Array(data.utf8)) }
    guard let file = file ?? data.map({ String($0.dropFirst()) }) else { return nil }
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

  /// Writes the body unchanged, except on a terminal, where JSON is indented and control characters
  /// are escaped.
  private func write(_ answer: APIAnswer) throws {
    if include { try Streams.write(answer.head, to: STDOUT_FILENO) }
    let isTerminal = isatty(STDOUT_FILENO) == 1
    if let expression, answer.status < 400 { return try filter(answer.body, expression, isTerminal) }
    guard isTerminal else { return try Streams.write(answer.body, to: STDOUT_FILENO) }
    let indented = answer.isJSON ? IndentedJSON.text(of: answer.body).map { $0 + "\n" } : nil
    try Streams.write(indented ?? Self.shown(answer.body[...]), to: STDOUT_FILENO)
  }

  /// Writes what jq makes of the body; on a terminal line by line, with control characters escaped.
  private func filter(_ body: [UInt8], _ expression: String, _ isTerminal: Bool) throws {
    var line: [UInt8] = []
    try JQ.filter(body, expression, isIndented: isTerminal) { part in
      guard isTerminal else { return try Streams.write(part, to: STDOUT_FILENO) }
      line += part
      guard let end = line.lastIndex(of: UInt8(ascii: "\n")) else { return }
      try Streams.write(Self.shown(line[...end]), to: STDOUT_FILENO)
      line.removeFirst(end + 1)
    }
    try Streams.write(Self.shown(line[...]), to: STDOUT_FILENO)
  }

  private static func shown(_ text: ArraySlice<UInt8>) -> String {
    ForeignText.shownLines(String(decoding: text, as: UTF8.self))
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

struct APIAnswer: Answer {
  /// The document of `--json`.
  struct Value: Codable {
    /// The HTTP status.
    let status: Int
    /// The response headers, as pairs of name and value.
    let headers: [[String]]
    /// The body in base64 (RFC 4648, section 4).
    let body: String
    /// The body again if it is text: UTF-8 of a content type `text/*` or JSON.
    let text: String?
  }

  let value: Value
  let body: [UInt8]
  /// True for `application/json` and types such as `application/problem+json` (RFC 6839).
  let isJSON: Bool

  init(_ answer: APIRequestMethod.Result, _ body: [UInt8]) {
    let header = answer.headers.first { $0.first?.lowercased() == "content-type" }?.last ?? ""
    let type = header.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    isJSON = type == "application/json" || type.hasSuffix("+json")
    self.body = body
    value = Value(
      status: answer.status, headers: answer.headers, body: answer.body,
      text: isJSON || type.hasPrefix("text/") ? String(validating: body, as: UTF8.self) : nil)
  }

  var status: Int { value.status }

  func text(_ style: Style) -> String { head }

  /// The status and the headers, one per line, followed by an empty line.
  var head: String {
    let lines = value.headers.map { $0.map { ForeignText.shown($0, limit: .max) }.joined(separator: ": ") }
    return (["HTTP \(value.status)"] + lines + ["", ""]).joined(separator: "\n")
  }
}
