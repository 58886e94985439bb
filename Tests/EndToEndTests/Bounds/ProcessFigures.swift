import Foundation

/// What a process takes from the machine: proc_pid_status(5), proc_pid_stat(5), proc_pid_fd(5).
struct ProcessFigures {
  let pid: Int32

  /// Resident memory in bytes.
  func memory() throws -> Int { try status("VmRSS:") * 1024 }

  /// Resident memory in bytes that belongs to no file: heap and stacks.
  func anonymousMemory() throws -> Int { try status("RssAnon:") * 1024 }

  /// How often its first thread has waited for something since its start.
  func waits() throws -> Int { try status("voluntary_ctxt_switches:") }

  private func status(_ name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
    return line.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) } ?? 0
  }

  /// Processor time in seconds since its start.
  func processorTime() throws -> Double {
    let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    // The name in brackets may hold anything: the fields are counted behind it.
    let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
    guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return 0 }
    // USER_HZ, 100 on every architecture that Swift runs on (proc_pid_stat(5), sysconf(3)).
    return (user + system) / 100
  }

  /// Open descriptors; nil where they may not be looked at: the agent is not dumpable, and this is not root.
  func descriptors() -> Int? { try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count }
}
