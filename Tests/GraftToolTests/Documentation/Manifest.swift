@testable import GraftTestSupport

/// A manifest that the documentation shows.
enum Manifest: String, CaseIterable {
  case tutorial
  case readMe
  case readMeWithoutYAJL

  var text: String {
    switch self {
    case .tutorial: Self.tutorialText
    case .readMe: Self.readMeText
    case .readMeWithoutYAJL: Self.readMeTextWithoutYAJL
    }
  }

  private static let tutorialText = """
    // swift-tools-version: 6.2

    import PackageDescription

    let package = Package(
      name: "podcasts",
      platforms: [.macOS(.v15)],
      dependencies: [.package(url: "https://example.org/graft.git", branch: "main")],
      targets: [
        .executableTarget(
          name: "podcasts", dependencies: [.product(name: "GraftExport", package: "graft")])
      ],
      swiftLanguageModes: [.v6]
    )
    """

  private static let readMeText = """
    // swift-tools-version: 6.2

    import PackageDescription

    let package = Package(
      name: "App",
      platforms: [.macOS(.v15)],
      dependencies: [.package(url: "https://example.org/graft.git", branch: "main")],
      targets: [.target(name: "App", dependencies: [.product(name: "Graft", package: "graft")])]
    )
    """

  private static let readMeTextWithoutYAJL = """
    // swift-tools-version: 6.2

    import PackageDescription

    let package = Package(
      name: "App",
      platforms: [.macOS(.v15)],
      dependencies: [
        .package(url: "https://example.org/graft.git", branch: "main", traits: [])
      ],
      targets: [.target(name: "App", dependencies: [.product(name: "Graft", package: "graft")])]
    )
    """
}
