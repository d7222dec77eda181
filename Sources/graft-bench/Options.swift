/// What the command line asks for.
struct Options: Sendable {
  enum Task: Sendable {
    case help
    case measure
    /// Write the feed to a file and leave it there.
    case writeFeed(String)
    /// In a child process: run one contestant once and print the peak of memory.
    case measureMemory(String)
  }

  enum Trial: String, CaseIterable {
    case comparison
    case chunks
    case scale
    case tokens
    case graph
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

  init(arguments: some Sequence<String>) throws {
    var arguments = ArgumentReader(arguments)
    while let argument = arguments.next() {
      try take(argument, from: &arguments)
    }
    if trials.isEmpty { trials = [.comparison] }
    guard (model == nil) == (root == nil), model == nil || file != nil else {
      throw UsageError("--model, --root and FILE belong together")
    }
  }

  private mutating func take(_ argument: String, from arguments: inout ArgumentReader) throws {
    switch argument {
    case "--help", "-h": task = .help
    case "--size": size = try arguments.positiveNumber(after: argument) * 1_000_000
    case "--runs": runs = try arguments.positiveNumber(after: argument)
    case "--chunk-size": chunkSize = try arguments.positiveNumber(after: argument)
    case "--only":
      only = try arguments.value(after: argument).split(separator: ",").map(String.init)
    case "--json": printsJSON = true
    case "--no-memory": measuresMemory = false
    case "--smoke": (size, runs, trials) = (4_000_000, 2, [.comparison, .graph])
    case "--all": trials = Trial.allCases
    case "--compare": trials.append(.comparison)
    case "--chunks": trials.append(.chunks)
    case "--scale": trials.append(.scale)
    case "--tokens": trials.append(.tokens)
    case "--graph": trials.append(.graph)
    case "--model": model = try arguments.value(after: argument)
    case "--root": root = try arguments.value(after: argument)
    case "--write-feed": task = .writeFeed(try arguments.value(after: argument))
    case "--measure-memory": task = .measureMemory(try arguments.value(after: argument))
    case _ where argument.hasPrefix("-"):
      throw UsageError("unknown option \(argument); graft-bench --help lists them")
    case _ where file == nil: file = argument
    default: throw UsageError("one FILE at a time, found \(argument) after \(file ?? "")")
    }
  }
}
