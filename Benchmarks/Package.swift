// swift-tools-version: 6.2
import PackageDescription

/// What `script/bench` measures with. A package of its own: none of it is built with, or shipped with, the agent. In C,
/// for the baseline is what the kernel and a bare loop cost, and a client must be cheaper than what it measures.
let strict: [CSetting] = [.define("_GNU_SOURCE"), .unsafeFlags(["-Wall", "-Wextra", "-Werror"])]

let package = Package(
  name: "ritual-agent-benchmarks",
  targets: [
    .target(name: "figures", cSettings: strict),
    .executableTarget(name: "echo", cSettings: strict),
    .executableTarget(name: "hostile", dependencies: ["figures"], cSettings: strict),
    .executableTarget(name: "load", dependencies: ["figures"], cSettings: strict),
    .executableTarget(name: "spawn", dependencies: ["figures"], cSettings: strict),
  ],
  cLanguageStandard: .gnu17
)
