import CommandLineSupport
import Graft
import GraftDatabase
import GraftPostgres

/// The arguments of `graft import`.
struct ImportArguments {
  /// The settings for the files after them.
  struct FileSettings {
    var entity: String?
    var path: String?
    var format = FormatChoice.auto
    /// The data of the last of server-sent events.
    var endMarker: String?
    var mode = ImportOptions.Mode.upsert
    var errorPolicy = ImportOptions.ErrorPolicy.fail
    var deletesMissing = false
    /// The treatment of an NDJSON line that is not JSON; nil for the treatment that `errorPolicy`
    /// states.
    var brokenLines: ImportOptions.BrokenLinePolicy?
    var unknownKeys = ImportOptions.UnknownKeyPolicy.skip
    var isStrict = false
    /// The effect of an identifier without an object; nil for the effect that the model states.
    var reference: ReferencePolicy?
    /// The path of a mapping.
    var mapping: String?
    /// The request for a URL.
    var request = RequestArguments()
    /// The settings of requests to a server.
    var web = WebSettings()
  }

  /// A file of the command line, and its settings.
  struct File {
    var operand: String
    var settings: FileSettings
  }

  static let options =
    [
      "--model", "--dialect", "--entity", "--at", "--format", "--end-marker", "--mode",
      "--on-error",
      "--reference", "--delete-missing", "--no-delete-missing", "--mapping", "--no-mapping",
      "--on-broken-line", "--unknown-keys", "--strict", "--no-strict", "--chunk-size", "--engine",
      "--coverage", "--into", "--distribute", "--small",
      "--save-every", "--resume",
      "--dry-run", "--report", "--output", "--transformer", "--mapper", "--help", "-h",
    ] + RequestArguments.options + WebSettings.options

  var model = ""
  var dialect: Dialect?
  var extensions = ModelExtensions()
  var chunkSize = 65_536
  var engine = ParserOptions.Engine.default
  var output = OutputChoice.summary
  /// Whether the report lists differences between the model and the document.
  var reportsCoverage = false
  /// Whether only the summary is written.
  var isDryRun = false
  /// The file that the report is written to.
  var report: String?
  /// The database that the files are imported into; nil for a graph in memory.
  var database: String?
  /// Whether the tables of the database are distributed over a cluster.
  var isDistributed = false
  /// The entities whose tables are then on all machines.
  var smallEntities: Set<String> = []
  /// The moments at which objects are saved in the database.
  var saves = SaveChoice()
  /// Whether unfinished imports continue after their last save.
  var isResuming = false
  var files: [File] = []
  var asksForHelp = false
  /// The first of the options that are about an import.
  private(set) var firstOption: String?
  private var settings = FileSettings()
  /// The last option that holds for the files after it, until there is one.
  private var waiting: String?

  /// Reads the arguments.
  ///
  /// - Parameters:
  ///   - arguments: The words after the command.
  ///   - command: The command as the user calls it.
  ///   - others: The options that the command has besides these.
  ///   - needsFiles: Whether there must be files.
  ///   - take: Takes one of the others.
  /// - Throws: ``UsageError`` for the first that makes no sense.
  init(
    _ arguments: [String], command: String = "graft import", others: [String] = [],
    needsFiles: Bool = true,
    take: (String, inout ArgumentReader) throws(UsageError) -> Void = { _, _ in }
  ) throws(UsageError) {
    let own = Self.options.filter { !others.contains($0) }
    var reader = ArgumentReader(arguments, command: command, options: own + others)
    while let argument = try reader.next() {
      switch argument {
      case .operand(let operand):
        files.append(File(operand: operand, settings: settings))
        waiting = nil
      case .option("--help"), .option("-h"):
        asksForHelp = true
        return
      case .option(let option) where others.contains(option):
        try take(option, &reader)
      case .option(let option):
        firstOption = firstOption ?? option
        if try !takeGlobal(option, &reader) {
          try takeForFiles(option, &reader)
          waiting = option
        }
      }
    }
    try check(needsFiles: needsFiles)
  }

  private mutating func takeGlobal(
    _ option: String, _ reader: inout ArgumentReader
  ) throws(UsageError) -> Bool {
    switch option {
    case "--model": model = try reader.value(of: option, "PATH")
    case "--dialect": dialect = try DialectChoice.read(&reader)
    case "--chunk-size": chunkSize = try reader.byteCount(of: option)
    case "--engine": engine = try reader.choice(of: option)
    case "--output": output = try reader.choice(of: option)
    case "--coverage": reportsCoverage = true
    case "--dry-run": isDryRun = true
    case "--report": report = try reader.value(of: option, "FILE")
    case "--into":
      let path = try reader.value(of: option, "PATH")
      guard !path.isEmpty else {
        throw UsageError("--into takes the path of a database, found \"\"")
      }
      database = path
    case "--distribute": isDistributed = true
    case "--small": smallEntities.insert(try reader.value(of: option, "ENTITY"))
    case "--resume": isResuming = true
    case "--save-every": try saves.read(&reader, option)
    case "--transformer":
      try extensions.bindTransformer(reader.value(of: option, "NAME=READY"))
    case "--mapper":
      try extensions.bindMapper(reader.value(of: option, "NAME=KEY:VALUE=ENTITY"))
    default: return false
    }
    return true
  }

  private mutating func takeForFiles(
    _ option: String, _ reader: inout ArgumentReader
  ) throws(UsageError) {
    switch option {
    case "--entity": settings.entity = try reader.value(of: option, "NAME")
    case "--at": settings.path = try reader.value(of: option, "PATH")
    case "--format": settings.format = try reader.choice(of: option)
    case "--end-marker": settings.endMarker = try reader.value(of: option, "TEXT")
    case "--mode": settings.mode = try reader.choice(of: option)
    case "--on-error": settings.errorPolicy = try reader.choice(of: option)
    case "--on-broken-line": settings.brokenLines = try reader.choice(of: option)
    case "--unknown-keys": settings.unknownKeys = try reader.choice(of: option)
    case "--strict": settings.isStrict = true
    case "--no-strict": settings.isStrict = false
    case "--reference": settings.reference = try reader.choice(of: option)
    case "--mapping": settings.mapping = try reader.value(of: option, "PATH")
    case "--no-mapping": settings.mapping = nil
    case "--delete-missing": settings.deletesMissing = true
    case "--no-delete-missing": settings.deletesMissing = false
    case _ where WebSettings.options.contains(option): try settings.web.take(option, &reader)
    default: _ = try settings.request.take(option, &reader)
    }
  }

  /// The files that the import reads or changes.
  var paths: [String] {
    // The path of a file is what follows its roots, which end at some `=`.
    let operands = files.flatMap { file in
      file.operand.indices.filter { file.operand[$0] == "=" }
        .map { String(file.operand[file.operand.index(after: $0)...]) } + [file.operand]
    }
    return operands + [model, database ?? ""] + files.compactMap(\.settings.mapping)
  }

  /// Throws if the report would follow other JSON on standard output.
  func checkReport(besides other: String) throws(UsageError) {
    guard report == "-", !isDryRun else { return }
    throw UsageError(
      "--report - and \(other) would both be JSON on standard output; name a file for one of them")
  }

  private func check(needsFiles: Bool) throws(UsageError) {
    if files.isEmpty, needsFiles {
      throw UsageError("which file? give a path, a URL, or - for standard input")
    }
    try checkRequests()
    try OutputPath.check(report, of: "--report", besides: paths)
    if [.json, .graph].contains(output) {
      try checkReport(besides: "--output \(output.rawValue)")
    }
    let named = files.first { $0.settings.entity != nil || $0.settings.path != nil }
    if model.isEmpty, let named {
      throw UsageError(
        "\(Secrets.removed(from: named.operand)): --entity and --at name what is in a model; give --model PATH, or leave them "
          + "out to have the model inferred")
    }
    if isDistributed, !(database.map(GraphDatabase.isPostgres) ?? false) {
      throw UsageError(
        "--distribute spreads the tables of a database on a Postgres server with Citus; give --into"
          + " postgres://user@host/database")
    }
    if !smallEntities.isEmpty, !isDistributed {
      throw UsageError(
        "--small names entities whose tables are on all machines of a cluster; give --distribute with it"
      )
    }
    if isResuming, files.dropLast().contains(where: \.settings.deletesMissing) {
      throw UsageError(
        "--resume takes one file with --delete-missing: the objects that the other files mentioned are no longer"
          + " known; import all of them again, without --resume")
    }
    if let waiting {
      throw UsageError(withoutFile: waiting)
    }
  }
}

// Options for the annotations of a model.
extension ImportArguments {
  /// One of these options, if it was given.
  var optionOfModel: String? {
    if dialect != nil { return "--dialect" }
    if !extensions.transformers.isEmpty { return "--transformer" }
    return extensions.entityMappers.isEmpty ? nil : "--mapper"
  }

  /// Checks that the model mentions each name that code is bound to.
  func checkExtensions(of model: GraphModel) throws(UsageError) {
    // A mapping may mention transformers too.
    if files.allSatisfy({ $0.settings.mapping == nil }) {
      let names = model.schema.entities.flatMap(\.attributes).compactMap(\.transformerName)
      try check(extensions.transformers.keys, of: "--transformer", are: names)
    }
    let names = model.entities.compactMap { $0.userInfo["entityMapperName"] }
    try check(extensions.entityMappers.keys, of: "--mapper", are: names)
  }

  private func check(
    _ names: some Sequence<String>, of option: String, are mentioned: [String]
  ) throws(UsageError) {
    guard let name = names.sorted().first(where: { !mentioned.contains($0) }) else { return }
    let known = Set(mentioned).sorted().joined(separator: ", ")
    throw UsageError(
      "\(option) binds \"\(name)\", which the model does not mention; it mentions \(known.isEmpty ? "none" : known)"
    )
  }
}

extension UsageError {
  /// Creates the error for an option of files that no file follows.
  init(withoutFile option: String) {
    self.init("\(option) holds for the files that follow it, and none does; put it before the file")
  }
}

// Options for the answers of a server.
extension ImportArguments {
  private func checkRequests() throws(UsageError) {
    let given = files.lazy.compactMap { $0.settings.web.given ?? $0.settings.request.given }.first
    try RequestArguments.check(given, among: files.map(\.operand))
    for file in files {
      try file.settings.web.check()
      if database == nil, let option = file.settings.web.optionOfDatabase {
        throw UsageError(
          "\(option) compares with what a database has, and memory has nothing yet; give --into PATH"
        )
      }
    }
    if files.contains(where: { $0.settings.deletesMissing && $0.settings.web.leavesOutUnchanged }) {
      throw UsageError(
        "--since does not go with --delete-missing: the answer leaves out what has not changed, which is not missing; leave"
          + " out one of them")
    }
    if database == nil, isResuming {
      throw UsageError(
        "--resume continues an import that a database has begun; give --into PATH")
    }
    if database == nil, saves.isGiven {
      throw UsageError("--save-every saves objects in a database; give --into PATH")
    }
    if saves.isInSteps, files.allSatisfy({ $0.settings.web.optionOfOneSave != nil }),
      let option = files.first?.settings.web.optionOfOneSave
    {
      throw UsageError(
        "--save-every does not go with \(option), for which an answer must be whole: it is one save; leave out one of"
          + " them")
    }
  }
}

/// The separator between the documents of a file.
enum FormatChoice: String, CaseIterable {
  case auto
  case json
  case ndjson
  case concatenated
  case sequence = "json-seq"
  case serverSentEvents = "sse"

  /// The format of a parser's options; nil if the file's name or its first bytes decide.
  var format: ParserOptions.Format? { ParserOptions.Format(rawValue: rawValue) }
}

/// The moments at which an import into a database saves.
struct SaveChoice {
  private(set) var policy = ImportOptions.SavePolicy()
  /// Whether the option was given.
  private(set) var isGiven = false

  /// Whether saves before the end were asked for.
  var isInSteps: Bool { isGiven && !policy.isAtEnd }

  /// Reads a value of the option: a number of objects, bytes or seconds, or the end.
  ///
  /// - Throws: ``UsageError`` if it is none of these.
  mutating func read(_ reader: inout ArgumentReader, _ option: String) throws(UsageError) {
    let form = "N|BYTES|SECONDS|end"
    isGiven = true
    let text = try reader.value(of: option, form)
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let number = Double(digits) ?? 0
    switch text.dropFirst(digits.count) {
    case "end" where digits.isEmpty: policy.isAtEnd = true
    case "" where Int(digits).map { $0 >= 1 } == true: policy.objects = Int(digits) ?? 1
    case "s" where number > 0 && number <= 1e6: policy.time = .seconds(number)
    default:
      if !digits.isEmpty, let count = Amount.byteCount(text), count > 0 {
        policy.bytes = count
        return
      }
      throw UsageError(
        "\(option) takes a number of objects (10000), bytes (64MB), seconds (30s) or end; found"
          + " \"\(text)\"")
    }
  }
}

/// The output after an import.
enum OutputChoice: String, CaseIterable {
  case summary
  case graph
  case json
  case none
}

/// A dialect, or none to pick it by the annotations.
enum DialectChoice {
  /// - Throws: ``UsageError`` for a name that is no dialect's.
  static func read(_ reader: inout ArgumentReader) throws(UsageError) -> Dialect? {
    let names = ["auto"] + Dialect.allCases.map(\.rawValue)
    let name = try reader.value(of: "--dialect", names.joined(separator: "|"))
    if name == "auto" { return nil }
    if let dialect = Dialect(rawValue: name) { return dialect }
    throw ArgumentReader.unknown(name, of: "--dialect", names)
  }
}

extension ModelExtensions {
  /// Binds a transformer: `NAME=READY`.
  ///
  /// - Throws: ``UsageError`` if the value has another form.
  mutating func bindTransformer(_ text: String) throws(UsageError) {
    let (name, ready) = try Self.split(text, at: "=", option: "--transformer", form: "NAME=READY")
    guard let transformer = AttributeTransformer.named(ready) else {
      throw ArgumentReader.unknown(
        ready, of: "--transformer \(name)=READY", AttributeTransformer.names)
    }
    transformers[name] = transformer
  }

  /// Binds an entity mapper: `NAME=KEY:VALUE=ENTITY[,VALUE=ENTITY ...]`.
  ///
  /// - Throws: ``UsageError`` if the value has another form.
  mutating func bindMapper(_ text: String) throws(UsageError) {
    let (option, form) = ("--mapper", "NAME=KEY:VALUE=ENTITY[,VALUE=ENTITY ...]")
    let (name, rest) = try Self.split(text, at: "=", option: option, form: form)
    let (key, pairs) = try Self.split(rest, at: ":", option: option, form: form)
    var entities: [String: String] = [:]
    for pair in pairs.split(separator: ",", omittingEmptySubsequences: false) {
      let (value, entity) = try Self.split(String(pair), at: "=", option: option, form: form)
      guard entities.updateValue(entity, forKey: value) == nil else {
        throw UsageError("\(option) \(name) binds the value \"\(value)\" twice")
      }
    }
    do {
      entityMappers[name] = EntityMapper(discriminator: try JSONPath(key), entities: entities)
    } catch {
      throw UsageError("\(option) \(name): \(error)")
    }
  }

  private static func split(
    _ text: String, at mark: Character, option: String, form: String
  ) throws(UsageError) -> (String, String) {
    guard let index = text.firstIndex(of: mark), index > text.startIndex,
      text.index(after: index) < text.endIndex
    else { throw UsageError("\(option) takes \(form), found \"\(text)\"") }
    return (String(text[..<index]), String(text[text.index(after: index)...]))
  }
}
