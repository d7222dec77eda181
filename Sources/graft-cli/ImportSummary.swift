import CommandLineSupport
import Graft

/// Summarizes an import for a person.
struct ImportSummary {
  private let target: ChosenTarget
  private var lines: [String] = []

  init(of run: ImportRun) {
    target = run.target
    for (input, report) in zip(run.inputs, run.reports) { append(report, of: input.name) }
    if run.inputs.count > 1 { appendTotals() }
    lines += run.coverageLines
  }

  var text: String { lines.joined(separator: "\n") }

  /// Adds the results of a file's import.
  private mutating func append(_ report: ImportReport, of file: String) {
    if !lines.isEmpty { lines.append("") }
    lines.append(
      "\(file): \(Amount.count(report.byteCount, "byte")) in \(Amount.duration(report.duration)), "
        + Amount.speed(byteCount: report.byteCount, duration: report.duration))
    for root in report.roots {
      let place = root.root.path.steps.isEmpty ? "" : "@\(root.root.path)"
      lines.append("  \(root.root.entity)\(place): \(Amount.count(root.objects, "object"))")
    }
    append(report.entities)
    append(noticesOf: report)
  }

  /// Adds the current content of the graph.
  private mutating func appendTotals() {
    var table = TextTable(alignment: .right)
    table.append(["in the graph", "objects"])
    for entity in target.model.entities.sorted(by: { $0.name < $1.name }) {
      let count = target.count(of: entity.name)
      if count > 0 { table.append([entity.name, Amount.number(count)]) }
    }
    lines += [""] + table.lines
  }

  private mutating func append(_ entities: [ImportReport.EntityCount]) {
    guard !entities.isEmpty else { return }
    let hasDeleted = entities.contains { $0.deleted > 0 }
    var table = TextTable(alignment: .right)
    table.append(["", "inserted", "updated", "unchanged"] + (hasDeleted ? ["deleted"] : []))
    for entity in entities {
      let counts = [entity.inserted, entity.updated, entity.unchanged]
      let cells = (counts + (hasDeleted ? [entity.deleted] : [])).map(Amount.number)
      table.append([entity.entity] + cells)
    }
    lines += [""] + table.lines.map { "  \($0)" }
  }

  private mutating func append(noticesOf report: ImportReport) {
    var notices: [String] = []
    if report.skippedNullCount > 0 {
      notices.append("\(Amount.count(report.skippedNullCount, "null")) in arrays skipped")
    }
    if report.ignoredReferenceCount > 0 {
      notices.append(
        "\(Amount.count(report.ignoredReferenceCount, "unknown identifier")) skipped")
    }
    if report.issueCount > 0 {
      notices.append("\(Amount.count(report.issueCount, "issue")) skipped")
    }
    if report.unfilledStubCount > 0 {
      let stubs = Amount.count(report.unfilledStubCount, "object")
      notices.append(
        "\(stubs) known by identifier only, never filled\(report.unfilledStubs.isEmpty ? "" : ":")")
      let graph = target.reportedGraph
      notices += report.unfilledStubs.compactMap { graph.object($0).map { "  \($0)" } }
      let more = report.unfilledStubCount - report.unfilledStubs.count
      if more > 0, !report.unfilledStubs.isEmpty {
        notices.append("  and \(Amount.number(more)) more")
      }
    }
    if !notices.isEmpty { lines += [""] + notices.map { "  \($0)" } }
  }
}
