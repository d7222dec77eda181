import CommandLineSupport
import Foundation
import Graft

/// Compares Graft with programs that a user would pick instead, where these are installed.
///
/// Each program is a process of its own, and all run in turns. What counts is the time of the processor,
/// of all threads, from the start of the process to its end, and the peak of its memory.
struct PeerTrial {
  struct Line: Codable {
    let work: String
    let program: String
    let seconds: Double
    let peakMemoryBytes: Int
  }

  struct Result: Codable {
    let machine: String
    let megabytes: Double
    let lines: [Line]
    /// The programs that are not installed.
    let missing: [String]
  }

  /// The measurement of one process.
  struct Measurement: Codable {
    let seconds: Double
    let peakMemoryBytes: Int

    func better(than other: Measurement?) -> Measurement {
      guard let other else { return self }
      return Measurement(
        seconds: min(seconds, other.seconds),
        peakMemoryBytes: min(peakMemoryBytes, other.peakMemoryBytes))
    }
  }

  private let options: Options

  init(_ options: Options) {
    self.options = options
  }

  func run() throws -> Result {
    let peers = try Peer.named(options.only)
    let titles = peers.map(\.installedTitle)
    let files = try PeerFiles(size: options.size)
    defer { files.remove() }
    var best = peers.map { _ in Measurement?.none }
    for _ in 0..<options.runs {
      for number in peers.indices where titles[number] != nil {
        files.removeOutput()
        best[number] = try measure(peers[number].command(files)).better(than: best[number])
      }
    }
    let lines = peers.indices.compactMap { number in
      best[number].map { measurement in
        Line(
          work: peers[number].work.rawValue, program: titles[number] ?? peers[number].name,
          seconds: measurement.seconds, peakMemoryBytes: measurement.peakMemoryBytes)
      }
    }
    let missing = Set(peers.indices.filter { titles[$0] == nil }.map { peers[$0].name })
    return Result(
      machine: Self.machine, megabytes: Double(options.size) / 1e6, lines: lines,
      missing: missing.sorted())
  }

  /// Runs a command in a child of a child, so that nothing else is counted.
  private func measure(_ command: [String]) throws -> Measurement {
    let words = String(decoding: try JSONEncoder().encode(command), as: UTF8.self)
    let output = try ChildProcess.output(
      of: ChildProcess.thisProgram, arguments: ["--measure-command", words])
    return try JSONDecoder().decode(Measurement.self, from: output)
  }

  /// Runs a command once, in the child process.
  ///
  /// - Parameter text: The program and its arguments, as an array of JSON.
  /// - Returns: A ``Measurement`` as JSON.
  /// - Throws: ``ContestantError`` if the program fails.
  static func measureOnce(_ text: String) throws -> String {
    let words = try JSONDecoder().decode([String].self, from: Data(text.utf8))
    _ = try ChildProcess.output(of: URL(fileURLWithPath: "/usr/bin/env"), arguments: words)
    var usage = rusage()
    #if os(Linux)
    unsafe getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    let memoryUnit = 1024
    #else
    unsafe getrusage(RUSAGE_CHILDREN, &usage)
    let memoryUnit = 1
    #endif
    let seconds = usage.ru_utime.seconds + usage.ru_stime.seconds
    return try Figures.json(
      of: Measurement(seconds: seconds, peakMemoryBytes: Int(usage.ru_maxrss) * memoryUnit))
  }

  /// A description of this machine, for the figures that are printed.
  private static var machine: String {
    let processors = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
    let model = processors?.split(separator: "\n").first { $0.hasPrefix("model name") }?
      .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    let count = ProcessInfo.processInfo.activeProcessorCount
    let day = Date.now.formatted(.iso8601.year().month().day())
    return [
      model, Amount.count(count, "core"), "\(ScanInstructions.best)",
      ProcessInfo.processInfo.operatingSystemVersionString, day,
    ].compactMap(\.self).joined(separator: ", ")
  }
}

/// The documents of the comparison, and the place of the programs' output.
struct PeerFiles {
  let folder: URL
  var tweets: String { folder.appendingPathComponent("tweets.json").path }
  var points: String { folder.appendingPathComponent("points.json").path }
  var pointModel: String { folder.appendingPathComponent("points.model.json").path }
  private var outputs: URL { folder.appendingPathComponent("output") }
  var output: String { outputs.appendingPathComponent("made").path }

  init(size: Int) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "graft-bench-peers-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: outputs, withIntermediateDirectories: true)
    _ = try FeedFile(url: URL(fileURLWithPath: tweets), size: size)
    try Data(PointFeed.objects(size: size)).write(to: URL(fileURLWithPath: points))
    let attributes = ["x", "y"].map { #"{"name": "\#($0)", "type": "Double"}"# }
    let entity = #"{"name": "Point", "attributes": [\#(attributes.joined(separator: ", "))]}"#
    try Data(#"{"entities": [\#(entity)]}"#.utf8).write(to: URL(fileURLWithPath: pointModel))
  }

  /// Removes what a program has made, so that the next one begins like it.
  func removeOutput() {
    try? FileManager.default.removeItem(at: outputs)
    try? FileManager.default.createDirectory(at: outputs, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }
}

extension timeval {
  fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
