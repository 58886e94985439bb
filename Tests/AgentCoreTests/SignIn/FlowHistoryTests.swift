import AgentProtocol
import SupabaseAuth
import SystemSupport
import Testing

@testable import SessionEngine
@testable import SignInFlows

@Suite struct FlowHistoryTests {
  @Test("a flow ends once, uses its state up by a success only, and stores or discards each session", arguments: 0..<8)
  func keepsTheInvariants(seed: UInt64) throws {
    var endings: Set<String> = []
    for round in 0..<500 {
      var history = try FlowHistory(SeededRandom(seed &* 1000 &+ UInt64(round)))
      for _ in 0..<60 { try history.step() }
      try history.finish()
      endings.insert(history.flow.phaseName)
    }
    #expect(endings.count > 5, "the histories differ: \(endings)")
  }
}

/// One flow with what its service would know: the request in flight, and the sessions that exist.
private struct FlowHistory {
  private(set) var flow: Flow
  private var random: SeededRandom
  private var now = FlowModel.start
  private let verifier: String?
  /// The requests and adoptions without an answer; several only after the flow's end.
  private var pending: [Pending] = []
  /// The sessions that are neither stored nor discarded.
  private var open: Set<String> = []
  private var sessions = 0
  private var ends = 0
  private var words: [String] = []

  private enum Pending {
    case answer(ServerRequest, SignInTicket)
    case adoption(Session)
  }

  init(_ random: SeededRandom) throws {
    self.random = random
    let kinds: [Flow.Kind] = [
      .page(path: "/sign-in/x"), .projectPage("https://a.example"), .provider, .sso(domain: "a.example"), .link,
      .code(createUser: false), .factor(path: "/sign-in/x", linked: nil),
    ]
    let kind = kinds[self.random.below(kinds.count)]
    let isIdle = if case .code = kind { true } else if case .factor = kind { true } else { false }
    let hasCode = self.random.happens(50)
    flow = Flow(
      kind, try FlowModel.ticket(isBusy: !isIdle), code: isIdle || hasCode ? FlowModel.code(FlowModel.start) : nil,
      waitTimeout: .seconds(60), now: FlowModel.start)
    verifier = flow.dialog?.pkce.verifier
    try play(.opened(port: 4000))
  }

  mutating func step() throws {
    now = now.advanced(by: .seconds(random.below(random.happens(3) ? 400 : 3)))
    if !pending.isEmpty, random.happens(50) { return try answer() }
    try play(try outside())
  }

  /// Ends the flow, and lets every answer arrive.
  mutating func finish() throws {
    try play(.shutdown)
    while !pending.isEmpty { try answer() }
    #expect(flow.isOver && ends == 1 && open.isEmpty, "\(ends) ends, \(open): \(words)")
    #expect(flow.dialog == nil && flow.code == nil)
  }

  private mutating func outside() throws -> FlowEvent {
    let events: [FlowEvent] = [
      FlowModel.callback(.code("c")), FlowModel.callback(.code("c"), .browser(flow: flow.id)),
      FlowModel.callback(.code("c")), FlowModel.callback(.invalid(.noAnswer)),
      FlowModel.callback(.failed("otp_expired")), .misdirected(AgentError(.callbackInvalid)),
      .code(.code("123456"), replace: nil), .code(.code("123456"), replace: true),
      .launched, .returned, .shown(.home), .form(.email, ["a@b.c", "secret"]), .form(.newUser, ["a@b.c", "secret"]),
      .form(.emailCode, ["a@b.c"]), .form(.enterCode, ["123456"]), .form(.ownCode, ["a@b.c"]), .form(.resend, []),
      .form(.singleSignOn, ["example.org"]), .form(.anonymous, []), .form(.later, []), .form(.chooseFactor, ["app"]),
      .factor(.verifyFactor, FlowModel.factor, code: "123456"), .factor(.chooseFactor, nil, code: ""),
      .chose(.google), .left, .decided(accept: true), .decided(accept: false), .deadline, .allowedToReplace,
    ]
    let rare: [FlowEvent] = [
      .form(.cancel, []), .ended(.failure(AgentError(.cancelled))), .lock, .shutdown,
      FlowModel.callback(.cancelled), FlowModel.callback(.failed("user_banned")),
    ]
    return random.happens(4) ? random.one(of: rare) : random.one(of: events)
  }

  private mutating func answer() throws {
    switch pending.removeFirst() {
    case .adoption(let session):
      let results: [Result<Adoption, AgentError>] = [
        .success(.signedIn(FlowModel.account())), .success(.signedIn(FlowModel.account(needsFactor: true))),
        .success(.question(FlowModel.link)), .success(.question(.newAccount)), .failure(AgentError(.wrongUser)),
      ]
      let result = random.one(of: results)
      // The accounts store a session, or discard the one that they refuse.
      if case .success(.question) = result {} else { open.remove(session.accessToken.exposed) }
      try play(FlowModel.adopted(result, session))
    case .answer(let request, let ticket):
      if ticket.isIdle, random.happens(80) { try claim(ticket) }
      try play(.answered(answer(to: request, ticket)))
    }
  }

  private mutating func claim(_ idle: SignInTicket) throws {
    var ticket = idle
    ticket.id = Revision()
    try play(.claimed(ticket))
  }

  private mutating func answer(to request: ServerRequest, _ ticket: SignInTicket) -> ServerAnswer {
    let error = AgentError(.serviceUnavailable)
    let refusal = random.one(of: [ServerAnswer.Refusal.wrong, .wrong, .transient, .tooLate, .final])
    switch request {
    case .undo(let session, _):
      open.remove(session.accessToken.exposed)
      return .refused(AgentError(.cancelled))
    case _ where random.happens(50): return .refused(error, refusal)
    case .ssoURL, .linkURL: return .url("https://idp.example.org")
    case .sendCode, .sendFactorCode: return .sent
    case .verifyFactor: return .finished(.success(SignInResult(.signedIn, account: FlowModel.account())))
    case .password(_, signUp: true) where random.happens(50): return .confirmationSent
    case .exchange, .verify, .password, .anonymous:
      sessions += 1
      let session = Session.fixture("\(sessions)")
      open.insert(session.accessToken.exposed)
      return .session(session, ticket)
    }
  }

  private mutating func play(_ event: FlowEvent) throws {
    let before = flow
    let effects = flow.handle(event, now: now)
    words.append("\(flow.phaseName) \(effects.map(\.name))")
    for effect in effects { follow(effect, before) }
    let running = pending.count
    #expect(flow.isOver || running <= 1, "more than one request in flight: \(words)")
    if before.isOver { #expect(flow.phaseName == before.phaseName, "\(words)") }
    if let dialog = flow.dialog { #expect(dialog.pkce.verifier == verifier, "the state is used up: \(words)") }
    #expect(effects.contains(where: \.isReply) || !event.expectsReply, "a sender without an answer: \(words)")
    if case .answered(.refused(_, .wrong)) = event, case .exchanging = before.phase {
      #expect(flow.phaseName == "waiting" || flow.failures >= SignInLimits.maxCallbackFailures, "\(words)")
    }
  }

  private mutating func follow(_ effect: FlowEffect, _ before: Flow) {
    #expect(!before.isOver || effect.mayFollowTheEnd, "\(effect.name) after the end: \(words)")
    switch effect {
    case .request(let request, let ticket): pending.append(.answer(request, ticket))
    case .adopt(let session, _): pending.append(.adoption(session))
    case .discard(let session, _, _):
      #expect(open.remove(session.accessToken.exposed) != nil, "discarded twice: \(words)")
    case .end: ends += 1
    default: break
    }
  }
}

extension FlowEffect {
  fileprivate var mayFollowTheEnd: Bool {
    switch self {
    case .discard, .free, .tell, .show: true
    default: false
    }
  }

  /// True if the sender of the event gets an answer by this.
  fileprivate var isReply: Bool {
    switch self {
    case .tell, .join, .follow, .request, .adopt, .end: true
    default: false
    }
  }
}

extension FlowEvent {
  /// True for an event whose sender waits.
  fileprivate var expectsReply: Bool {
    switch self {
    case .callback, .misdirected, .code, .decided: true
    default: false
    }
  }
}
