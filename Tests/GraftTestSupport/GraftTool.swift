import Foundation

/// The product `graft`, run as a process of its own.
struct GraftTool {
  /// The status and output of a run.
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String

    var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
  }

  /// The executable beside the tests; nil if it was not built.
  static let executable: URL? = {
    let folders =
      CommandLine.arguments.filter { $0.contains(".xctest") }.flatMap(parents)
      + [SourceTree.root.appendingPathComponent(".build/debug")]
    return folders.map { $0.appendingPathComponent("graft") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()

  /// Runs `graft` in the package's root.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - input: The bytes of standard input.
  ///   - program: The program, if it is not `graft`.
  ///   - environment: The environment; nil for that of the tests.
  /// - Returns: Exit status, standard output and standard error.
  /// - Throws: What Foundation throws where the process cannot be started.
  static func run(
    _ arguments: [String], input: Data = Data(), program: URL? = executable,
    environment: [String: String]? = nil
  ) async throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func file(_ name: String, _ data: Data = Data()) throws -> URL {
      let url = folder.appendingPathComponent(name)
      try data.write(to: url)
      return url
    }
    let process = Process()
    process.executableURL = program
    if let environment { process.environment = environment }
    process.arguments = arguments
    process.currentDirectoryURL = SourceTree.root
    let (output, errors) = (try file("output"), try file("errors"))
    let handles = [
      try FileHandle(forReadingFrom: file("input", input)), try FileHandle(forWritingTo: output),
      try FileHandle(forWritingTo: errors),
    ]
    // Foundation on Linux does not release a process that has ended, and with it its handles.
    defer { for handle in handles { try? handle.close() } }
    process.standardInput = handles[0]
    process.standardOutput = handles[1]
    process.standardError = handles[2]
    try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in ended.resume() }
      do { try process.run() } catch { ended.resume(throwing: error) }
    }
    return Outcome(
      status: process.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
      errors: try String(contentsOf: errors, encoding: .utf8))
  }

  /// Runs `graft`, and kills it if it has not ended in time.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - seconds: The time after which it is killed.
  /// - Returns: Its exit status; nil if it was killed.
  /// - Throws: What Foundation throws where the process cannot be started.
  static func run(_ arguments: [String], killAfter seconds: Double) throws -> Int32? {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    try process.run()
    let end = Date.now.addingTimeInterval(seconds)
    while process.isRunning, Date.now < end { Thread.sleep(forTimeInterval: 0.001) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : nil
  }

  private static func parents(of path: String) -> [URL] {
    sequence(first: URL(fileURLWithPath: path)) { url in
      url.pathComponents.count > 2 ? url.deletingLastPathComponent() : nil
    }
    .prefix(6).map(\.self)
  }
}

/// A file that lives as long as a test needs it.
final class TemporaryFile {
  let url: URL
  var path: String { url.path }

  convenience init(_ text: String, name: String = "document.json") throws {
    try self.init(Data(text.utf8), name: name)
  }

  init(_ data: Data, name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appendingPathComponent(name)
    try data.write(to: url)
  }

  deinit {
    try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }
}

/// The documents and models of the repository, and those beside it.
enum Fixture {
  static let timelineModel = "Fixtures/schemas/Timeline.xcdatamodeld"
  static let catalogModel = "Fixtures/schemas/Catalog.xcdatamodeld"
  static let timeline = "Fixtures/documents/timeline.json"
  static let catalog = "Fixtures/documents/catalog.json"
  static let catalogRoots = "Event@events.*,Performance@performances"

  static func url(_ path: String) -> URL { SourceTree.root.appendingPathComponent(path) }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: url(path), encoding: .utf8)
  }

  /// Real documents and other projects' models, which are not part of the repository.
  static let shared = SourceTree.root.deletingLastPathComponent().appendingPathComponent("shared")
  static let hasShared = FileManager.default.fileExists(atPath: shared.path)
}
