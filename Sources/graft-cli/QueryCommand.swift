import CommandLineSupport
import Foundation
import Graft
import GraftDatabase

/// `graft query`: prints objects of a database.
enum QueryCommand {
  /// What is printed.
  private enum Output: String, CaseIterable {
    case json
    case ndjson
    case graph
  }

  static func run(_ arguments: [String]) throws -> ExitStatus {
    var reader = ArgumentReader(
      arguments, command: "graft query",
      options: [
        "--where", "--order-by", "--reverse", "--limit", "--follow", "--output", "--help", "-h",
      ])
    var operands: [String] = []
    var condition: DatabaseCondition?
    var attribute: String?
    var order = SortOrder.forward
    var limit: Int?
    var relationships: [String] = []
    var output = Output.json
    while let argument = try reader.next() {
      switch argument {
      case .option("--where"):
        condition = DatabaseCondition(sql: try reader.value(of: "--where", "SQL"))
      case .option("--order-by"): attribute = try reader.value(of: "--order-by", "NAME")
      case .option("--reverse"): order = .reverse
      case .option("--limit"): limit = try reader.number(of: "--limit")
      case .option("--follow"):
        relationships += try reader.value(of: "--follow", "REL[,REL]").split(separator: ",")
          .map(String.init)
      case .option("--output"): output = try reader.choice(of: "--output")
      case .option:
        try Console.print(Help.query)
        return .success
      case .operand(let operand): operands.append(operand)
      }
    }
    guard operands.count == 2 else {
      throw UsageError(
        operands.count < 2
          ? "which objects? give the path of a database and the name of an entity"
          : "unexpected \"\(operands[2])\"; one database and one entity are given")
    }
    if order == .reverse, attribute == nil {
      throw UsageError("--reverse needs an order; give --order-by NAME")
    }
    let database = try ImportTarget.open(operands[0])
    try database.model.check(operands[1])
    let objects = try database.objects(
      operands[1], where: condition, orderedBy: attribute, order, limit: limit,
      following: relationships)
    do {
      try print(objects, of: database.model, as: output)
    } catch let error as ExportError where error.kind == .notRead {
      guard let path = (error.underlyingError as? StoreError)?.following else { throw error }
      let paths = (relationships + [path]).joined(separator: ",")
      throw UsageError("what \(path) leads to has to be read for this; give --follow \(paths)")
    }
    return .success
  }

  private static func print(
    _ objects: [GraphObject], of model: GraphModel, as output: Output
  ) throws {
    let graph = objects.first?.graph ?? GraphStore(model: model).graph
    if output == .graph {
      return try graph.writeCanonicalJSON { try Console.write(Data($0)) }
    }
    var options = ExportOptions()
    options.isNDJSON = output == .ndjson
    try ExportCommand.print(.objects(objects), model, options)
  }
}
