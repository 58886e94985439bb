import Glibc
import SystemSupport

/// The address as a QR code on the terminal, by qrencode(1): for a phone that is at hand where no browser is.
enum QRCode {
  /// - Throws: where there is no qrencode, with what to install.
  static func show(_ address: String, on descriptor: Int32) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw failure }
    // The child's copy of the writing end would keep its input open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // The address on standard input: arguments can be read by everybody.
    let child = ChildProcess(
      ["qrencode", "--type=UTF8", "--output=-"], input: .descriptor(ends[0]), output: .descriptor(descriptor),
      error: .inherited)
    let pid = try? child.start()
    close(ends[0])
    if pid != nil { try? Streams.write(address, to: ends[1]) }
    close(ends[1])
    guard let pid, ChildProcess.exitStatus(of: pid) == 0 else { throw failure }
  }

  private static var failure: Failure {
    Failure(.failed, "no QR code can be drawn: qrencode is missing", hint: "sudo apt install qrencode")
  }
}
