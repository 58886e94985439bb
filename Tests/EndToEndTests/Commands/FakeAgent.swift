import Foundation
import TestKit

/// A server that replaces the agent and violates the protocol.
enum FakeAgent {
  /// Starts a server of one kind:
  /// - `garbage`: responds with text that is not JSON
  /// - `half`: sends part of a response, then closes the connection
  /// - `other`: sends a response of another shape
  /// - `silence`: sends nothing
  /// - `backlog`: accepts no connection, and its listen queue is full
  static func start(_ kind: String, _ home: TestHome) throws -> RunningProgram {
    let file = home.folder.path + "/fake-agent.py"
    try script.write(toFile: file, atomically: true, encoding: .utf8)
    return try RunningProgram(
      "/usr/bin/python3", ["-u", file, home.socket, kind], environment: home.environment, folder: home.folder)
  }

  private static let script = """
    import json, os, socket, sys, threading
    path, kind = sys.argv[1:]
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    if os.path.exists(path): os.unlink(path)
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen(0 if kind == 'backlog' else 128)
    def serve(connection):
        for line in connection.makefile():
            if kind == 'garbage': connection.sendall(b'what\\n')
            elif kind == 'half':
                connection.sendall(b'{"jsonrpc":"2.0",')
                connection.shutdown(socket.SHUT_RDWR)
                return
            elif kind == 'other':
                answer = {'jsonrpc': '2.0', 'id': json.loads(line)['id'], 'result': [1]}
                connection.sendall(json.dumps(answer).encode() + b'\\n')
    if kind == 'backlog':
        full = []
        for _ in range(3):
            client = socket.socket(socket.AF_UNIX)
            client.setblocking(False)
            try: client.connect(path)
            except BlockingIOError: break
            full.append(client)
    print('ready')
    if kind == 'backlog': threading.Event().wait()
    while True:
        connection, _ = server.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()

    """
}
