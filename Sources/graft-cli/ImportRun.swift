import CommandLineSupport
import Foundation
import Graft
import GraftExport
import GraftHTTP
import Synchronization

/// Imports files into one graph, for a command that prints it.
struct ImportRun {
  let target: ChosenTarget
  let inputs: [Input]
  /// The report of each input.
  let reports: [ImportReport]

  /// Whether values or objects were skipped.
  var status: ExitStatus { reports.contains { $0.issueCount > 0 } ? .issues : .success }

  /// Returns the mapping of all files, by which their objects are written again; nil if they have different ones, which
  /// a notice tells.
  func mappingOfExport() -> JSONMapping? {
    let mapping = inputs.first?.options.mapping
    if inputs.allSatisfy({ $0.options.mapping == mapping }) { return mapping }
    Console.complain("notice: the files have different mappings; objects are written by the model")
    return nil
  }

  /// Imports the files that a command was given.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the command.
  ///   - listsRootObjects: Whether the reports name the objects of the roots.
  /// - Throws: `ModelError`, ``UsageError`` or ``FileError``.
  init(_ arguments: ImportArguments, listsRootObjects: Bool) async throws {
    if listsRootObjects, let path = arguments.database, !arguments.isDryRun {
      throw UsageError(
        "the objects of one import cannot be printed from a database, which keeps them with all others; use --output"
          + " graph or none, or graft export with --all or --select, and graft query \(Secrets.removed(from: path))"
      )
    }
    let model: GraphModel
    let found: [Input]
    if arguments.model.isEmpty, let present = try DatabaseFile.model(of: arguments.database) {
      model = try ModelFile.read(
        present, dialect: arguments.dialect, extensions: arguments.extensions)
      found = try await Self.inputs(arguments, model)
    } else if arguments.model.isEmpty {
      if let option = arguments.optionOfModel {
        throw UsageError(
          "\(option) is about the annotations of a model, and an inferred model has none of them; give --model PATH"
        )
      }
      (model, found) = try await InferredInputs.infer(arguments)
    } else {
      model = try ModelFile.read(
        arguments.model, dialect: arguments.dialect, extensions: arguments.extensions)
      found = try await Self.inputs(arguments, model)
    }
    inputs = try zip(arguments.files, found).map { file, input in
      var input = input
      input.options.listsRootObjects = listsRootObjects
      input.options.reportsCoverage = arguments.reportsCoverage
      input.options.mapping = try file.settings.mapping.map {
        try MappingFile.read($0, model: model, extensions: arguments.extensions)
      }
      return input
    }
    for warning in model.warnings { Console.complain("warning: \(warning)") }
    try arguments.checkExtensions(of: model)
    let target = try ChosenTarget(arguments, model)
    self.target = target
    var group: ImportGroup?
    var deletionsAreUnknown = false
    var reports: [ImportReport] = []
    for (index, var input) in inputs.enumerated() {
      if group == nil, !deletionsAreUnknown, input.options.deletesMissing {
        group = try target.makeGroup(of: inputs.count - index)
        if group == nil, index + 1 < inputs.count {
          deletionsAreUnknown = true
          Console.complain(
            "notice: a dry run of several files does not tell which objects would be deleted")
        }
      }
      if deletionsAreUnknown { input.options.deletesMissing = false }
      input.options.group = group
      let report = try await Self.read(input, into: target)
      Self.tell(report, of: input)
      reports.append(report)
    }
    if let group, let last = inputs.indices.last {
      do {
        let deletions = try group.finish()
        Self.tell(deletions, of: inputs[last])
        reports[last].append(deletions, limit: .max, in: model)
      } catch {
        throw FileError(file: inputs[last].name, error: error)
      }
    }
    self.reports = reports
    if arguments.reportsCoverage, arguments.output != .summary, !arguments.isDryRun {
      for line in coverageLines { Console.complain(line) }
    }
  }

  private static func inputs(
    _ arguments: ImportArguments, _ model: GraphModel
  ) async throws -> [Input] {
    var inputs: [Input] = []
    for file in arguments.files {
      if let export = await Input(wholeGraph: file, model: model, arguments) {
        inputs.append(export)
      } else {
        inputs.append(try Input(file, model: model, arguments))
      }
    }
    return inputs
  }

  private static func read(
    _ input: Input, into target: ChosenTarget
  ) async throws -> ImportReport {
    let line = ProgressLine(of: input.name)
    defer { line?.clear() }
    let course = ImportCourse(input.options.parser.format)
    var input = input
    input.options.didImportPage = { course.note(ImportedPages(count: $0, canBeResumed: $1)) }
    input.options.willReadResponse = { _, reading in course.note(reading.format) }
    do {
      return try await target.importJSON(input) { line?.show($0) }
    } catch {
      line?.clear()
      let kept = course.pages.flatMap { target.kept(of: $0) }
      if Task.isCancelled {
        throw FileError(
          file: input.name, error: InterruptedImport(keeping: kept ?? target.kept(of: input)))
      }
      let remark = kept.map { "; \($0)" } ?? ""
      switch error {
      case let error as StoreError: throw error
      case let error as ImportError:
        let mayBeEnd =
          error.kind == .invalidJSON && course.format == .serverSentEvents
          && input.options.parser.endMarker == nil
        let remedy =
          mayBeEnd ? "; if this data only ends the events, such as [DONE], give --end-marker" : ""
        throw FileError(file: input.name, error: error.adding(remedy + remark))
      case let error as ImportSourceError:
        throw FileError(file: input.name, error: error.adding(remark))
      default: throw FileError(file: input.name, error: error)
      }
    }
  }

  /// Lists the issues and notices of a file on standard error.
  private static func tell(_ report: ImportReport, of input: Input) {
    for issue in report.issues { Console.complain(Failure.line(issue.error, in: input.name)) }
    let moreIssues = report.issueCount - report.issues.count
    if moreIssues > 0 {
      Console.complain("\(input.name): \(Amount.count(moreIssues, "more issue"))")
    }
    for notice in report.notices {
      Console.complain(Failure.line(notice.error, in: input.name, label: "notice: "))
    }
    let moreNotices = report.noticeCount - report.notices.count
    if moreNotices > 0 {
      Console.complain("\(input.name): \(Amount.count(moreNotices, "more notice"))")
    }
  }
}

/// Counts the pages of a list that are published, even if the next one fails.
struct ImportedPages: Sendable {
  /// The number of published pages, including those before a resumed import.
  var count: Int
  /// Whether a later import can go on after them.
  var canBeResumed: Bool
}

/// Records the progress of an import, for the message of its error.
private final class ImportCourse: Sendable {
  private let state: Mutex<(pages: ImportedPages?, format: ParserOptions.Format?)>

  init(_ format: ParserOptions.Format?) { state = Mutex((nil, format)) }

  /// The pages of a list that are published.
  var pages: ImportedPages? { state.withLock { $0.pages } }
  /// The separator between the documents, if it is given.
  var format: ParserOptions.Format? { state.withLock { $0.format } }

  func note(_ pages: ImportedPages) { state.withLock { $0.pages = pages } }
  func note(_ format: ParserOptions.Format?) { state.withLock { $0.format = format } }
}

extension ImportRun {
  /// The lines of all files' coverage: one for each path or key that does not fit.
  var coverageLines: [String] {
    zip(inputs, reports).flatMap { input, report -> [String] in
      guard let coverage = report.coverage else { return [] }
      let listed = coverage.unreadKeys.reduce(0) { $0 + $1.count }
      var lines = coverage.unfoundEntities.map { "no object of \($0) was found" }
      lines += coverage.unfoundPaths.map { "\($0)" }
      lines = lines.map { "\(input.name): coverage: \($0)" }
      lines += coverage.unreadKeys.map { key in
        "\(input.name):" + "\(key)".replacing(": ", with: ": coverage: ", maxReplacements: 1)
      }
      if listed < coverage.unreadKeyCount {
        let more = Amount.count(coverage.unreadKeyCount - listed, "more key")
        lines.append("\(input.name): coverage: nothing reads \(more)")
      }
      if lines.isEmpty {
        lines.append("\(input.name): coverage: every path was found, and every key was read")
      }
      return lines
    }
  }
}

extension ImportRun {
  /// Returns the objects that the roots of all files gave, in their order.
  ///
  /// The objects of one root as an array, or the single object of the root; of several roots, an
  /// object with a member for each entity.
  func rootObjects() throws -> ExportContent {
    let roots = reports.flatMap(\.roots)
    let graph = try target.graph()
    if roots.count == 1 { return content(of: roots, graph) }
    var entities: [String] = []
    for root in roots where !entities.contains(root.root.entity) {
      entities.append(root.root.entity)
    }
    return .members(
      entities.map { entity in
        (key: entity, content: content(of: roots.filter { $0.root.entity == entity }, graph))
      })
  }

  /// Returns the objects of one entity's roots, without objects that a later file has deleted.
  private func content(of roots: [ImportReport.RootCount], _ graph: Graph) -> ExportContent {
    if roots.count == 1, roots[0].isSingleObject, roots[0].ids.count == 1,
      let object = graph.object(roots[0].ids[0])
    {
      return .object(object)
    }
    return .objects(roots.lazy.flatMap(\.ids).compactMap { graph.object($0) })
  }
}
