import AgentConfiguration
import AgentProtocol
import SupabaseAuth
import SystemSupport

@testable import SessionEngine
@testable import SignInFlows

/// Flows, events and answers without a service, and words for what they do.
enum FlowModel {
  static let start = BootTime(nanoseconds: 1_000_000_000)
  static let email = "anna@example.org"

  static func ticket(isBusy: Bool = true) throws -> SignInTicket {
    let configuration = try Configuration.parse(
      "[projects.prod]\nurl = \"https://project.example\"\nanon_key = \"anon\"\n", file: "test.toml")
    let project = try Projects(configuration, makeServer: { _ in StubAuthServer() }).choose(nil)
    return SignInTicket(
      id: isBusy ? Revision() : nil, account: "work", project: project, provider: .google, replace: false,
      isNewAccount: true)
  }

  static func code(_ now: BootTime) -> PendingCode { PendingCode(.email(email), resendAt: now) }

  /// Returns a flow that waits, with a code in a page flow, so that every event has a meaning.
  static func flow(_ kind: Flow.Kind, now: BootTime = start) throws -> Flow {
    let isIdle = if case .code = kind { true } else if case .factor = kind { true } else { false }
    let isProvider = if case .provider = kind { true } else { false }
    var flow = Flow(
      kind, try ticket(isBusy: !isIdle), code: isProvider ? nil : code(now), waitTimeout: .seconds(60), now: now)
    _ = flow.handle(.opened(port: 4000), now: now)
    if flow.isOpening { _ = flow.handle(.answered(.sent), now: now) }
    return flow
  }

  static let factor = AccountFactor(id: "app", type: "totp", name: nil, status: "verified")

  static func account(needsFactor: Bool = false) -> AccountStatus {
    let need = SecondFactorNeed(needed: needsFactor, factors: needsFactor ? [factor] : [])
    return AccountStatus(name: "work", isDefault: true, project: "prod", state: .authenticated, mfa: need)
  }

  static func callback(_ answer: CallbackAnswer, _ source: CallbackSource = .submitted) -> FlowEvent {
    .callback(answer, source, confirmsLinks: true, canAsk: true)
  }

  static let link = Adoption.Question.link(Identity(identityID: "i", provider: .google))

  static func adopted(_ result: Result<Adoption, AgentError>, _ session: Session = .fixture("1")) -> FlowEvent {
    .adopted(session, result, next: "next")
  }
}

extension Flow {
  /// The phase in a word.
  var phaseName: String {
    switch phase {
    case .opening: "opening"
    case .waiting: "waiting"
    case .requesting: "requesting"
    case .exchanging: "exchanging"
    case .adopting: "adopting"
    case .deciding: "deciding"
    case .undoing: "undoing"
    case .leaving: "leaving"
    case .over(.success): "over"
    case .over(.failure(let error)): "over:\(error.kind.rawValue)"
    }
  }
}

extension FlowEffect {
  /// The effect in a word, with the result that a sender gets.
  var name: String {
    switch self {
    case .request: "request"
    case .cancelRequest: "cancelRequest"
    case .adopt: "adopt"
    case .discard: "discard"
    case .free: "free"
    case .tell(.success(let result)): result.outcome.rawValue
    case .tell(.failure(let error)): error.kind.rawValue
    case .join(let again): again ? "joinThenAgain" : "join"
    case .follow: "follow"
    case .show(let answer): answer.location.map { $0.hasPrefix("/") ? $0 : "elsewhere" } ?? "\(answer.status)"
    case .handOver: "handOver"
    case .postpone: "postpone"
    case .end: "end"
    case .report: "report"
    case .noteRefusal: "note"
    }
  }
}
