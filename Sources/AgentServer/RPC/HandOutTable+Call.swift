import AccessControl
package import AgentProtocol
package import SessionEngine

extension HandOutTable {
  /// Notes the answer to a request of the general path.
  package func note(_ result: SessionToken.Result, _ way: HandOutWay, _ call: Call) {
    note(
      Key(
        connection: Connection(id: call.connection.id, pid: call.peer.pid), account: result.account, way: way,
        token: TokenFingerprint.short(result.accessToken)), at: result.handedOutAt)
  }
}
