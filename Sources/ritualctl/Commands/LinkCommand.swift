import AgentClient
import AgentProtocol
import ArgumentParser

/// `link`: adds a way to sign in to the account's user, through the browser (LK-3).
struct LinkCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Add Apple or Google to the ways to sign in of the account's user.",
    discussion:
      "The project has to allow linking by hand. The address for the browser is printed as `ritualctl sign-in` prints it."
  )

  @Argument(help: "apple or google.") var method: SignInMethod
  @OptionGroup var account: AccountOption
  @Flag(help: "Open no browser: print the address alone, and wait for the address that it ends on.")
  var noBrowser = false
  @Option(help: ArgumentHelp("How long to wait for the browser.", valueName: "seconds")) var timeout: Double?
  @Option(help: ArgumentHelp("The loopback port, for ssh -L.", valueName: "port")) var redirectPort: Int?
  @Flag(help: "Draw the address as a QR code, too (needs qrencode).") var qr = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if method == .email { throw ValidationError("apple or google can be linked") }
    if let timeout, !(timeout > 0 && timeout.isFinite) { throw ValidationError("--timeout is a number of seconds") }
    if let redirectPort, !(1...65_535).contains(redirectPort) { throw ValidationError("a port is 1 to 65535") }
    try BrowserWay.validate(qr: qr, common)
  }

  func perform(_ output: Output) throws -> ExitStatus {
    Interrupts.handle()
    let way = BrowserWay(
      common: common, noBrowser: noBrowser, timeout: timeout, redirectPort: redirectPort, qr: qr, acceptsAnybody: false,
      done: "\(method.words) is linked to")
    return try BrowserSignIn(way: way, provider: method, output: output) { connection in
      try connection.call(
        IdentityLink.self,
        IdentityLink.Params(
          account: account.account, provider: method.rawValue, redirect: way.redirect, timeout: timeout,
          detach: way.detach, port: redirectPort))
    }.run()
  }
}
