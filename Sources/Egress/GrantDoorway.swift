import NIOHTTP1

/// Identifies the requests of a grant's connection by the placeholder tokens that they carry.
struct GrantDoorway: Sendable {
  let grants: Grants
  let endpoint: GrantEndpoint
  /// The port of the loopback listener; nil for a socket.
  let port: Int?

  /// Returns the request and the program that it is made for. Does not block.
  func identify(_ head: HTTPHead) throws(EgressProblem) -> (EgressRequest, EgressAccess.Caller) {
    let credentials: GrantCredentials
    do throws(GrantRefusal) { credentials = try GrantCredentials(of: head, port: port, isHost: grants.isHost) } catch {
      // Clients look for an authorization server without a token.
      if error == .unauthorized {
        try EgressRequest.refuseDiscovery(String(head.target.prefix { $0 != "?" }))
        try EgressRequest.refuseSignature(head)
      }
      throw EgressProblem(error)
    }
    guard let grant = grants.lookUp(token: credentials.token), grant.endpoint == endpoint,
      !credentials.otherKeys.contains(where: { grants.lookUp(token: $0) != nil })
    else { throw EgressProblem(.unauthorized) }
    guard credentials.host == nil || credentials.host == grant.host else { throw EgressProblem(.misdirected) }
    let request = try EgressRequest(head, account: grant.account, uri: credentials.uri)
    grant.noteRequest()
    return (request, grant.caller)
  }
}

extension EgressProblem {
  init(_ refusal: GrantRefusal) {
    switch refusal {
    case .misdirected:
      self.init(
        .misdirectedRequest, "misdirected", "The Host header is not the address of this grant.",
        hint: "use the URL exactly as the grant names it", proxyError: "destination_not_found", closes: true)
    case .forbidden:
      self.init(
        .forbidden, "denied", "Web pages cannot use a grant.",
        hint: "let a program send the request, such as the server of the page", proxyError: "http_request_denied",
        closes: true)
    case .unauthorized:
      self.init(
        .unauthorized, "standInInvalid", "The placeholder token is missing or wrong, or its grant has ended.",
        hint: "send it as bearer token (exec: $RITUAL_ACCESS_TOKEN); for a new one: ritualctl grant",
        proxyError: "http_request_denied")
    }
  }
}
