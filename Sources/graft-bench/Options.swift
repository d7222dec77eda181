import CommandLineSupport

/// The options of the command line.
struct Options: Sendable {
  enum Task: Sendable {
    case help
    case measure
    /// Write the feed to a file and leave it there.
    case writeFeed(String)
    /// In a child process: run one contestant once and print the peak of memory.
    case measureMemory(String)
    /// In a child process: do some work of some size once, and print its time and memory.
    case measureGrowth(String)
    /// In a child process: run a command once, and print its time and memory.
    case measureCommand(String)
    /// Run another build in turns with this one.
    case compareBuilds(String)
  }

  enum Trial: String, CaseIterable {
    case comparison
    case chunks
    case scale
    case tokens
    case graph
    case engines
    case growth
    case peers
  }

  var task = Task.measure
  var trials: [Trial] = []
  /// The size of the generated document in bytes.
  var size = 100_000_000
  var runs = 5
  var chunkSize = 65_536
  var printsJSON = false
  var measuresMemory = true
  /// Names of the contestants to run; empty means all.
  var only: [String] = []
  /// A document to read instead of the generated feed.
  var file: String?
  var model: String?
  /// The entity and place of a file's objects, such as `Tweet@statuses`.
  var root: String?
  /// The arguments of the command line.
  private let arguments: [String]

  private static let options = [
    "--compare", "--chunks", "--scale", "--tokens", "--graph", "--engines", "--growth", "--peers",
    "--all", "--size", "--runs", "--chunk-size", "--only", "--no-memory", "--against", "--smoke",
    "--json", "--model",
    "--root", "--write-feed", "--measure-memory", "--measure-growth", "--measure-command", "--help",
    "-h",
  ]

  init(arguments: [String]) throws(UsageError) {
    self.arguments = arguments
    var reader = ArgumentReader(arguments, command: "graft-bench", options: Self.options)
    while let argument = try reader.next() {
      switch argument {
      case .option(let option): try take(option, &reader)
      case .operand(let operand):
        if let file { throw UsageError("one FILE at a time, found \(operand) after \(file)") }
        file = operand
      }
    }
    if trials.isEmpty { trials = [.comparison] }
    guard (model == nil) == (root == nil), model == nil || file != nil else {
      throw UsageError("--model, --root and FILE belong together")
    }
  }

  private mutating func take(
    _ option: String, _ reader: inout ArgumentReader
  ) throws(UsageError) {
    switch option {
    case "--size": size = try reader.number(of: option, "MB", atLeast: 1) * 1_000_000
    case "--runs": runs = try reader.number(of: option, atLeast: 1)
    case "--chunk-size": chunkSize = try reader.byteCount(of: option)
    case "--only":
      only = try reader.value(of: option, "NAME,...").split(separator: ",").map(String.init)
    case "--json": printsJSON = true
    case "--no-memory": measuresMemory = false
    case "--smoke": (size, runs, trials) = (4_000_000, 2, [.comparison, .graph])
    case "--all": trials = Trial.allCases
    case "--compare": trials.append(.comparison)
    case "--chunks": trials.append(.chunks)
    case "--scale": trials.append(.scale)
    case "--tokens": trials.append(.tokens)
    case "--graph": trials.append(.graph)
    case "--engines": trials.append(.engines)
    case "--growth": trials.append(.growth)
    case "--peers": trials.append(.peers)
    case "--against": task = .compareBuilds(try reader.value(of: option, "PATH"))
    case "--model": model = try reader.value(of: option, "PATH")
    case "--root": root = try reader.value(of: option, "ENTITY[@PATH]")
    case "--write-feed": task = .writeFeed(try reader.value(of: option, "FILE"))
    case "--measure-memory": task = .measureMemory(try reader.value(of: option, "NAME"))
    case "--measure-growth": task = .measureGrowth(try reader.value(of: option, "WORK:SIZE"))
    case "--measure-command":
      task = .measureCommand(try reader.value(of: option, "ARRAY OF JSON"))
    default: task = .help
    }
  }
}

extension Options {
  /// The arguments with which each build is run once, where two are compared.
  var argumentsOfBuilds: [String] {
    var rest = arguments
    while let index = rest.firstIndex(where: { $0 == "--against" || $0.hasPrefix("--against=") }) {
      rest.removeSubrange(index...(rest[index] == "--against" ? index + 1 : index))
    }
    let end = rest.firstIndex(of: "--") ?? rest.endIndex
    rest.insert(contentsOf: ["--runs", "1", "--no-memory", "--json"], at: end)
    return rest
  }

  /// The same options for the generated feed, regardless of the given file.
  var ofFeed: Options {
    var options = self
    (options.file, options.model, options.root) = (nil, nil, nil)
    return options
  }

  /// The text of `graft-bench --help`.
  static let help = """
    usage: graft-bench [options] [--model PATH --root ENTITY[@PATH] FILE]

    Measures how fast JSON becomes a graph, against YAJL alone and against Foundation's decoders,
    on a deterministic feed of tweets that it makes itself, or on a file of yours. MB are millions
    of bytes; of several runs the best counts. The decoders read the fields that the import maps,
    but leave dates and identifiers as texts; of other files JSONSerialization makes its tree only.

    What to measure (default: --compare)
      --compare         all contestants on one document; peak memory of each in its own process
      --chunks          chunks from 1 KiB to 1 MiB
      --scale           documents from 1 MB to 1 GB, made while they are read
      --tokens          a string, escapes and a number of 10 MB each, in chunks of 4 KiB
      --graph           uniquing a million objects, reading and changing them, export
      --engines         YAJL alone, and the import with either engine: the feed with all, half and
                        a tenth of its keys mapped, and numbers of which all are
      --growth          what documents and models can make large, at three sizes: how time and
                        memory grow, with the exponent
      --peers           Graft and programs that one may pick instead, where they are installed, each a
                        process of its own, by processor time and peak memory, as Markdown: msgspec,
                        orjson, duckdb and sqlite-utils with python3, jq, and graft beside this program
      --all             all of these

    How
      --size MB         size of the feed (default 100)
      --runs N          runs of each contestant (default 5)
      --chunk-size N    bytes fed at a time (default 65536)
      --only NAME,...   some contestants only: yajl, parser, native-parser, import, native,
                        decoder, serialization; kinds of growth; peers
      --no-memory       leave out the memory measurements
      --smoke           4 MB, two runs: does everything work?
      --json            print the figures as JSON
      --against PATH    run PATH, another build of graft-bench, in turns with this one, with the
                        same options, and print each figure of both with its ratio

    Real documents
      FILE              read FILE instead of the feed (without a model: as a timeline)
      --model PATH      model of the import, as for graft import
      --root ENTITY[@PATH]   entity and place of the objects to import

      --write-feed FILE      write the feed to FILE, for use with other programs
      --help                 print this
    """
}
