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

let package = Package(
  name: "Graft",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Graft", targets: ["Graft"]),
    .executable(name: "graft", targets: ["graft-cli"]),
    .executable(name: "graft-bench", targets: ["graft-bench"]),
  ],
  targets: [
    .systemLibrary(
      name: "CYAJL",
      pkgConfig: "yajl",
      providers: [.apt(["libyajl-dev"]), .brew(["yajl"])]
    ),
    .target(name: "Graft", dependencies: ["CYAJL"], swiftSettings: strictSettings),
    .target(name: "CommandLineSupport", dependencies: ["Graft"], swiftSettings: strictSettings),
    .executableTarget(
      name: "graft-cli", dependencies: ["CommandLineSupport", "Graft"],
      swiftSettings: strictSettings),
    .executableTarget(
      name: "graft-bench", dependencies: ["CommandLineSupport", "CYAJL", "Graft"],
      swiftSettings: strictSettings),
    .testTarget(name: "GraftTests", dependencies: ["Graft"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
