import CommandLineSupport
import Foundation
import Graft
import GraftInference

/// `graft infer`: infers the model of documents, and prints it.
enum InferCommand {
  static func run(_ words: [String]) async throws -> ExitStatus {
    let arguments = try InferArguments(words)
    if arguments.asksForHelp {
      try Console.print(Help.infer)
      return .success
    }
    let sources = try arguments.files.map { try Input.source($0.name, $0.request) }
    let canReadAgain =
      !arguments.readsOnce && arguments.files.allSatisfy { InputFile.isRegularFile($0.name) }
    let inferred = try await infer(
      arguments.files, sources, arguments.options, again: canReadAgain ? sources : nil)
    let model = try inferred.graphModel()
    for warning in model.warnings { Console.complain("warning: \(warning)") }
    for notice in inferred.notices { Console.complain("notice: \(notice)") }
    if let path = arguments.against {
      return try compare(model, with: path)
    }
    if arguments.explains {
      let lines =
        roots(of: inferred, arguments.files)
        + reliability(of: inferred, readsOnce: arguments.readsOnce)
        + explanation(of: inferred, withLosses: arguments.showsLosses)
      try Console.print(lines.joined(separator: "\n"))
      return .success
    }
    let output = ModelOutput(arguments.output, path: arguments.path)
    switch arguments.output {
    case .html:
      let title = arguments.files.map { URL(fileURLWithPath: $0.label).lastPathComponent }
      try output.write(Data(inferred.htmlPage(title: title.joined(separator: ", ")).utf8))
    case .swift where arguments.writesDocument:
      output.tellOmissions(of: model)
      try output.write(Data(try inferred.swiftSourceWithExample().utf8))
    default: try output.print(model)
    }
    return .success
  }

  /// Infers one model from files.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - sources: The sources of their bytes.
  ///   - options: The options of the inference.
  ///   - again: The sources for a second reading; nil if the bytes can be read only once.
  /// - Returns: The model.
  /// - Throws: ``FileError`` that names the file.
  static func infer(
    _ files: [InferArguments.File], _ sources: [ImportSource], _ options: InferenceOptions,
    again: [ImportSource]?
  ) async throws -> InferredModel {
    var options = options
    for file in files { options.entityNames.merge(file.entityNames) { given, _ in given } }
    let inference = ModelInference(options: options)
    for (file, source) in zip(files, sources) {
      let line = ProgressLine(of: file.label)
      defer { line?.clear() }
      var parser = ParserOptions()
      parser.format = file.format.format
      parser.endMarker = file.endMarker
      parser.engine = .native
      do {
        try await inference.readDocument(
          from: source, rootName: file.rootName, options: parser
        ) { line?.show($0) }
      } catch {
        line?.clear()
        throw FileError(file: file.label, error: error)
      }
    }
    do {
      guard let again else { return try inference.finish() }
      return try await inference.finish(readingAgain: again)
    } catch let error as InferenceError {
      throw FileError(file: files.first?.label ?? "", error: error)
    }
  }

  /// Returns the sentence that counts are estimated, if they are.
  private static func reliability(of model: InferredModel, readsOnce: Bool) -> [String] {
    guard !model.isVerified else { return [] }
    let remedy =
      readsOnce
      ? "without --once the files are read a second time, and their counts are exact"
      : "a file is read a second time, and its counts are exact"
    return ["estimated from one reading; \(remedy)"]
  }

  /// Returns the findings in the order of reading: entities, relationships, attributes, doubts, and
  /// losses of an export.
  private static func explanation(of model: InferredModel, withLosses showsLosses: Bool) -> [String]
  {
    let (losses, findings) = (
      model.findings.filter { $0.certainty == .loss },
      model.findings.filter { $0.certainty != .loss }
    )
    func isSure(_ finding: InferenceFinding) -> Bool { finding.certainty != .guess }
    var parts: [(heading: String, lines: [String])] = [
      ("What there is", model.overview),
      (
        "What tells it apart",
        table(
          findings.filter {
            $0.topic == .entity && isSure($0) && !$0.evidence.hasSuffix("no identity")
          })
      ),
      (
        "How it hangs together",
        model.structure + table(findings.filter { $0.topic == .relationship && isSure($0) })
      ),
      ("What values are", table(findings.filter { $0.topic == .attribute && isSure($0) })),
      ("What is doubtful", table(findings.filter { !isSure($0) })),
    ]
    if showsLosses {
      parts.append(("What an export writes otherwise (--no-losses leaves this out)", table(losses)))
    }
    return parts.filter { !$0.lines.isEmpty }.flatMap { ["", $0.heading, ""] + $0.lines }
  }

  private static func table(_ findings: [InferenceFinding]) -> [String] {
    var table = TextTable()
    for finding in findings {
      table.append([finding.certainty.rawValue, finding.subject, finding.evidence])
    }
    return table.lines
  }

  /// Returns the roots with which the model imports each file.
  private static func roots(
    of model: InferredModel, _ files: [InferArguments.File]
  ) -> [String] {
    zip(model.roots, files).compactMap { root, file in
      guard let root else { return "\(file.label): nothing that could be an object" }
      let path = root.path.steps.isEmpty ? "" : "@\(root.path)"
      return "import as \(root.entity)\(path)=\(file.label)"
    }
  }

  /// Prints the differences between a model and an existing one.
  private static func compare(_ model: GraphModel, with path: String) throws -> ExitStatus {
    let old = try ModelFile.read(
      path, dialect: nil, extensions: ModelExtensions(toleratesMissing: true))
    let difference = ModelDifference(from: old, to: model)
    for line in difference.lines { try Console.print(line) }
    return difference.lines.isEmpty ? .success : .issues
  }
}

/// The arguments of `graft infer`.
struct InferArguments {
  /// A document.
  struct File {
    var name: String
    /// The name of the objects, if the file is an array of them.
    var rootName: String?
    /// The places of the objects in the file that the operand names.
    var roots: [InferredModel.Root] = []
    var format: FormatChoice
    /// The data of the last of server-sent events.
    var endMarker: String?
    var request: RequestArguments

    /// The file as messages name it, without the secrets of an address.
    var label: String { Secrets.removed(from: name) }

    /// - Parameters:
    ///   - operand: `[ROOT[,ROOT ...]=]FILE`, where a root is a name or a name and a path.
    ///   - format: The separator between the documents of the file.
    ///   - endMarker: The data of the last of server-sent events.
    ///   - request: The request for a URL.
    init(_ operand: String, format: FormatChoice, endMarker: String?, request: RequestArguments) {
      name = operand
      self.format = format
      self.endMarker = endMarker
      self.request = request
      guard !FileManager.default.fileExists(atPath: operand),
        let split = RootSplit.named(operand)
      else { return }
      name = split.file
      if split.roots.count == 1, split.roots[0].path.steps.isEmpty {
        rootName = split.roots[0].entity
      } else {
        roots = split.roots
      }
    }

    /// The names of entities that the roots give, by their paths.
    var entityNames: [String: String] {
      Dictionary(
        roots.map { ($0.path.description, $0.entity) }, uniquingKeysWith: { first, _ in first })
    }
  }

  static let names = [
    "--keep", "--not", "--rename", "--entity", "--identity", "--against", "--explain",
    "--no-losses", "--once", "--certainty", "--document", "--output", "--to", "--format",
    "--end-marker", "--help", "-h",
  ]

  /// The options that hold for the files after them.
  private static let namesForFiles = ["--format", "--end-marker"] + RequestArguments.options

  var files: [File] = []
  var options = InferenceOptions()
  var output = ModelOutput.Form.schema
  /// The file or folder that is written; nil for standard output.
  var path: String?
  var against: String?
  var explains = false
  /// Whether the explanation has the losses of an export.
  var showsLosses = true
  /// Whether files are read only once, so that figures are estimated.
  var readsOnce = false
  /// Whether Swift has an example that reads the document.
  var writesDocument = false
  var asksForHelp = false

  /// Reads the arguments.
  ///
  /// - Throws: ``UsageError`` for the first that makes no sense.
  init(_ words: [String]) throws(UsageError) {
    var reader = ArgumentReader(
      words, command: "graft infer", options: Self.names + RequestArguments.options)
    var format = FormatChoice.auto
    var endMarker: String?
    var request = RequestArguments()
    var isOutputGiven = false
    var waiting: String?
    while let argument = try reader.next() {
      if case .option(let option) = argument, Self.namesForFiles.contains(option) {
        waiting = option
      }
      switch argument {
      case .operand(let operand):
        files.append(File(operand, format: format, endMarker: endMarker, request: request))
        waiting = nil
      case .option("--help"), .option("-h"):
        asksForHelp = true
        return
      case .option("--format"): format = try reader.choice(of: "--format")
      case .option("--end-marker"): endMarker = try reader.value(of: "--end-marker", "TEXT")
      case .option("--explain"): explains = true
      case .option("--no-losses"): showsLosses = false
      case .option("--once"): readsOnce = true
      case .option("--document"): writesDocument = true
      case .option("--certainty"):
        options.minimumCertainty = try Self.certainty(try reader.value(of: "--certainty", "NAME"))
      case .option("--against"): against = try reader.value(of: "--against", "MODEL")
      case .option("--output"):
        output = try reader.choice(of: "--output")
        isOutputGiven = true
      case .option("--to"): path = try reader.value(of: "--to", "PATH")
      case .option(let option):
        if try !request.take(option, &reader) { try take(option, &reader) }
      }
    }
    if files.isEmpty {
      throw UsageError("which file? give a path, a URL, or - for standard input")
    }
    try OutputPath.check(path, of: "--to", besides: files.map(\.label) + [against ?? ""])
    if let waiting { throw UsageError(withoutFile: waiting) }
    try RequestArguments.check(
      files.lazy.compactMap(\.request.given).first, among: files.map(\.name))
    try checkForm(isOutputGiven: isOutputGiven)
  }

  /// Checks that no option is about another form of the result than the one that is written.
  private func checkForm(isOutputGiven: Bool) throws(UsageError) {
    let form = against != nil ? "--against" : explains ? "--explain" : nil
    if let form, isOutputGiven || path != nil {
      throw UsageError(
        "\(form) prints lines, and no form of the model; leave out \(isOutputGiven ? "--output" : "--to")"
      )
    }
    if against != nil, explains {
      throw UsageError("--against does not go with --explain; leave out one of them")
    }
    if !showsLosses, !explains {
      throw UsageError("--no-losses is about --explain; give --explain with it")
    }
    if writesDocument, output != .swift {
      throw UsageError("--document adds an example to Swift source; give --output swift with it")
    }
  }

  private static func certainty(
    _ name: String
  ) throws(UsageError) -> InferenceFinding.Certainty {
    let known: [InferenceFinding.Certainty] = [.certain, .likely, .guess]
    if let found = known.first(where: { $0.rawValue == name }) { return found }
    throw ArgumentReader.unknown(name, of: "--certainty", known.map(\.rawValue))
  }

  private mutating func take(
    _ option: String, _ reader: inout ArgumentReader
  ) throws(UsageError) {
    switch option {
    case "--keep": options.kept.insert(try reader.value(of: option, "ENTITY.PROPERTY"))
    case "--not": options.omitted.insert(try reader.value(of: option, "ENTITY.PROPERTY"))
    case "--rename":
      let (old, new) = try pair(of: option, "OLD=NEW", &reader)
      options.renames[old] = new
    case "--entity":
      let (path, name) = try pair(of: option, "PATH=NAME", &reader)
      options.entityNames[path] = name
    default:
      let (entity, attributes) = try pair(of: option, "ENTITY=ATTRIBUTES", &reader)
      options.identities[entity] =
        attributes == "-" ? [] : attributes.split(separator: ",").map(String.init)
    }
  }

  private func pair(
    of option: String, _ form: String, _ reader: inout ArgumentReader
  ) throws(UsageError) -> (String, String) {
    let text = try reader.value(of: option, form)
    guard let mark = text.lastIndex(of: "="), mark > text.startIndex,
      text.index(after: mark) < text.endIndex
    else { throw UsageError("\(option) takes \(form), found \"\(text)\"") }
    return (String(text[..<mark]), String(text[text.index(after: mark)...]))
  }
}
