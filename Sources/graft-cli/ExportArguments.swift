import CommandLineSupport
import Graft
import GraftExport

/// The arguments of `graft export`.
struct ExportArguments {
  /// The objects to write.
  enum Selection: Equatable {
    /// The objects of the roots.
    case roots
    case entity(String)
    case graph
  }

  private static let options = [
    "--from", "--select", "--all", "--output", "--pretty", "--ndjson", "--sorted", "--depth",
    "--relationships", "--style", "--repeats", "--omit-null", "--omit-empty",
  ]

  /// The import before the export.
  private(set) var input: ImportArguments
  let selection: Selection
  let export: ExportOptions
  /// The file that is written; nil for standard output.
  let output: String?
  /// The database whose objects are written; nil for those of files.
  let database: String?

  /// Reads the arguments.
  ///
  /// - Throws: ``UsageError`` for the first that makes no sense.
  init(_ arguments: [String]) throws(UsageError) {
    var selection = Selection.roots
    var export = ExportOptions()
    var output: String?
    var database: String?
    input = try ImportArguments(
      arguments, command: "graft export", others: Self.options,
      needsFiles: !arguments.contains { $0 == "--from" || $0.hasPrefix("--from=") }
    ) { (option, reader) throws(UsageError) in
      switch option {
      case "--from": database = try reader.value(of: option, "DATABASE")
      case "--select", "--all":
        guard selection == .roots else {
          throw UsageError(
            "\(option) does not go with another --select or --all; an export writes one selection")
        }
        selection = option == "--all" ? .graph : .entity(try reader.value(of: option, "ENTITY"))
      case "--output":
        let file = try reader.value(of: option, "FILE")
        output = file == "-" ? nil : file
      default: try Self.take(option, &reader, &export)
      }
    }
    if database != nil, let file = input.files.first {
      throw UsageError(
        "unexpected \"\(file.operand)\"; --from writes objects of a database, and imports no files")
    }
    if database != nil, let option = input.firstOption {
      throw UsageError(
        "\(option) does not go with --from, which writes objects of a database and imports no files"
      )
    }
    try OutputPath.check(
      output, of: "--output", besides: input.paths + [database ?? "", input.report ?? ""])
    if export.isPretty, export.isNDJSON {
      throw UsageError("--pretty does not go with --ndjson, which writes an object on each line")
    }
    if output == nil { try input.checkReport(besides: "the objects") }
    // An export prints no summary, so the coverage is printed by itself.
    input.output = .none
    self.selection = database != nil && selection == .roots ? .graph : selection
    self.database = database
    self.export = export
    self.output = output
  }

  private static func take(
    _ option: String, _ reader: inout ArgumentReader, _ export: inout ExportOptions
  ) throws(UsageError) {
    switch option {
    case "--pretty": export.isPretty = true
    case "--ndjson": export.isNDJSON = true
    case "--sorted": export.keyOrder = .sorted
    case "--depth": export.depth = try reader.number(of: option)
    case "--relationships": export.relationships = try reader.choice(of: option)
    case "--repeats": export.repeats = try reader.choice(of: option)
    case "--omit-null": export.writesNull = false
    case "--omit-empty": export.writesEmpty = false
    default: try takeStyle(try reader.value(of: option, form), &export)
    }
  }

  private static let form = "ENTITY.PROPERTY=nested|identifier|omit"

  /// Takes the style of one property: `Tweet.author=identifier`.
  private static func takeStyle(
    _ text: String, _ export: inout ExportOptions
  ) throws(UsageError) {
    let halves = text.split(separator: "=", maxSplits: 1)
    let names = halves.first?.split(separator: ".", maxSplits: 1) ?? []
    guard halves.count == 2, names.count == 2 else {
      throw UsageError("--style takes \(form), found \"\(text)\"")
    }
    guard let style = ExportStyle(rawValue: String(halves[1])) else {
      throw ArgumentReader.unknown(
        String(halves[1]), of: "--style \(halves[0])", ExportStyle.allCases.map(\.rawValue))
    }
    export.styles[String(names[0]), default: [:]][String(names[1])] = style
  }
}
