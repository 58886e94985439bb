import Foundation

/// Resources that a process uses: proc_pid_status(5), proc_pid_stat(5), proc_pid_fd(5).
struct ProcessFigures {
  let pid: Int32

  /// Resident memory in bytes.
  func memory() throws -> Int { try status("VmRSS:") * 1024 }

  /// Resident anonymous memory in bytes: heap and stacks.
  func anonymousMemory() throws -> Int { try status("RssAnon:") * 1024 }

  /// Number of times that the first thread has waited since its start.
  func waits() throws -> Int { try status("voluntary_ctxt_switches:") }

  private func status(_ name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
    return line.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) } ?? 0
  }

  /// Processor time in seconds since the start.
  func processorTime() throws -> Double {
    let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    // The name in parentheses may contain anything, so the fields after it are counted.
    let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
    guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return 0 }
    // USER_HZ, 100 on every architecture that Swift runs on (proc_pid_stat(5), sysconf(3)).
    return (user + system) / 100
  }

  /// Number of open descriptors; nil if they cannot be read, because the agent is not dumpable and
  /// this process is not root.
  func descriptors() -> Int? { try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count }
}
