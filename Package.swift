// swift-tools-version: 6.2
import PackageDescription

/// Settings of all our targets: warnings are errors, and upcoming language features are enabled.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioExtras = Target.Dependency.product(name: "NIOExtras", package: "swift-nio-extras")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioSOCKS = Target.Dependency.product(name: "NIOSOCKS", package: "swift-nio-extras")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency], linker: [LinkerSetting] = []) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict, linkerSettings: shipped + linker)
}

/// Linking of all programs: Swift's static library exports every symbol of a program, which no library
/// looks up, and without their tables the agent is 4 MB smaller. The toolchain's own linker still exports
/// `free` and `realloc`, with which CWipe replaces those of glibc.
let shipped: [LinkerSetting] = [
  .unsafeFlags(["-use-ld=lld", "-Xlinker", "--no-export-dynamic"], .when(configuration: .release))
]

/// Fully static linking of the shipped program: dynamic loading is half of the time from start to
/// exit, and `ritualctl` runs in shell prompts. The program calls no glibc function that loads
/// libraries at run time (name services, locales). It is position-independent, so that its
/// addresses are random (static-pie), which Debian 12's gold cannot link. A release build needs
/// `--disable-local-rpath`, as script/release has it: with a RUNPATH, such a program ends in glibc's start.
let wholeStatic: [LinkerSetting] = [
  .unsafeFlags(
    ["-static-executable", "-Xclang-linker", "-static-pie"], .when(configuration: .release))
]

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource] = []
) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: strict)
}

let package = Package(
  name: "ritual-agent",
  products: [
    .library(name: "AgentClient", targets: ["AgentClient", "AgentProtocol"]),
    .library(name: "SessionVault", targets: ["SessionVault"]),
    .executable(name: "ritual-agentd", targets: ["ritual-agentd"]),
    .executable(name: "ritualctl", targets: ["ritualctl"]),
    .executable(name: "ritual-notify", targets: ["ritual-notify"]),
    .executable(name: "ritual-sandbox", targets: ["ritual-sandbox"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
  ],
  targets: [
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(
      name: "CWipe", cSettings: [.define("_GNU_SOURCE"), .treatAllWarnings(as: .error)], swiftSettings: strict),
    // C23's #embed, which clang has in every version of the language, but only with a warning.
    .target(
      name: "COpenRPC", cSettings: [.treatAllWarnings(as: .error), .disableWarning("c23-extensions")],
      swiftSettings: strict),

    library("SystemSupport"),
    library("Hashing", ["CSodium"]),
    library("WebURLs"),
    library("AgentProtocol", ["SystemSupport"]),
    library("AgentConfiguration", ["AgentProtocol", "SystemSupport", "WebURLs"]),
    library("AgentClient", ["AgentProtocol", "SystemSupport"]),
    library("SessionVault", ["CSodium", "SystemSupport"]),
    library(
      "SupabaseAuth",
      ["SystemSupport", "WebURLs", asyncHTTPClient, nioCore, nioExtras, nioHTTP1, nioPosix, nioSOCKS, nioSSL]),
    library("SystemBus", ["CSystemd", "SystemSupport"]),
    library(
      "SessionEngine",
      [
        "AgentConfiguration", "AgentProtocol", "Hashing", "SessionVault", "SupabaseAuth", "SystemSupport", logging,
        nioPosix, serviceLifecycle,
      ]),
    library(
      "AccessControl",
      [
        "AgentConfiguration", "AgentProtocol", "CSystemd", "SessionEngine", "SessionVault", "SupabaseAuth",
        "SystemSupport", logging, nioCore, nioPosix, serviceLifecycle,
      ]),
    library(
      "Egress",
      [
        "AccessControl", "AgentConfiguration", "AgentProtocol", "Hashing", "SessionEngine", "SupabaseAuth",
        "SystemSupport", "WebURLs", logging, nioCore, nioExtras, nioHTTP1, nioPosix, nioSSL, nioSOCKS, nioTLS,
        serviceLifecycle,
      ]),
    library(
      "SignInFlows",
      [
        "AccessControl", "AgentConfiguration", "AgentProtocol", "Hashing", "SessionEngine", "SupabaseAuth",
        "SystemSupport", logging, nioCore, nioHTTP1, nioPosix, serviceLifecycle,
      ]),
    library(
      "AgentServer",
      [
        "AccessControl", "AgentProtocol", "CSystemd", "SessionEngine", "SystemSupport", logging, nioCore, nioPosix,
        serviceLifecycle,
      ]),
    library(
      "AgentCore",
      [
        "AccessControl", "AgentConfiguration", "AgentProtocol", "AgentServer", "COpenRPC", "CSystemd", "Egress",
        "SessionEngine", "SessionVault", "SignInFlows", "SupabaseAuth", "SystemBus", "SystemSupport", logging, nioCore,
        nioPosix, serviceLifecycle,
      ]),
    library("AuthSandbox", ["COpenSSL", hummingbird, hummingbirdCore, logging, nioCore]),

    program(
      "ritual-agentd", ["AgentCore", "AgentProtocol", "AgentServer", "CWipe", "SystemSupport", argumentParser, logging]),
    program(
      "ritualctl",
      ["AgentClient", "AgentConfiguration", "AgentProtocol", "Hashing", "SystemSupport", "WebURLs", argumentParser],
      linker: wholeStatic),
    program("ritual-notify", ["AgentClient", "AgentProtocol", "SystemBus", "SystemSupport", argumentParser]),
    program("ritual-sandbox", ["AgentProtocol", "AuthSandbox", argumentParser, unixSignals]),

    .executableTarget(
      name: "agent-client-example", dependencies: ["AgentClient", "AgentProtocol"], path: "examples/swift",
      swiftSettings: strict),

    .executableTarget(
      name: "fleet", dependencies: ["SessionEngine", "SupabaseAuth", "SystemSupport", argumentParser],
      path: "Benchmarks/fleet", swiftSettings: strict),

    .target(
      name: "TestKit", dependencies: ["SessionVault", "SupabaseAuth"], path: "Tests/TestKit", swiftSettings: strict),
    tests("SystemSupportTests", ["SystemSupport", "TestKit"]),
    tests("AgentProtocolTests", ["AgentProtocol"]),
    tests("AgentConfigurationTests", ["AgentConfiguration", "SystemSupport", "TestKit", "WebURLs"]),
    tests(
      "AgentClientTests",
      ["AgentClient", "AgentProtocol", "TestKit", "ritual-notify", "ritualctl", argumentParser]),
    tests("SessionVaultTests", ["SessionVault", "SystemSupport", "TestKit"], exclude: ["Vectors"]),
    tests(
      "SupabaseAuthTests",
      ["SupabaseAuth", "SystemSupport", "TestKit", "WebURLs", nioCore, nioHTTP1, nioPosix, nioSSL]),
    tests(
      "AgentCoreTests",
      [
        "AccessControl", "AgentConfiguration", "AgentCore", "AgentProtocol", "AgentServer", "AuthSandbox", "Egress",
        "Hashing", "SessionEngine", "SessionVault", "SignInFlows", "SupabaseAuth", "SystemBus", "SystemSupport",
        "TestKit",
        "ritualctl", argumentParser, logging, nioCore, nioEmbedded, nioHTTP1, nioPosix, serviceLifecycle,
      ]),
    tests(
      "AuthSandboxTests",
      ["AuthSandbox", "TestKit", asyncHTTPClient, nioCore, nioHTTP1],
      resources: [.copy("Recorded")]),
    tests("EndToEndTests", ["AuthSandbox", "SessionVault", "TestKit"]),
    tests("PackageTests", ["TestKit"]),
  ]
)
