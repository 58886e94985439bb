/// How a token left the agent, or was used for a tool.
package enum HandOutWay: String, Sendable, CaseIterable {
  case token, events, api
}
