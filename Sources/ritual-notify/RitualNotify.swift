import AgentProtocol
import ArgumentParser
import Glibc

/// `ritual-notify`: tells the desktop what only a person can do: sign in, and answer programs that ask.
@main
struct RitualNotify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ritual-notify",
    abstract: "Shows a desktop notification when a sign-in or an approval is needed.",
    discussion: "Runs until the session bus ends. Without one it ends at once, with exit status 0.",
    version: AgentVersion.current)

  @Option(help: ArgumentHelp("The agent's socket.", valueName: "path"))
  var socket: String?

  func run() throws {
    // Before anything else: a home directory that is not known is an error, with or without a bus.
    let places = Places.ofThisProcess()
    let (usualSocket, reminders) = (try places.socket, try places.reminders)
    guard let bus = Bus() else {
      Journal.note("there is no session bus: nothing to do")
      return
    }
    do throws(NotifyError) {
      try Watch(bus, socket: socket, usualSocket: usualSocket, reminders: reminders).run()
    } catch {
      // The bus ends with the session, and this program with it.
      Journal.note([error.message, error.cause].compactMap { $0 }.joined(separator: ": "))
    }
  }
}
