import AgentProtocol
import SupabaseAuth
import SystemSupport
import Testing

@testable import SessionEngine
@testable import SignInFlows

/// Every event in every phase of a flow: its effects, then the phase if it changes. `-` is an event without a meaning.
@Suite struct FlowTableTests {
  private typealias Row = (name: String, event: FlowEvent)

  private static let start = FlowModel.start
  private static let late = start.advanced(by: .seconds(1000))
  /// After the deadline of every kind of flow.
  private static let afterAll = start.advanced(by: .seconds(100_000))

  /// Returns the flow after these events.
  private static func flow(_ kind: Flow.Kind, _ events: FlowEvent...) throws -> Flow {
    var flow = try FlowModel.flow(kind)
    for event in events { _ = flow.handle(event, now: start) }
    return flow
  }

  /// The phases of a flow with the agent's page that waits for a code, in a browser.
  private static func phases() throws -> [Flow] {
    let page = Flow.Kind.page(path: "/sign-in/x")
    let callback = FlowModel.callback(.code("c"))
    let signedIn = FlowEvent.answered(.session(.fixture("1"), try FlowModel.ticket()))
    let question = FlowModel.adopted(.success(.question(FlowModel.link)))
    return [
      Flow(page, try FlowModel.ticket(), code: FlowModel.code(start), waitTimeout: .seconds(60), now: start),
      try flow(page, .launched),
      try flow(page, .launched, .form(.emailCode, ["other@example.org", ""])),
      try flow(page, .launched, callback),
      try flow(page, .launched, callback, signedIn),
      try flow(page, .launched, callback, signedIn, question),
      try flow(page, .launched, callback, signedIn, question, .decided(accept: false)),
      try flow(page, .launched, callback, signedIn, .ended(.failure(AgentError(.cancelled)))),
      try flow(page, .launched, .ended(.failure(AgentError(.cancelled)))),
    ]
  }

  private static func rows() throws -> [Row] {
    let ticket = try FlowModel.ticket()
    return [
      ("opened", .opened(port: 4000)),
      ("callback", FlowModel.callback(.code("c"))),
      ("callback without an answer", FlowModel.callback(.invalid(.noAnswer))),
      ("cancelled at the provider", FlowModel.callback(.cancelled)),
      ("refused by the provider", FlowModel.callback(.failed("user_banned"))),
      ("another flow's callback", .misdirected(AgentError(.callbackInvalid))),
      ("code", .code(.code("123456"), replace: nil)),
      ("launch URL", .launched),
      ("form for a password", .form(.email, ["a@b.c", "secret"])),
      ("form for a code", .form(.emailCode, ["a@b.c", ""])),
      ("form with the code", .form(.enterCode, ["123456"])),
      ("form with a wrong code", .form(.enterCode, ["1"])),
      ("form for single sign-on", .form(.singleSignOn, ["example.org"])),
      ("form without an account", .form(.anonymous, [])),
      ("form to cancel", .form(.cancel, [])),
      ("form for a second factor", .factor(.verifyFactor, FlowModel.factor, code: "123456")),
      ("provider", .chose(.google)),
      ("leave for single sign-on", .left),
      ("yes", .decided(accept: true)),
      ("no", .decided(accept: false)),
      ("claimed", .claimed(ticket)),
      ("answer: URL", .answered(.url("https://idp.example.org"))),
      ("answer: sent", .answered(.sent)),
      ("answer: session", .answered(.session(.fixture("2"), ticket))),
      ("answer: finished", .answered(.finished(.success(SignInResult(.signedIn))))),
      ("answer: refused", .answered(.refused(AgentError(.callbackInvalid)))),
      ("answer: refused for good", .answered(.refused(AgentError(.denied), .final))),
      ("adopted", FlowModel.adopted(.success(.signedIn(FlowModel.account())))),
      ("adopted, with a factor", FlowModel.adopted(.success(.signedIn(FlowModel.account(needsFactor: true))))),
      ("question", FlowModel.adopted(.success(.question(FlowModel.link)))),
      ("not adopted", FlowModel.adopted(.failure(AgentError(.wrongUser)))),
      ("taken over", .ended(.failure(AgentError(.cancelled)))),
      ("lock", .lock),
      ("shutdown", .shutdown),
    ]
  }

  private static func cell(_ flow: Flow, _ event: FlowEvent, now: BootTime = start) -> String {
    var flow = flow
    let before = flow.phaseName
    let effects = flow.handle(event, now: now).map(\.name).joined(separator: " ")
    let phase = flow.phaseName == before ? "" : "→" + flow.phaseName
    let words = [effects, phase].filter { !$0.isEmpty }.joined(separator: " ")
    return words.isEmpty ? "-" : words
  }

  private static func table(_ flows: [Flow], _ rows: [Row], now: BootTime = start) -> [String] {
    rows.flatMap { row in
      [row.name] + flows.map { "  \($0.phaseName): " + cell($0, row.event, now: now) }
    }
  }

  /// The phases of a flow that asks for a second factor.
  private static func factorPhases() throws -> [Flow] {
    let kind = Flow.Kind.factor(path: "/sign-in/x", linked: nil)
    let verify = FlowEvent.factor(.verifyFactor, FlowModel.factor, code: "123456")
    let cancelled = FlowEvent.ended(.failure(AgentError(.cancelled)))
    return [
      try flow(kind), try flow(kind, verify), try flow(kind, verify, cancelled), try flow(kind, cancelled),
    ]
  }

  /// The phases of a flow of `signIn.sendCode`.
  private static func codePhases() throws -> [Flow] {
    let kind = Flow.Kind.code(createUser: false)
    let code = FlowEvent.code(.code("123456"), replace: nil)
    let claimed = FlowEvent.claimed(try FlowModel.ticket())
    return [try flow(kind), try flow(kind, code, claimed), try flow(kind, code, claimed, .lock)]
  }

  @Test("every event in every phase does what the table says, or is refused visibly")
  func playsEveryEvent() throws {
    let rows = try Self.rows()
    let deadline: [Row] = [(name: "deadline", event: .deadline)]
    let kinds: [(String, [Flow])] = [
      ("A flow with the agent's page", try Self.phases()), ("A flow with a code", try Self.codePhases()),
      ("A flow for a second factor", try Self.factorPhases()),
    ]
    var lines: [String] = []
    for (name, flows) in kinds {
      lines += ["# " + name] + Self.table(flows, rows) + Self.table(flows, deadline, now: Self.afterAll) + [""]
    }
    try GeneratedFile.expect("Tests/Golden/flow-table.txt", lines.joined(separator: "\n"))
  }

  @Test("an event that arrives after the deadline ends the flow and is refused")
  func refusesLateEvents() throws {
    for row in try Self.rows() where row.event.isOutside {
      var flow = try FlowModel.flow(.provider)
      let effects = flow.handle(row.event, now: Self.late).map(\.name)
      #expect(flow.phaseName == "over:flowTimedOut" && effects == ["end", "flowUnknown"], "\(row.name): \(effects)")
    }
  }
}
