// swift-tools-version: 6.2
import PackageDescription

/// The programs that `script/bench` measures with, in a separate package: none of them is built or
/// shipped with the agent. They are in C, because the baseline is the cost of the kernel and a bare
/// loop, and a client must be cheaper than what it measures.
let strict: [CSetting] = [.define("_GNU_SOURCE"), .unsafeFlags(["-Wall", "-Wextra", "-Werror"])]

let package = Package(
  name: "ritual-agent-benchmarks",
  // Loaded into the agent with LD_PRELOAD.
  products: [.library(name: "allocations", type: .dynamic, targets: ["allocations"])],
  targets: [
    .target(name: "allocations", publicHeadersPath: ".", cSettings: strict),
    .target(name: "figures", cSettings: strict),
    .target(name: "sockets", dependencies: ["figures"], cSettings: strict),
    .executableTarget(name: "echo", cSettings: strict),
    .executableTarget(name: "fetch", dependencies: ["figures", "sockets"], cSettings: strict),
    .executableTarget(name: "hostile", dependencies: ["figures"], cSettings: strict),
    .executableTarget(name: "load", dependencies: ["figures"], cSettings: strict),
    .executableTarget(name: "origin", dependencies: ["figures", "sockets"], cSettings: strict),
    .executableTarget(name: "relay", dependencies: ["figures", "sockets"], cSettings: strict),
    .executableTarget(name: "spawn", dependencies: ["figures"], cSettings: strict),
  ],
  cLanguageStandard: .gnu17
)
