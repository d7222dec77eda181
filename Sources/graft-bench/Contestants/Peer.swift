import CommandLineSupport
import Foundation

/// A program that does some work with JSON: Graft itself, or one that a user would pick instead.
struct Peer: Sendable {
  enum Work: String, Sendable {
    case tweets = "tweets into objects"
    case points = "points into objects"
    case tables = "tweets into a database file"
  }

  /// The name by which options call it.
  let name: String
  let work: Work
  /// The name that the table shows.
  let title: String
  /// Prints the version in a shell, and fails if the program is not installed.
  let version: String
  let command: @Sendable (PeerFiles) -> [String]

  /// The name that the table shows, with the version; nil if the program is not installed.
  var installedTitle: String? {
    let output = try? ChildProcess.output(
      of: URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", "\(version) 2>/dev/null"])
    return output.map { output in
      let version = String(decoding: output, as: UTF8.self)
      return "\(title) \(version)".trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  /// Returns the peers that take part; all without names.
  ///
  /// - Throws: `UsageError` for an unknown name.
  static func named(_ names: [String]) throws -> [Peer] {
    let known = Set(all.map(\.name)).sorted()
    for name in names where !known.contains(name) {
      throw UsageError("unknown peer \"\(name)\"; there are \(known.joined(separator: ", "))")
    }
    return all.filter { names.isEmpty || names.contains($0.name) }
  }

  private static let all =
    tweets + [
      importer("graft", .points, "native"), importer("graft-yajl", .points, "import"),
      python("msgspec", .points, PeerProgram.msgspecPoints) { [$0.points] },
      python("orjson", .points, PeerProgram.orjson) { [$0.points] },
      python("duckdb", .points, PeerProgram.duckDBPoints) { [$0.points] },
    ] + tables

  private static let tweets = [
    importer("graft", .tweets, "native"), importer("graft-yajl", .tweets, "import"),
    Peer(name: "decoder", work: .tweets, title: "JSONDecoder", version: "true") {
      [ChildProcess.thisProgram.path, "--measure-memory", "decoder", $0.tweets]
    },
    python("msgspec", .tweets, PeerProgram.msgspecTweets) { [$0.tweets] },
    python("orjson", .tweets, PeerProgram.orjson) { [$0.tweets] },
    Peer(name: "jq", work: .tweets, title: "", version: "jq --version") {
      ["jq", "[.statuses[].user.id_str] | unique | length", $0.tweets]
    },
  ]

  private static let tables = [
    Peer(
      name: "graft", work: .tables, title: "graft import --into, SQLite",
      version: "test -x '\(tool.path)' -a -d \(timelineModel)"
    ) {
      [
        tool.path, "import", "--engine", "native", "--output", "none", "--model", timelineModel,
        "--into", "\($0.output).sqlite", "Tweet@statuses=\($0.tweets)",
      ]
    },
    python("msgspec", .tables, PeerProgram.msgspecTables) { [$0.tweets, $0.output] },
    python("sqlite-utils", .tables, PeerProgram.sqliteUtils) { [$0.tweets, $0.output] },
    python("duckdb", .tables, PeerProgram.duckDBTables) { [$0.tweets, $0.output] },
  ]

  /// The command of the same build, which is beside the benchmark.
  private static let tool = ChildProcess.thisProgram.deletingLastPathComponent()
    .appendingPathComponent("graft")
  private static let timelineModel = "Fixtures/schemas/Timeline.xcdatamodeld"

  private static func importer(_ name: String, _ work: Work, _ contestant: String) -> Peer {
    Peer(
      name: name, work: work,
      title: contestant == "native" ? "Graft, native engine" : "Graft, YAJL",
      version: Field.contestants.contains { $0.name == contestant } ? "true" : "false"
    ) { files in
      let start = [ChildProcess.thisProgram.path, "--measure-memory", contestant]
      return work == .tweets
        ? start + [files.tweets]
        : start + ["--model", files.pointModel, "--root", "Point@points", files.points]
    }
  }

  private static func python(
    _ package: String, _ work: Work, _ program: String,
    _ arguments: @escaping @Sendable (PeerFiles) -> [String]
  ) -> Peer {
    let title = package == "msgspec" && work == .tables ? "msgspec and sqlite3" : package
    return Peer(
      name: package, work: work, title: title,
      version: """
        python3 -c "from importlib.metadata import version; print(version('\(package)'))"
        """
    ) { ["python3", "-c", program] + arguments($0) }
  }
}
