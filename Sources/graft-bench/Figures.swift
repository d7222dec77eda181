import CommandLineSupport
import Foundation
import Graft

/// The figures of one call.
struct Figures: Encodable {
  let runs: Int
  let chunkSize: Int
  var comparison: Comparison.Result?
  var chunks: [ChunkTrial.Line]?
  var scale: [ScaleTrial.Line]?
  var tokens: [TokenTrial.Line]?
  var graph: [Bar]?

  init(options: Options) {
    runs = options.runs
    chunkSize = options.chunkSize
  }

  /// The figures as JSON, for scripts.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}

extension Figures {
  /// The figures as tables, for people.
  func tables() -> String {
    let tables = [
      comparison.map(comparisonTable), chunks.map(chunkTable), scale.map(scaleTable),
      tokens.map(tokenTable), graph.map(graphTable),
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

  /// The contestants that have figures, in the order of the table.
  private func present(_ speeds: [String: Double]?) -> [String] {
    Field.contestants.map(\.name).filter { speeds?[$0] != nil }
  }

  private func speeds(_ speeds: [String: Double], of names: [String]) -> [String] {
    names.map { speeds[$0].map { Amount.decimal($0, digits: 0) } ?? "–" }
  }
}
