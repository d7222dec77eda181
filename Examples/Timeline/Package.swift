// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Timeline",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Graft", path: "../..")],
  targets: [
    .executableTarget(name: "timeline", dependencies: [.product(name: "Graft", package: "Graft")])
  ],
  swiftLanguageModes: [.v6]
)
