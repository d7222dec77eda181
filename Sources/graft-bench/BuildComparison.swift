import CommandLineSupport
import Foundation
import Graft

/// Compares this build with another build of the benchmark, in turns, to find a regression with one call.
///
/// Each build is a child process that runs the benchmark of the options once. The number of such
/// runs is an option; the best value of each figure counts.
struct BuildComparison: Encodable {
  /// A figure of both builds.
  struct Row: Encodable {
    let name: String
    let unit: String
    let other: Double
    let this: Double
    /// The ratio of this build's figure to the other one's; below 1 this build is worse.
    let ratio: Double
  }

  let path: String
  let rows: [Row]

  /// Runs both builds.
  ///
  /// - Parameters:
  ///   - path: The other build's executable.
  ///   - options: The choice of measurements.
  /// - Throws: ``ContestantError`` where a build fails, or prints something else.
  init(against path: String, options: Options) throws {
    var others: [String: Figures.Row] = [:]
    var these: [String: Figures.Row] = [:]
    var names: [String] = []
    for _ in 0..<options.runs {
      let other = try Self.figures(of: URL(fileURLWithPath: path), options).rows
      let this = try Self.figures(of: ChildProcess.thisProgram, options).rows
      for row in other { others[row.name] = row.best(others[row.name]) }
      for row in this { these[row.name] = row.best(these[row.name]) }
      names = this.map(\.name)
    }
    self.path = path
    rows = names.compactMap { name in
      guard let this = these[name], let other = others[name] else { return nil }
      return Row(
        name: name, unit: this.unit, other: other.value, this: this.value,
        ratio: this.isFloor ? this.value / other.value : other.value / this.value)
    }
  }

  /// Returns the figures of one run in a child process.
  private static func figures(of build: URL, _ options: Options) throws -> Figures {
    let output = try ChildProcess.output(of: build, arguments: options.argumentsOfBuilds)
    do {
      return try JSONDecoder().decode(Figures.self, from: output)
    } catch {
      throw ContestantError(
        description: "\(build.path) did not print figures of graft-bench: \(error)")
    }
  }

  /// Returns the rows as a table, for people.
  func table() -> String {
    var table = TextTable(alignment: .right)
    table.append(["best of each build's runs", path, "this build", "", "ratio"])
    for row in rows {
      table.append([
        row.name, Amount.decimal(row.other, digits: 2), Amount.decimal(row.this, digits: 2),
        row.unit, Amount.decimal(row.ratio, digits: 3),
      ])
    }
    return table.lines.joined(separator: "\n") + "\n\nabove 1 this build is better"
  }
}

/// Programs that the benchmark runs.
enum ChildProcess {
  /// This program.
  static var thisProgram: URL {
    Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
  }

  /// Runs a program.
  ///
  /// - Returns: The output of the run; its errors go to standard error.
  /// - Throws: ``ContestantError`` where its status is not 0.
  static func output(of program: URL, arguments: [String]) throws -> Data {
    let child = Process()
    let output = Pipe()
    child.executableURL = program
    child.arguments = arguments
    child.standardOutput = output
    try child.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    child.waitUntilExit()
    guard child.terminationStatus == 0 else {
      throw ContestantError(
        description: "\(([program.path] + arguments).joined(separator: " ")) failed with status"
          + " \(child.terminationStatus)")
    }
    return data
  }
}
