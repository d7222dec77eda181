import Foundation

/// Lines of a shell in which `$graft` is the command, in a folder of its own.
enum Shell {
  /// Runs lines of bash.
  ///
  /// - Parameter lines: The lines.
  /// - Returns: The exit status, standard output and standard error of all together.
  /// - Throws: What Foundation throws where bash cannot be started.
  static func run(_ lines: String) async throws -> GraftTool.Outcome {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "exec 2>errors >output; \(lines)"]
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["graft": GraftTool.executable?.path ?? ""], uniquingKeysWith: { $1 })
    process.standardInput = FileHandle.nullDevice
    try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in ended.resume() }
      do { try process.run() } catch { ended.resume(throwing: error) }
    }
    func text(_ name: String) -> String {
      (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)) ?? ""
    }
    return GraftTool.Outcome(
      status: process.terminationStatus, output: text("output"), errors: text("errors"))
  }

  /// Returns whether a program is found.
  static func has(_ program: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  }
}
