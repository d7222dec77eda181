// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
]

/// The settings of all that is shipped: what may break memory safety is marked `unsafe`.
let strictSettings = settings + [.strictMemorySafety()]

/// YAJL is there where the machine has it: not on phones, watches and the like, nor where the trait is off.
let yajl = Target.Dependency.target(
  name: "CYAJL", condition: .when(platforms: [.macOS, .linux], traits: ["YAJL"]))

/// libpq is needed by GraftPostgres alone: who uses no Postgres neither installs nor links it.
///
/// No trait says so: SwiftPM passes several traits to the compiler in an order that differs from run to run, and then
/// builds everything anew.
let libpq = Target.Dependency.target(
  name: "CPQ", condition: .when(platforms: [.macOS, .linux]))

/// What Graft downloads with on Linux, where Foundation's own networking cannot make a server wait.
let curl = Target.Dependency.target(name: "CCurl", condition: .when(platforms: [.linux]))

let package = Package(
  name: "Graft",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    // A library of a stated type can be built by itself: `swift build --product Graft`.
    .library(name: "Graft", type: .static, targets: ["Graft"]),
    .library(name: "GraftExport", targets: ["GraftExport"]),
    .library(name: "GraftHTTP", targets: ["GraftHTTP"]),
    .library(name: "GraftInference", targets: ["GraftInference"]),
    .library(name: "GraftSQLite", targets: ["GraftSQLite"]),
    .library(name: "GraftPostgres", targets: ["GraftPostgres"]),
    .library(name: "GraftZstd", targets: ["GraftZstd"]),
    .executable(name: "graft", targets: ["graft-cli"]),
    .executable(name: "graft-bench", targets: ["graft-bench"]),
  ],
  traits: [
    .default(enabledTraits: ["YAJL"]),
    .trait(
      name: "YAJL",
      description: "Reads with YAJL, which must be installed; without it the native engine reads"),
  ],
  targets: [
    .systemLibrary(
      name: "CYAJL",
      pkgConfig: "yajl",
      providers: [.apt(["libyajl-dev"]), .brew(["yajl"])]
    ),
    .systemLibrary(
      name: "CPQ",
      pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
    ),
    .systemLibrary(
      name: "CCurl",
      pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"])]
    ),
    .systemLibrary(
      name: "CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"])]
    ),
    // Needed by GraftZstd alone: who reads no zstd neither installs nor links it.
    .systemLibrary(
      name: "CZstd",
      pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]
    ),
    .target(name: "CScan"),
    .target(
      name: "Graft", dependencies: ["CScan", "CZlib", curl, yajl], swiftSettings: strictSettings),
    .target(name: "GraftExport", dependencies: ["Graft"], swiftSettings: strictSettings),
    .target(
      name: "GraftHTTP", dependencies: ["Graft", "GraftExport"], swiftSettings: strictSettings),
    .target(
      name: "GraftInference", dependencies: ["Graft", "GraftExport"], swiftSettings: strictSettings),
    .target(
      name: "GraftDatabase", dependencies: ["Graft", "GraftExport"], swiftSettings: strictSettings),
    .systemLibrary(
      name: "CSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]
    ),
    .target(
      name: "GraftSQLite", dependencies: ["CSQLite", "Graft", "GraftDatabase"],
      swiftSettings: strictSettings),
    .target(
      name: "GraftPostgres", dependencies: ["Graft", "GraftDatabase", libpq],
      swiftSettings: strictSettings),
    .target(name: "GraftZstd", dependencies: ["CZstd", "Graft"], swiftSettings: strictSettings),
    .target(name: "CommandLineSupport", dependencies: ["Graft"], swiftSettings: strictSettings),
    .executableTarget(
      name: "graft-cli",
      dependencies: [
        "CommandLineSupport", "Graft", "GraftDatabase", "GraftExport", "GraftHTTP",
        "GraftInference", "GraftPostgres", "GraftSQLite", "GraftZstd",
      ],
      swiftSettings: strictSettings),
    .executableTarget(
      name: "graft-bench",
      dependencies: [
        "CommandLineSupport", "Graft", "GraftExport", yajl,
      ],
      swiftSettings: strictSettings),
    .target(name: "CTestSetUp", path: "Tests/CTestSetUp"),
    .target(name: "CFaultyFiles", dependencies: ["CSQLite"], path: "Tests/CFaultyFiles"),
    // What the tests share: it has no tests of its own, but only a test target may use what is internal in a release too.
    .testTarget(
      name: "GraftTestSupport", dependencies: ["CTestSetUp", "Graft", "GraftExport"],
      swiftSettings: settings),
    .testTarget(
      name: "GraftTests",
      dependencies: ["CommandLineSupport", "Graft", "GraftExport", "GraftTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "GraftExportTests",
      dependencies: ["CommandLineSupport", "Graft", "GraftExport", "GraftTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "GraftDatabaseTests",
      dependencies: [
        "CFaultyFiles", "CSQLite", "Graft", "GraftDatabase", "GraftExport", "GraftPostgres",
        "GraftSQLite", "GraftTestSupport", libpq,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GraftHTTPTests",
      dependencies: [
        "Graft", "GraftDatabase", "GraftDatabaseTests", "GraftExport", "GraftHTTP", "GraftSQLite",
        "GraftTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GraftInferenceTests",
      dependencies: ["Graft", "GraftExport", "GraftInference", "GraftTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "GraftZstdTests", dependencies: ["Graft", "GraftTestSupport", "GraftZstd"],
      swiftSettings: settings),
    .testTarget(
      name: "GraftToolTests",
      dependencies: [
        "CommandLineSupport", "Graft", "GraftDatabase", "GraftDatabaseTests", "GraftExport",
        "GraftHTTP", "GraftInference", "GraftSQLite", "GraftTestSupport", "GraftZstd",
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
