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
    .target(name: "Graft", dependencies: ["CYAJL"], swiftSettings: settings),
    .target(name: "CommandLineSupport", dependencies: ["Graft"], swiftSettings: settings),
    .executableTarget(
      name: "graft-cli", dependencies: ["CommandLineSupport", "Graft"], swiftSettings: settings),
    .executableTarget(
      name: "graft-bench", dependencies: ["CommandLineSupport", "CYAJL", "Graft"],
      swiftSettings: settings),
    .testTarget(name: "GraftTests", dependencies: ["Graft"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
