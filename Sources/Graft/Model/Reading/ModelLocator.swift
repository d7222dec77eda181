import Foundation

/// Finds the file that holds a model: inside Xcode's model bundles, or the given file itself.
enum ModelLocator {
  /// The most bytes of a model file; real ones stay below a few hundred thousand.
  static let sizeLimit = 4 << 20

  /// Reads the model file that a location means.
  ///
  /// - Parameter url: An `.xcdatamodeld` or `.xcdatamodel` bundle, or a file.
  /// - Returns: The file's location and its bytes.
  /// - Throws: ``ModelError`` if a bundle has no readable model; an error of Foundation if a file
  ///   cannot be read.
  static func contents(of url: URL) throws -> (url: URL, data: Data) {
    let file = try isDirectory(url) ? file(inBundle: url) : url
    let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    guard size <= sizeLimit else {
      throw ModelError("\(size) bytes, expected a model of at most \(sizeLimit)", file: file.path)
    }
    return (file, try Data(contentsOf: file))
  }

  private static func isDirectory(_ url: URL) throws -> Bool {
    try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory ?? false
  }

  private static func file(inBundle bundle: URL) throws -> URL {
    let names = try FileManager.default.contentsOfDirectory(atPath: bundle.path)
    let versions = names.filter { $0.hasSuffix(".xcdatamodel") }.sorted()
    if versions.isEmpty { return try file(ofVersion: bundle, names) }
    let version = bundle.appendingPathComponent(try currentVersion(of: bundle, versions))
    return try file(
      ofVersion: version, FileManager.default.contentsOfDirectory(atPath: version.path))
  }

  private static func file(ofVersion version: URL, _ names: [String]) throws -> URL {
    if names.contains("contents") { return version.appendingPathComponent("contents") }
    if names.contains("elements") {
      throw ModelError(
        "the model is in the binary format of Xcode 3; save it anew with a later Xcode",
        file: version.path)
    }
    if names.contains(where: { $0.hasSuffix(".mom") }) {
      throw ModelError(
        "the model is compiled; give the .xcdatamodeld that it was compiled from",
        file: version.path)
    }
    throw ModelError(
      "expected a model bundle with a file named \"contents\" or with .xcdatamodel versions",
      file: version.path)
  }

  /// The version that the bundle says is current, or the only one.
  private static func currentVersion(of bundle: URL, _ versions: [String]) throws -> String {
    let note = bundle.appendingPathComponent(".xccurrentversion")
    guard FileManager.default.fileExists(atPath: note.path) else {
      guard versions.count == 1 else {
        throw ModelError(
          "no .xccurrentversion says which of \(versions.joined(separator: ", ")) is current; "
            + "give the version itself", file: bundle.path)
      }
      return versions[0]
    }
    let list = try? PropertyListSerialization.propertyList(
      from: Data(contentsOf: note), format: nil)
    guard let name = (list as? [String: Any])?["_XCCurrentVersionName"] as? String else {
      throw ModelError(
        "expected a property list with the key _XCCurrentVersionName", file: note.path)
    }
    guard versions.contains(name) else {
      throw ModelError(
        "the current version is \"\(name)\", which is not in the bundle"
          + suggestion(for: name, in: versions), file: note.path)
    }
    return name
  }
}
