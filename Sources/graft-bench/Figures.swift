import CommandLineSupport
import Foundation
import Graft

/// The figures of one call.
struct Figures: Codable {
  let runs: Int
  let chunkSize: Int
  var comparison: Comparison.Result?
  var chunks: [ChunkTrial.Line]?
  var scale: [ScaleTrial.Line]?
  var tokens: [TokenTrial.Line]?
  var graph: [Bar]?
  var engines: [EngineTrial.Line]?
  var growth: [GrowthTrial.Line]?
  var peers: PeerTrial.Result?

  init(options: Options) {
    runs = options.runs
    chunkSize = options.chunkSize
  }

  /// Figures as JSON, for scripts.
  static func json(of figures: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(figures), as: UTF8.self)
  }
}

extension Figures {
  /// A figure by itself.
  struct Row {
    let name: String
    let unit: String
    let value: Double
    /// Whether more is better.
    var isFloor = true

    /// Returns the better one of two values of the figure.
    func best(_ other: Row?) -> Row {
      guard let other else { return self }
      return (value > other.value) == isFloor ? self : other
    }
  }

  /// All figures except those of memory, each with a descriptive name.
  var rows: [Row] {
    var rows: [Row] = []
    let speeds = { (speeds: [String: Double], of: String) in
      present(speeds).map { Row(name: "\($0), \(of)", unit: "MB/s", value: speeds[$0] ?? 0) }
    }
    rows += (comparison?.contestants ?? []).map {
      Row(name: $0.name, unit: "MB/s", value: $0.megabytesPerSecond)
    }
    rows += (chunks ?? []).flatMap {
      speeds($0.megabytesPerSecond, "chunks of \($0.chunkSize / 1024) KiB")
    }
    rows += (scale ?? []).flatMap {
      speeds($0.megabytesPerSecond, "\($0.byteCount / 1_000_000) MB")
    }
    rows += (tokens ?? []).compactMap { line in
      line.seconds.map {
        Row(name: "\(line.contestant), 10 MB \(line.token)", unit: "s", value: $0, isFloor: false)
      }
    }
    rows += (graph ?? []).map {
      Row(name: $0.name, unit: $0.unit, value: $0.value, isFloor: $0.isFloor)
    }
    rows += (engines ?? []).flatMap { speeds($0.megabytesPerSecond, $0.document) }
    rows += (peers?.lines ?? []).map {
      Row(name: "\($0.program), \($0.work)", unit: "s", value: $0.seconds, isFloor: false)
    }
    rows += (growth ?? []).flatMap { line in
      zip(line.sizes, line.seconds).map {
        Row(name: "\(line.work), \($0)", unit: "s", value: $1, isFloor: false)
      }
    }
    return rows
  }
}

extension Figures {
  /// Returns the figures as tables, for people.
  func tables() -> String {
    let tables = [
      comparison.map(comparisonTable), chunks.map(chunkTable), scale.map(scaleTable),
      tokens.map(tokenTable), graph.map(graphTable), engines.map(engineTable),
      growth.map(growthTable), peers.map(peerTables),
    ]
    return tables.compactMap { $0 }.joined(separator: "\n\n")
  }

  private func comparisonTable(_ result: Comparison.Result) -> String {
    var table = TextTable(alignment: .right)
    table.append(["", "MB/s", "objects/s", "of YAJL", "× JSONDecoder", "peak memory"])
    for line in result.contestants {
      table.append([
        line.title,
        Amount.decimal(line.megabytesPerSecond, digits: 0),
        line.objectsPerSecond.map { Amount.number(Int($0)) } ?? "–",
        line.ratioToYAJL.map { Amount.decimal($0, digits: 2) } ?? "–",
        line.ratioToJSONDecoder.map { Amount.decimal($0, digits: 1) } ?? "–",
        line.peakMemoryBytes.map { "\(Amount.decimal(Double($0) / 1e6, digits: 0)) MB" } ?? "–",
      ])
    }
    let size = Amount.decimal(Double(result.byteCount) / 1e6, digits: 1)
    return """
      \(result.document), \(size) MB; best of \(runs); chunks of \(Amount.number(chunkSize)) bytes

      \(table.lines.joined(separator: "\n"))
      """
  }

  private func chunkTable(_ lines: [ChunkTrial.Line]) -> String {
    let names = present(lines.first?.megabytesPerSecond)
    var table = TextTable(alignment: .right)
    table.append(["MB/s by chunk size"] + names)
    for line in lines {
      table.append(["\(line.chunkSize / 1024) KiB"] + speeds(line.megabytesPerSecond, of: names))
    }
    return table.lines.joined(separator: "\n")
  }

  private func scaleTable(_ lines: [ScaleTrial.Line]) -> String {
    let names = present(lines.first?.megabytesPerSecond)
    var table = TextTable(alignment: .right)
    table.append(["MB/s by document size"] + names)
    for line in lines {
      let size = Amount.decimal(Double(line.byteCount) / 1e6, digits: 0)
      table.append(["\(size) MB"] + speeds(line.megabytesPerSecond, of: names))
    }
    return table.lines.joined(separator: "\n")
  }

  private func tokenTable(_ lines: [TokenTrial.Line]) -> String {
    var table = TextTable(alignment: .right)
    table.append(["10 MB token, chunks of 4 KiB", "contestant", "seconds"])
    for line in lines {
      let outcome =
        line.seconds.map { Amount.decimal($0, digits: 3) } ?? "refused: \(line.failure ?? "")"
      table.append([line.token, line.contestant, outcome])
    }
    return table.lines.joined(separator: "\n")
  }

  private func graphTable(_ bars: [Bar]) -> String {
    var table = TextTable(alignment: .right)
    table.append(["the graph, best of \(runs)", "", "bar", ""])
    for bar in bars {
      let limit = bar.bar.map {
        "\(bar.isFloor ? "≥" : "≤") \(Amount.decimal($0, digits: 1)) \(bar.unit)"
      }
      table.append([
        bar.name, "\(Amount.decimal(bar.value, digits: 2)) \(bar.unit)", limit ?? "–",
        bar.isMet.map { $0 ? "met" : "missed" } ?? "",
      ])
    }
    return table.lines.joined(separator: "\n")
  }

  private func engineTable(_ lines: [EngineTrial.Line]) -> String {
    let names = present(lines.first?.megabytesPerSecond)
    var table = TextTable(alignment: .right)
    let ratios = names.filter { $0 != Field.yajl }
    table.append(["MB/s by share of keys", "keys"] + names + ratios.map { "\($0) of YAJL" })
    for line in lines {
      let speeds = line.megabytesPerSecond
      let yajl = speeds[Field.yajl]
      let quotients = ratios.map { name -> String in
        guard let yajl, let speed = speeds[name] else { return "–" }
        return Amount.decimal(speed / yajl, digits: 2)
      }
      table.append(
        [line.document, "\(line.mappedKeyCount) of \(line.keyCount)"]
          + self.speeds(speeds, of: names)
          + quotients)
    }
    return table.lines.joined(separator: "\n")
  }

  private func growthTable(_ lines: [GrowthTrial.Line]) -> String {
    var table = TextTable(alignment: .right)
    table.append(["growth", "sizes", "seconds", "peak memory, MB", "exponent", ""])
    for line in lines {
      let seconds = line.seconds.map { Amount.decimal($0, digits: 3) }
      let megabytes = line.peakMemoryBytes.map { Amount.decimal(Double($0) / 1e6, digits: 0) }
      table.append([
        line.work, line.sizes.map(Amount.number).joined(separator: " · "),
        seconds.joined(separator: " · "), megabytes.joined(separator: " · "),
        Amount.decimal(line.exponent, digits: 2), line.isLinear ? "" : "more than linear",
      ])
    }
    return table.lines.joined(separator: "\n")
  }

  /// Returns a table for each kind of work, as Markdown.
  private func peerTables(_ result: PeerTrial.Result) -> String {
    var works: [String] = []
    for line in result.lines where works.last != line.work { works.append(line.work) }
    let size = Amount.decimal(result.megabytes, digits: 0)
    let tables = works.map { work in
      let rows = result.lines.filter { $0.work == work }.map { line in
        let memory = Amount.decimal(Double(line.peakMemoryBytes) / 1e6, digits: 0)
        return "| \(line.program) | \(Amount.decimal(line.seconds, digits: 2)) s | \(memory) MB |"
      }
      return (["| \(size) MB of \(work) | processor | peak memory |", "|---|--:|--:|"] + rows)
        .joined(separator: "\n")
    }
    let missing =
      result.missing.isEmpty
      ? [] : ["Skipped, not installed: \(result.missing.joined(separator: ", "))."]
    let note = "Best of \(runs), whole processes: \(result.machine)."
    return (tables + [note] + missing).joined(separator: "\n\n")
  }

  /// Returns the contestants that have figures, in the order of the table.
  private func present(_ speeds: [String: Double]?) -> [String] {
    Field.contestants.map(\.name).filter { speeds?[$0] != nil }
  }

  private func speeds(_ speeds: [String: Double], of names: [String]) -> [String] {
    names.map { speeds[$0].map { Amount.decimal($0, digits: 0) } ?? "–" }
  }
}
