import Foundation
import TestKit
import Testing

/// Providers by name, single sign-on and anonymous users on the command line.
@Suite(.timeLimit(.minutes(2))) struct MoreSignInMethodsTests {
  private static let flow = Reply.result(
    #"{"flow":"f","url":"https://auth.example.org/authorize?x=1","expiresAt":"2099-11-21T04:48:17Z"}"#)

  private static let agent: @Sendable (String, String) -> String = { method, _ in
    switch method {
    case "signIn.start", "identity.link": flow
    case "signIn.wait": SignInTests.signedIn
    default: Reply.result(anonymous)
    }
  }

  private static let anonymous =
    #"{"name":"guest","isDefault":true,"project":"prod","state":"authenticated","activity":"none","tokenUsable":true,"#
    + #""user":{"id":"268e9ae1","provider":"anonymous","isAnonymous":true},"identities":[]}"#

  private static func expectStart(
    _ words: String, _ params: String, method: String = "signIn.start", _ body: (Output) -> Void = { _ in }
  ) async throws {
    try await withBench(agent) { bench in
      let output = try await bench.start(words.split(separator: " ").map(String.init)).end()
      #expect(output.status == 0, "\(output)")
      #expect(bench.server.lines.first == #"{"id":1,"jsonrpc":"2.0","method":"\#(method)","params":{\#(params)}}"#)
      body(output)
    }
  }

  @Test(
    "any provider by Supabase's name, with scopes",
    arguments: [
      ("sign-in GitHub --scopes read:org", #""provider":"github","scopes":"read:org""#, "GitHub"),
      ("sign-in azure --account work", #""account":"work","provider":"azure""#, "Microsoft"),
      ("sign-in custom:acme", #""provider":"custom:acme""#, "acme"),
      ("sign-in my-own.idp_1", #""provider":"my-own.idp_1""#, "my-own.idp_1"),
    ])
  func startsProviders(words: String, params: String, name: String) async throws {
    try await Self.expectStart(words, params) {
      #expect($0.stderr.contains("open this URL to sign in with \(name):"), "\($0.stderr)")
    }
    let link = words.replacing("sign-in", with: "link")
    try await Self.expectStart(link, params, method: "identity.link") {
      #expect($0.stdout.hasPrefix("\(name) is linked to work"), "\($0.stdout)")
    }
  }

  @Test("single sign-on takes the organization's domain, and says that the page has a limit of 2 minutes")
  func startsSingleSignOn() async throws {
    for words in ["sign-in sso --domain Example.org", "sign-in --domain Example.org"] {
      try await Self.expectStart(words, #""sso":{"domain":"Example.org"}"#) {
        #expect($0.stderr.contains("open this URL to sign in with Example.org:"))
        #expect($0.stderr.contains("ritualctl: finish within 2 minutes\n"))
      }
    }
    try await withBench(Self.agent) { bench in
      let output = try await bench.runInTerminal(
        """
        expect('Email domain of your organization: ')
        say('example.org\\n')
        expect('finish within 2 minutes')
        finish()
        """, ["sign-in", "sso"])
      #expect(output.status == 0, "\(output.stdout)")
      #expect(bench.server.lines.first?.contains(#""sso":{"domain":"example.org"}"#) == true)
    }
  }

  @Test("an anonymous sign-in says what a sign-out loses; status repeats it")
  func signsInAnonymously() async throws {
    try await Self.expectStart(
      "sign-in anonymous --account guest --project p", #""account":"guest","project":"p""#, method: "signIn.anonymous"
    ) {
      #expect($0.stdout == "signed in to guest as anonymous user\n")
      #expect(
        $0.stderr == "ritualctl: a sign-out loses this user; to keep it, add a sign-in method:\n"
          + "  ritualctl link email --account guest\n")
    }
    try await withBench(StatusTests.status(Self.anonymous)) { bench in
      let status = try await bench.run("status")
      #expect(status.status == 0 && status.stdout.contains("anonymous user  "), "\(status.stdout)")
      #expect(
        status.stdout.hasSuffix(
          "! guest: anonymous: a sign-out loses this user and its data\n    ritualctl link email --account guest\n"),
        "\(status.stdout)")
      #expect(try await bench.run("whoami").stdout == "anonymous user, account guest, the default account\n")
    }
  }

  @Test("ending an anonymous user's session needs --yes, and is never asked")
  func discardsOnlyExplicitly() async throws {
    try await withBench { method, line in
      switch method {
      case "session.status": Reply.result(Self.anonymous)
      case "session.list": Reply.result(#"{"accounts":[]}"#)
      case "session.remove": Reply.result(#"{"account":"guest","isPending":true}"#)
      default:
        line.contains(#""discard":true"#)
          ? Reply.result(#"{"accounts":["guest"],"pending":[]}"#)
          : Reply.error(
            "invalidParams", "This account is anonymous.", hint: "to sign out anyway: ritualctl sign-out --yes")
      }
    } _: { bench in
      let refused = try await bench.run("sign-out", "--all")
      #expect(refused.status == 64 && refused.stderr.contains("ritualctl sign-out --yes"))
      #expect(try await bench.run("sign-out", "--all", "--yes").stdout == "guest: signed out\n")
      let asked = try await bench.runInTerminal("finish()", ["accounts", "remove", "guest"])
      #expect(asked.status == 64 && !asked.stdout.contains("[y/N]"), "\(asked.stdout)")
      #expect(asked.stdout.contains("ritualctl accounts remove guest --yes"))
      #expect(!bench.server.lines.contains { $0.contains("session.remove") })
      let removed = try await bench.run("accounts", "remove", "guest", "--yes")
      #expect(removed.status == 0)
      #expect(
        removed.stderr.hasPrefix("ritualctl: warning: the server has not confirmed the sign-out yet"),
        "\(removed.stderr)")
      let last = bench.server.lines.last { $0.contains("session.remove") }
      #expect(last?.contains(#""params":{"account":"guest","discard":true}"#) == true)
    }
  }

  @Test("users are shown by their phone number, and identities by the providers' names")
  func showsUsers() async throws {
    let identities =
      #"[{"identityID":"1","provider":"github","email":"a@b.c"},{"identityID":"2","provider":"custom:acme"},"#
      + #"{"identityID":"3","provider":"phone"},{"identityID":"4","provider":"sso:0a1b"}]"#
    try await withBench { method, _ in
      method == "identity.list"
        ? Reply.result(#"{"account":"work","identities":\#(identities),"isCurrent":true}"#)
        : StatusTests.status(
          StatusTests.account(
            "authenticated", #","user":{"id":"u","phone":"4915112345601","provider":"phone"}"#, usable: true))
    } _: { bench in
      #expect(try await bench.run("whoami").stdout == "+4915112345601 (phone), account work, the default account\n")
      let list = try await bench.run("identities")
      let lines = list.stdout.split(separator: "\n").map {
        $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }
      #expect(lines == ["1 GitHub a@b.c", "2 acme", "3 phone", "4 single sign-on"], "\(list)")
    }
  }

  @Test(
    "options that do not fit the method: 64, without a request",
    arguments: [
      ("sign-in google --email a@b.c", "--email requires: sign-in email or sign-in code"),
      ("sign-in code --password-stdin", "--password-stdin requires: sign-in email"),
      ("sign-in sso --sign-up", "--sign-up requires: sign-in email, sign-in code, or sign-in phone"),
      ("sign-in email --code-stdin", "--code-stdin requires: sign-in code or sign-in phone"),
      ("sign-in --sent", "--sent requires: sign-in code or sign-in phone"),
      ("sign-in code --phone +49", "--phone requires: sign-in phone"),
      ("sign-in google --domain b.c", "--domain requires: sign-in sso"),
      ("sign-in email --scopes x", "--scopes requires a provider, such as: sign-in google"),
      ("sign-in --scopes x", "--scopes requires a provider, such as: sign-in google"),
      ("sign-in anonymous --id-token-stdin", "--id-token-stdin requires a provider, such as: sign-in google"),
      ("sign-in code --session-stdin", "--session-stdin cannot be combined with another sign-in method"),
      ("sign-in code --sent --json", "--sent and --json require --code-stdin: JSON asks nothing"),
      ("sign-in code --timeout 5", "--timeout requires a method that uses the browser, such as: sign-in google"),
      ("sign-in phone --no-browser", "--no-browser requires a method that uses the browser"),
      ("sign-in anonymous --qr", "--qr requires a method that uses the browser"),
      ("sign-in code --redirect-port 4000", "--redirect-port requires a method that uses the browser"),
      ("sign-in code --take-over", "--take-over requires a method that uses the browser"),
      ("link email --no-browser", "--no-browser requires a method that uses the browser, such as: link google"),
      ("link email --timeout 5", "--timeout requires a method that uses the browser"),
      ("link phone", "only a provider or email can be linked"),
      ("link google --email a@b.c", "--email, --code-stdin, and --sent require: link email"),
      ("link email --scopes x", "--scopes requires a provider, such as: link google"),
      ("sign-in gihtub", "invalid value 'gihtub' for <method>; did you mean 'github'?"),
      ("sign-in anonymos", "invalid value 'anonymos' for <method>; did you mean 'anonymous'?"),
      ("sign-in code", "the email address is missing, and there is no terminal to ask for it"),
      ("sign-in phone --json", "the phone number is missing, and --json asks for nothing"),
      ("sign-in sso", "the email domain is missing, and there is no terminal to ask for it"),
      ("sign-in code --code-stdin", "the email address is missing, and --code-stdin asks for nothing"),
      ("link email", "the email address is missing, and there is no terminal to ask for it"),
    ])
  func refusesOptions(line: String, message: String) async throws {
    try await withBench(Self.agent) { bench in
      let output = try await bench.start(line.split(separator: " ").map(String.init)).end()
      #expect(output.status == 64 && output.stderr.contains(message), "\(output.stderr)")
      #expect(bench.server.lines.isEmpty)
    }
  }

  @Test("SI-1, SI-12: the list offers the project's methods, in its order, and no other")
  func offersEverything() async throws {
    let methods = #"["google","github","email","phone","sso","anonymous"]"#
    let titles = [
      "Google", "GitHub", "Email", "Phone", "single sign-on", "Continue without an account",
    ]
    try await withBench { method, line in
      method == "signIn.methods" ? Reply.result(#"{"methods":\#(methods),"signUp":true}"#) : Self.agent(method, line)
    } _: { bench in
      let lines = titles.enumerated().map { "expect('\($0 + 1)  \($1)')\n" }.joined()
      let output = try await bench.runInTerminal(
        lines + "say('anon\\n')\nexpect('signed in to guest')\nfinish()", environment: ["TERM": "xterm"], ["sign-in"])
      #expect(output.status == 0 && !output.stdout.contains("Apple"), "\(output.stdout)")
    }
  }
}
