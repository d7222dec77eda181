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
    var table = TextTable(
      header: ["", "MB/s", "objects/s", "of YAJL", "× JSONDecoder", "peak memory"])
    for line in result.contestants {
      table.append([
        line.title,
        line.megabytesPerSecond.rounded(to: 0),
        line.objectsPerSecond.map { Int($0).grouped } ?? "–",
        line.ratioToYAJL?.rounded(to: 2) ?? "–",
        line.ratioToJSONDecoder?.rounded(to: 1) ?? "–",
        line.peakMemoryBytes.map { (Double($0) / 1e6).rounded(to: 0) + " MB" } ?? "–",
      ])
    }
    let size = (Double(result.byteCount) / 1e6).rounded(to: 1)
    return """
      \(result.document), \(size) MB; best of \(runs); chunks of \(chunkSize.grouped) bytes

      \(table.text)
      """
  }

  private func chunkTable(_ lines: [ChunkTrial.Line]) -> String {
    let names = present(lines.first?.megabytesPerSecond)
    var table = TextTable(header: ["MB/s by chunk size"] + names)
    for line in lines {
      table.append(["\(line.chunkSize / 1024) KiB"] + speeds(line.megabytesPerSecond, of: names))
    }
    return table.text
  }

  private func scaleTable(_ lines: [ScaleTrial.Line]) -> String {
    let names = present(lines.first?.megabytesPerSecond)
    var table = TextTable(header: ["MB/s by document size"] + names)
    for line in lines {
      let size = (Double(line.byteCount) / 1e6).rounded(to: 0)
      table.append(["\(size) MB"] + speeds(line.megabytesPerSecond, of: names))
    }
    return table.text
  }

  private func tokenTable(_ lines: [TokenTrial.Line]) -> String {
    var table = TextTable(header: ["10 MB token, chunks of 4 KiB", "contestant", "seconds"])
    for line in lines {
      let outcome = line.seconds?.rounded(to: 3) ?? "refused: \(line.failure ?? "")"
      table.append([line.token, line.contestant, outcome])
    }
    return table.text
  }

  private func graphTable(_ bars: [Bar]) -> String {
    var table = TextTable(header: ["the graph, best of \(runs)", "", "bar", ""])
    for bar in bars {
      let limit = bar.bar.map { "\(bar.isFloor ? "≥" : "≤") \($0.rounded(to: 1)) \(bar.unit)" }
      table.append([
        bar.name, "\(bar.value.rounded(to: 2)) \(bar.unit)", limit ?? "–",
        bar.isMet.map { $0 ? "met" : "missed" } ?? "",
      ])
    }
    return table.text
  }

  /// The contestants that have figures, in the order of the field.
  private func present(_ speeds: [String: Double]?) -> [String] {
    Field.contestants.map(\.name).filter { speeds?[$0] != nil }
  }

  private func speeds(_ speeds: [String: Double], of names: [String]) -> [String] {
    names.map { speeds[$0]?.rounded(to: 0) ?? "–" }
  }
}
