import AgentClient
import AgentProtocol
import ArgumentParser
import FoundationEssentials
import Glibc
import SystemSupport
import WebURLs

/// `api`: sends a request through the agent's HTTP proxy, which adds the token.
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
  static let documents = [JSONDocument(APIAnswer.self)]

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
    help: ArgumentHelp("Path, or complete URL of a Supabase service of the project.", valueName: "path-or-url"))
  var path: String

  /// The maximum size of a response that is held in memory, for --json, --jq and a terminal.
  private static let maxHeld = 8 << 20

  func validate() throws {
    guard [data != nil, file != nil, !fields.isEmpty].count(where: { $0 }) <= 1 else {
      throw ValidationError("use only one of -d, -F, and -f")
    }
    if common.json && expression != nil { throw ValidationError("--json and --jq cannot be combined") }
    for header in headers {
      guard let header = APIHeader(header) else { throw ValidationError("write a header as 'Name: value'") }
      guard !ReservedHeader.contains(header.name) else {
        throw ValidationError(
          "the header \(header.name) cannot be set: it is reserved for authentication or message framing")
      }
    }
    // A space or a line break would end the request line. The agent checks the rest.
    guard method.map({ HTTPSyntax.isToken($0.utf8) }) ?? true else {
      throw ValidationError("the method must be a word, such as PUT")
    }
    guard path.isVisibleASCII else {
      throw ValidationError("the path has characters that must be percent-encoded")
    }
  }

  func perform(_ output: Output) throws -> ExitStatus {
    let client = EgressClient(agent: try common.agentSocket)
    let request = try request()
    if expression != nil { try JQ.requireInstalled() }
    var held: [UInt8] = []
    let printer = APIPrinter(includesHead: include, isTerminal: isatty(STDOUT_FILENO) == 1)
    let head = try client.send(request) { head, piece in
      guard output.json || isFiltered(head) || printer.isIndented(head) else { return try printer.write(piece, head) }
      held += piece
      guard held.count <= Self.maxHeld else {
        throw AgentError(
          .tooLarge, "The answer is larger than \(Self.maxHeld >> 20) MiB.",
          hint: "write it to a file, without --json and --jq")
      }
    }
    if output.json {
      try output.answer(APIAnswer(head, held), "")
    } else {
      try printer.finish(head) { try isFiltered(head) ? filter(held, printer) : printer.writeIndented(held) }
    }
    guard head.status >= 400 else { return .done }
    output.remark("HTTP \(head.status)")
    return .failed
  }

  private func isFiltered(_ head: HTTPReader.Head) -> Bool { expression != nil && head.status < 400 }

  private func request() throws -> EgressClient.Request {
    let fields = try RequestFields(fields)
    // A GET has no body (RFC 9110, section 9.3.1).
    let isQuery = !fields.isEmpty && method == "GET"
    let body = fields.isEmpty ? try body() : isQuery ? nil : RequestBody(try fields.json)
    var pairs = headers.compactMap { APIHeader($0) }.map { (name: $0.name, value: $0.value) }
    if body != nil, !pairs.contains(where: { $0.name.lowercased() == "content-type" }) {
      pairs.append(("Content-Type", "application/json"))
    }
    let target = try target()
    return EgressClient.Request(
      method: method ?? (body == nil ? "GET" : "POST"), target: isQuery ? fields.added(toQueryOf: target) : target,
      account: try account.account ?? common.accountHere(), headers: pairs, body: body)
  }

  /// The path and query. The proxy takes a path, and sends those of Supabase to the project; so a URL must
  /// be one of these.
  private func target() throws -> String {
    if path.hasPrefix("/") { return path }
    guard let url = try? WebURL(path) else { throw Failure(.usage, "use a path that starts with /, or a URL") }
    let status = try common.connect().call(SessionStatus.self, account.params)
    if let base = status.projectURL.flatMap({ try? WebURL($0) }), base.origin == url.origin {
      let rest = path.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" && $0 != "?" }
      let target = String(rest.dropFirst(base.path.count))
      if rest.hasPrefix(base.path), ProjectPath.contains(target) { return target }
    }
    throw Failure(
      .usage, "a URL must be that of a Supabase service of the account's project",
      hint: "for other requests, use the path alone, such as: ritualctl api /api/v1/profile")
  }

  private func body() throws -> RequestBody? {
    if let data, !data.hasPrefix("@") { return RequestBody(Array(data.utf8)) }
    guard let file = file ?? data.map({ String($0.dropFirst()) }) else { return nil }
    guard file != "-" else { return try RequestBody(from: STDIN_FILENO) }
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(.failed, "\(file) cannot be read: \(errorDescription(errno))")
    }
    return try RequestBody(from: descriptor)
  }

  /// Writes what jq makes of the body; on a terminal line by line, with control characters escaped.
  private func filter(_ body: [UInt8], _ printer: APIPrinter) throws {
    try JQ.filter(body, expression ?? ".", isIndented: printer.isTerminal) { try printer.writeText($0) }
  }
}

/// Prints a response: unchanged, except on a terminal, where JSON is indented and control characters are
/// escaped.
private final class APIPrinter {
  private let includesHead: Bool
  let isTerminal: Bool
  private var isBegun = false
  /// The unfinished line, on a terminal.
  private var line: [UInt8] = []

  init(includesHead: Bool, isTerminal: Bool) { (self.includesHead, self.isTerminal) = (includesHead, isTerminal) }

  /// True for a body that has to be complete before it is printed.
  func isIndented(_ head: HTTPReader.Head) -> Bool { isTerminal && head.isJSON }

  func write(_ piece: [UInt8], _ head: HTTPReader.Head) throws {
    try begin(head)
    try writeText(piece)
  }

  /// Prints what is left: the head of a response without a body, and by `body` what was held.
  func finish(_ head: HTTPReader.Head, _ body: () throws -> Void) throws {
    try begin(head)
    try body()
    try Streams.write(Self.shown(line[...]).text, to: STDOUT_FILENO)
    line = []
  }

  func writeIndented(_ body: [UInt8]) throws {
    guard !body.isEmpty else { return }
    guard let text = IndentedJSON.text(of: body) else { return try writeText(body) }
    try Streams.write(text + "\n", to: STDOUT_FILENO)
  }

  func writeText(_ text: [UInt8]) throws {
    guard isTerminal else { return try Streams.write(text, to: STDOUT_FILENO) }
    line += text
    guard let end = line.lastIndex(of: UInt8(ascii: "\n")) else { return }
    try Streams.write(Self.shown(line[...end]).text, to: STDOUT_FILENO)
    line.removeFirst(end + 1)
  }

  private func begin(_ head: HTTPReader.Head) throws {
    if includesHead, !isBegun { try Streams.write(head.shown.text, to: STDOUT_FILENO) }
    isBegun = true
  }

  private static func shown(_ text: ArraySlice<UInt8>) -> Words {
    Words(lines: String(decoding: text, as: UTF8.self))
  }
}

/// A request header as written on the command line.
private struct APIHeader {
  let name: String
  let value: String

  init?(_ text: String) {
    let name = text.prefix { $0 != ":" }
    guard name.endIndex != text.endIndex, HTTPSyntax.isToken(name.utf8), HTTPSyntax.isValue(text) else { return nil }
    self.name = String(name)
    value = String(text[name.endIndex...].dropFirst().drop { $0 == " " })
  }
}

extension HTTPReader.Head {
  /// The headers that describe the response, and not the connection to the agent (RFC 9110, section 7.6.1).
  var shownHeaders: [(name: String, value: String)] {
    headers.filter { !["connection", "keep-alive", "transfer-encoding"].contains($0.name.lowercased()) }
  }

  private var type: String {
    (values("content-type").first ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
  }

  /// True for `application/json` and types such as `application/problem+json` (RFC 6839).
  var isJSON: Bool { type == "application/json" || type.hasSuffix("+json") }

  var isText: Bool { isJSON || type.hasPrefix("text/") }

  /// The status and the headers, one per line, followed by an empty line.
  var shown: Words {
    let lines = shownHeaders.map { "\($0.name, limit: .max): \($0.value, limit: .max)" as Words }
    return (["HTTP \(status)"] + lines + ["", ""]).joined(separator: "\n")
  }
}

/// The document of `--json`.
struct APIAnswer: Codable {
  /// The HTTP status.
  let status: Int
  /// The response headers, as pairs of name and value.
  let headers: [[String]]
  /// The body in base64 (RFC 4648, section 4).
  let body: String
  /// The body again if it is text: UTF-8 of a content type `text/*` or JSON.
  let text: String?

  init(_ head: HTTPReader.Head, _ body: [UInt8]) {
    status = head.status
    headers = head.shownHeaders.map { [$0.name, $0.value] }
    self.body = Data(body).base64EncodedString()
    text = head.isText ? String(validating: body, as: UTF8.self) : nil
  }
}
