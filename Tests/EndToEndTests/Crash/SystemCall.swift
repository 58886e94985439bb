/// The beginning of a system call, as strace(1) wrote it.
struct SystemCall: Sendable, Equatable {
  let thread: Int32
  let text: String

  /// The calls at which every run must kill the agent: all steps from the request to the response,
  /// in order.
  static let milestones = [
    "write of the request", "write of its body", "read of the response", "openat of the new file",
    "write of the new file", "fsync of the new file", "renameat", "fsync of the folder", "write of the answer",
  ]

  /// The call's name, such as `openat`.
  var name: String { String(text.prefix { $0 != "(" }) }

  /// The call's name and, for the important calls, its purpose.
  var label: String {
    let name = name
    switch name {
    case "write" where text.contains("POST /auth/v1/token"): return "write of the request"
    case "write" where text.contains("/verify HTTP/1.1"): return "write of the verification"
    case "write" where text.contains(#"{\"refresh_token\""#): return "write of its body"
    case "write" where text.contains(#"\"accessToken\""#): return "write of the answer"
    // The data that it reads is not known yet at the time of the kill.
    case "read" where text.contains("<TCP:["): return "read of the response"
    case "openat", "write", "fsync", "close":
      if text.contains("/.staged-") || text.contains("\".staged-") { return name + " of the new file" }
      return name == "fsync" && text.contains("/vault>") ? "fsync of the folder" : name
    default: return name
    }
  }
}

/// The system calls of several threads, in the order in which they began.
struct SystemCallTrace: Sendable {
  /// The line with which strace reports a kill.
  static let killed = "+++ killed by SIGKILL +++"

  let calls: [SystemCall]
  /// True if an injected SIGKILL ended the program.
  let isKilled: Bool

  /// Reads strace's file. `threads` are the traced threads; strace omits the number of a single
  /// one.
  init(_ text: String, threads: [Int32]) {
    isKilled = text.contains(Self.killed)
    calls = text.split(separator: "\n").compactMap { line in
      var (thread, rest) = (threads.first ?? 0, line)
      if threads.count > 1, let number = Int32(line.prefix { $0.isNumber }) {
        (thread, rest) = (number, line.drop { $0.isNumber }.drop { $0 == " " })
      }
      // The second half of a call that was interleaved with another thread's line, and lines about
      // signals and exits.
      if rest.hasPrefix("<...") || rest.hasPrefix("+++") || rest.hasPrefix("---") { return nil }
      return SystemCall(thread: thread, text: String(rest))
    }
  }

  /// The calls up to the one that writes the response to the caller.
  var untilAnswer: [SystemCall] {
    let end = calls.firstIndex { $0.label == "write of the answer" } ?? calls.endIndex - 1
    return Array(calls[...end])
  }

  /// The `number`th call of `name` in any thread that has made that many.
  func call(_ name: String, _ number: Int) -> SystemCall? {
    Dictionary(grouping: calls.filter { $0.name == name }, by: \.thread).values
      .first { $0.count >= number }?[number - 1]
  }

  /// The first milestone that is missing or too early; nil if the order is correct.
  func outOfOrder(_ milestones: [String] = SystemCall.milestones) -> String? {
    var next = calls.startIndex
    for milestone in milestones {
      guard let index = calls[next...].firstIndex(where: { $0.label == milestone }) else { return milestone }
      next = index + 1
      // The last fsync has ended once its thread makes another call.
      if milestone == "fsync of the folder" {
        guard let after = calls[next...].firstIndex(where: { $0.thread == calls[index].thread }) else {
          return milestone
        }
        next = after + 1
      }
    }
    return nil
  }
}
