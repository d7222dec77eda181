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

  /// Returns the compiler's messages for each of several files; nothing for a file that it accepts.
  ///
  /// The compiler needs longer to begin than for any of them, so one run compiles all: each file's declarations are
  /// inside an enumeration of their own, which its messages do not name.
  static func messages(forEach codes: [String]) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = try codes.enumerated().map { number, code in
      let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
      let imports = lines.filter { $0.hasPrefix("import ") }
      let declarations = lines.filter { !$0.hasPrefix("import ") }
        .map { $0.hasPrefix("func ") ? "static \($0)" : String($0) }
      let text = imports + ["enum Snippet\(number) {"] + declarations.map { $0[...] } + ["}"]
      let file = folder.appending(path: "Snippet\(number).swift").path
      try text.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
      return file
    }
    let output = try errorOutput(
      of: ["swiftc", "-typecheck", "-wmo", "-swift-version", "6", "-I", modules?.path ?? ""]
        + includes + files)
    var messages = codes.map { _ in "" }
    var current = 0
    for line in output.split(separator: "\n") {
      // A note about a declaration of the library belongs to the message before it.
      current = files.firstIndex { line.hasPrefix("\($0):") } ?? current
      messages[current] += line.replacing("Snippet\(current).", with: "") + "\n"
    }
    return messages
  }

  /// The object files of Graft and its exports that are linked into the tool beside the tests.
  private static let objects: [String] = {
    let list = GraftTool.executable?.deletingLastPathComponent()
      .appendingPathComponent("graft.product/Objects.LinkFileList")
    guard let list, let text = try? String(contentsOf: list, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").map { String($0.filter { $0 != "'" }) }
      .filter { path in
        ["Graft", "GraftExport", "CScan"].contains { path.contains("/\($0).build/") }
      }
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
