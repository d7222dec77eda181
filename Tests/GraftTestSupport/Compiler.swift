import Foundation

/// The compiler of the toolchain, and the library's module beside the tests.
enum Compiler {
  private static let modules = GraftTool.executable?.deletingLastPathComponent()
    .appendingPathComponent("Modules")

  static let isUsable: Bool = {
    guard let modules,
      FileManager.default.fileExists(
        atPath: modules.appendingPathComponent("Graft.swiftmodule").path)
    else { return false }
    return (try? messages(for: "import Graft")) == ""
  }()

  /// Returns the compiler's messages for a file; nothing if it accepts the file.
  static func messages(for code: String, named name: String = "Snippet.swift") throws -> String {
    let file = try TemporaryFile(code, name: name)
    return try errorOutput(
      of: [
        "swiftc", "-typecheck", "-swift-version", "6", "-I", modules?.path ?? "",
      ] + includes + [file.path])
  }

  /// The object files of Graft that are linked into the tool beside the tests.
  private static let objects: [String] = {
    let list = GraftTool.executable?.deletingLastPathComponent()
      .appendingPathComponent("graft.product/Objects.LinkFileList")
    guard let list, let text = try? String(contentsOf: list, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").map { String($0.filter { $0 != "'" }) }
      .filter { $0.contains("/Graft.build/") || $0.contains("/CScan.build/") }
  }()

  /// Whether programs can be linked with Graft as the tests use it.
  static let canLink =
    isUsable && !objects.isEmpty && objects.allSatisfy(FileManager.default.fileExists(atPath:))

  /// Returns what the compiler, or else the program, writes to standard error.
  static func errorOutput(of code: String) throws -> String {
    let main = try TemporaryFile(code, name: "main.swift")
    let program = main.url.deletingLastPathComponent().appendingPathComponent("program")
    var libraries: [String] = []
    #if canImport(CYAJL)
    libraries.append("-lyajl")
    #endif
    let messages = try errorOutput(
      of: ["swiftc", "-swift-version", "6", "-I", modules?.path ?? ""] + includes
        + ["-o", program.path, main.path] + objects + libraries)
    guard messages.isEmpty else { return messages }
    return try withExtendedLifetime(main) { try errorOutput(of: [program.path]) }
  }

  /// The modules of C that Graft's module needs.
  private static let includes = ["CYAJL", "CZlib", "CCurl", "CScan/include"].flatMap {
    ["-I", SourceTree.root.appendingPathComponent("Sources/\($0)").path]
  }

  /// Compiles a program with optimisation, and returns what it writes to standard error.
  static func errorOutput(ofOptimised code: String, and file: URL) throws -> String {
    let main = try TemporaryFile(code, name: "main.swift")
    let program = main.url.deletingLastPathComponent().appendingPathComponent("program")
    let messages = try errorOutput(
      of: [
        "swiftc", "-O", "-swift-version", "6", "-package-name", "graft", "-o", program.path,
        main.path,
        file.path,
      ])
    guard messages.isEmpty else { return messages }
    return try withExtendedLifetime(main) { try errorOutput(of: [program.path]) }
  }

  private static func errorOutput(of command: [String]) throws -> String {
    let errors = Pipe()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let text = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }
}
