import ArgumentParser

/// `EMAIL:PASSWORD`; the password may contain colons. These are made up for a sandbox, not secrets.
struct SeedUser: ExpressibleByArgument {
  var email: String
  var password: String

  init?(argument: String) {
    let halves = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, halves[0].contains("@"), !halves[1].isEmpty else { return nil }
    (email, password) = (String(halves[0]), String(halves[1]))
  }
}
