/// The manifests that the documentation shows.
enum Manifests {
  static let tutorial = """
    // swift-tools-version: 6.2

    import PackageDescription

    let package = Package(
      name: "podcasts",
      platforms: [.macOS(.v15)],
      dependencies: [.package(url: "https://example.org/graft.git", branch: "main")],
      targets: [
        .executableTarget(
          name: "podcasts", dependencies: [.product(name: "Graft", package: "graft")])
      ],
      swiftLanguageModes: [.v6]
    )
    """

  static let readMe = """
    // swift-tools-version: 6.2

    import PackageDescription

    let package = Package(
      name: "App",
      platforms: [.macOS(.v15)],
      dependencies: [.package(url: "https://example.org/graft.git", branch: "main")],
      targets: [.target(name: "App", dependencies: [.product(name: "Graft", package: "graft")])]
    )
    """
}
