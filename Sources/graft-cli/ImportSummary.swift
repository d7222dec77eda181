import CommandLineSupport
import Graft

/// Summarizes an import for a person.
struct ImportSummary {
  private let target: ChosenTarget
  private var lines: [String] = []

  init(of run: ImportRun) {
    target = run.target
    for (index, report) in run.reports.enumerated() {
      append(report, of: run.inputs[index], isLast: index == run.reports.count - 1)
    }
    if run.inputs.count > 1 { appendTotals() }
    lines += run.coverageLines
  }

  var text: String { lines.joined(separator: "\n") }

  /// Adds the results of a file's import.
  private mutating func append(_ report: ImportReport, of input: Input, isLast: Bool) {
    if !lines.isEmpty { lines.append("") }
    lines.append(
      "\(input.name): \(Amount.count(report.byteCount, "byte")) in \(Amount.duration(report.duration)), "
        + Amount.speed(byteCount: report.byteCount, duration: report.duration))
    for root in report.roots {
      let place = root.root.path.steps.isEmpty ? "" : "@\(root.root.path)"
      lines.append("  \(root.root.entity)\(place): \(Amount.count(root.objects, "object"))")
    }
    append(report.entities)
    let later = input.isList ? "the same page" : isLast ? nil : "this file"
    append(noticesOf: report, filledOutside: later)
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

  private mutating func append(noticesOf report: ImportReport, filledOutside part: String?) {
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
    append(stubsOf: report, filledOutside: part, to: &notices)
    if !notices.isEmpty { lines += [""] + notices.map { "  \($0)" } }
  }

  /// Adds the objects that are known by identifier only.
  ///
  /// A later page or file may have filled some of them. Only those that the report lists are looked up.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - part: The part of the input outside which they may have been filled; nil if there is no other.
  ///   - notices: The lines.
  private func append(
    stubsOf report: ImportReport, filledOutside part: String?, to notices: inout [String]
  ) {
    let graph = target.reportedGraph
    let stubs = report.unfilledStubs.compactMap { graph.object($0) }.filter(\.isStub)
    let more = report.unfilledStubCount - report.unfilledStubs.count
    guard stubs.count + more > 0 else { return }
    let part = more == 0 ? nil : part
    let count = part == nil ? stubs.count + more : report.unfilledStubCount
    notices.append(
      "\(Amount.count(count, "object")) known by identifier only,"
        + " \(part.map { "not filled by \($0)" } ?? "never filled")\(stubs.isEmpty ? "" : ":")")
    notices += stubs.map { "  \($0)" }
    if count > stubs.count, !stubs.isEmpty {
      notices.append("  and \(Amount.number(count - stubs.count)) more")
    }
  }
}
