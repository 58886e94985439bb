import Foundation
import Glibc
import TestKit
import Testing

/// Files that another program puts into the log's directory are reported, never listed, and
/// harmless.
@Suite(.home, .serialized, .timeLimit(.minutes(5))) struct AuditForeignFilesEndToEndTests {
  private func folder(_ home: TestHome) -> String { home.folder.path + "/state/ritual-agent/audit/" }

  private static func forged(_ sequence: UInt64, account: String = "forged") -> String {
    let mac = String(repeating: "ab", count: 32)
    return
      #"{"sequence":\#(sequence),"account":"\#(account)","at":"2026-11-22T05:00:00Z","event":"signedIn","mac":"\#(mac)"}"#
      + "\n"
  }

  private func write(_ text: String, _ name: String, _ home: TestHome) throws {
    try Data(text.utf8).write(to: URL(filePath: folder(home) + name))
    #expect(chmod(folder(home) + name, 0o600) == 0)
  }

  private static let names = [
    "audit-000999.log", "audit-000000.log", "audit-9223372036854775807.log", "audit-9223372036854775806.log",
    "audit-18446744073709551616.log", "audit-999999999.log", "audit-1.log", "audit-+00002.log", "audit--00001.log",
    "audit-0000002.log", "audit-000002.log.1", "audit-000002.log\u{301}", "audit-.log", "kept", ".hidden",
  ]

  @Test("a forged file is not listed; audit, --verify, status and doctor report every unknown name")
  func reportsForeignFiles() async throws {
    try await home.signIn()
    for (index, name) in Self.names.enumerated() {
      let sequence: UInt64 = name.contains("922") ? .max : 1000 + UInt64(index)
      try write(Self.forged(sequence) + Self.forged(.max), name, home)
    }
    #expect(mkdir(folder(home) + "audit-000777.log", 0o700) == 0)
    #expect(symlink("/etc/passwd", folder(home) + "audit-000778.log") == 0)
    for round in 0..<2 {
      let list = try await home.ctl("audit")
      #expect(list.status == 0, "\(list.stderr)")
      #expect(!list.stdout.contains("forged"), "\(list.stdout)")
      #expect(list.stdout.contains("signed in, "))
      #expect(list.stderr.contains("audit-000999.log"), "\(list.stderr)")
      let verify = try await home.ctl("audit", "--verify")
      #expect(verify.status == 1)
      for name in Self.names + ["audit-000777.log", "audit-000778.log"] where !name.contains("\u{301}") {
        #expect(verify.stdout.contains("\(name): "), "\(name) in \(verify.stdout)")
      }
      let status = try await home.ctl("status", "--json").stdout
      #expect(status.contains("audit-000999.log") || status.contains("unknown files"), "\(status)")
      let doctor = try await home.ctl("doctor")
      #expect(doctor.stdout.contains("unknown files"), "\(doctor.stdout)")
      guard round == 0 else { break }
      // Every later start reports the files as well.
      #expect(try await home.endAgent() == 0)
      try await home.startAgent()
      #expect(try await home.ctl("token").status == 0)
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder(home)) where name != "audit-000001.log" {
      try FileManager.default.removeItem(atPath: folder(home) + name)
    }
    #expect(try await home.ctl("audit", "--verify").status == 0)
    #expect(try await home.ctl("audit").stderr == "")
  }

  @Test("a line that another program appends or inserts is not listed")
  func leavesOutForgedLines() async throws {
    try await home.signIn()
    #expect(try await home.ctl("audit").status == 0)
    let file = folder(home) + "audit-000001.log"
    let good = try String(contentsOfFile: file, encoding: .utf8)
    let lines = good.split(separator: "\n").map(String.init)
    for sequence in [UInt64(lines.count), UInt64(lines.count) + 1, 2, .max, .max - 1] {
      try Data((good + Self.forged(sequence)).utf8).write(to: URL(filePath: file))
      let list = try await home.ctl("audit")
      #expect(list.status == 0 && !list.stdout.contains("forged"), "\(sequence): \(list.stdout)")
      #expect(list.stderr.contains("--verify"), "\(list.stderr)")
      #expect(try await home.ctl("audit", "--verify").status == 1, "\(sequence)")
    }
    // The agent starts with such a file and continues the chain in a new one, whatever the
    // largest number is.
    for name in ["audit-9223372036854775807.log", "audit-999999999.log"] { try write(Self.forged(7), name, home) }
    #expect(try await home.endAgent() == 0)
    try await home.startAgent()
    let list = try await home.ctl("audit")
    #expect(!list.stdout.contains("forged") && list.stdout.contains("agent started, "))
    #expect(access(folder(home) + "audit-000002.log", F_OK) == 0)
  }

  @Test("with a locked vault, the log before the lock is listed, forged files are not")
  func listsWhileLocked() async throws {
    try await home.signIn()
    #expect(try await home.ctl("lock").status == 0)
    try write(Self.forged(1000), "audit-000999.log", home)
    try write(Self.forged(1000), "audit-000002.log", home)
    let list = try await home.ctl("audit")
    #expect(list.status == 0 && !list.stdout.contains("forged"), "\(list.stdout)")
    #expect(list.stdout.contains("vault locked"))
    #expect(list.stderr.contains("audit-000999.log") && list.stderr.contains("audit-000002.log"), "\(list.stderr)")
  }
}
