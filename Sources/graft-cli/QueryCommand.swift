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
        "--where", "--orphans", "--delete", "--order-by", "--reverse", "--limit", "--follow",
        "--output", "--help", "-h",
      ])
    var operands: [String] = []
    var condition: DatabaseCondition?
    var isOfOrphans = false
    var deletes = false
    var attribute: String?
    var order = SortOrder.forward
    var limit: Int?
    var relationships: [String] = []
    var output = Output.json
    while let argument = try reader.next() {
      switch argument {
      case .option("--where"):
        condition = DatabaseCondition(sql: try reader.value(of: "--where", "SQL"))
      case .option("--orphans"): isOfOrphans = true
      case .option("--delete"): deletes = true
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
    if deletes {
      guard isOfOrphans else {
        throw UsageError(
          "--delete deletes objects that nothing refers to; say so with --orphans, and look at them first"
            + " without --delete")
      }
      guard attribute == nil, limit == nil, relationships.isEmpty else {
        throw UsageError(
          "--delete prints no objects; leave out --order-by, --limit and --follow, and say which objects with"
            + " --where")
      }
    }
    let database = try ImportTarget.open(operands[0])
    try database.model.check(operands[1])
    if deletes {
      let count = try database.deleteOrphans(of: operands[1], where: condition)
      try Console.print("\(Amount.count(count, "object")) of \(operands[1]) deleted")
      return .success
    }
    if isOfOrphans {
      let orphans = try database.orphans(of: operands[1])
      condition = condition.map { orphans && $0 } ?? orphans
    }
    let objects = try database.objects(
      operands[1], where: condition, orderedBy: attribute, order, limit: limit,
      following: relationships)
    do {
      try print(
        objects, of: database.model, as: output,
        nesting: styles(of: relationships, from: operands[1], in: database.model))
    } catch let error as ExportError where error.kind == .notRead {
      guard let path = (error.underlyingError as? StoreError)?.following else { throw error }
      let paths = (relationships + [path]).joined(separator: ",")
      throw UsageError("what \(path) leads to has to be read for this; give --follow \(paths)")
    }
    return .success
  }

  /// Styles that nest the objects to which relationships lead, whatever the model says.
  ///
  /// - Parameters:
  ///   - paths: The names of relationships, with dots between those that lead on.
  ///   - entity: The name of the entity at which they begin.
  ///   - model: The model, which has all of them.
  /// - Returns: The styles, by the names of entities and relationships.
  private static func styles(
    of paths: [String], from entity: String, in model: GraphModel
  ) -> [String: [String: ExportStyle]] {
    var styles: [String: [String: ExportStyle]] = [:]
    for path in paths {
      var owner: String? = entity
      for name in path.split(separator: ".").map(String.init) {
        guard let current = owner else { break }
        styles[current, default: [:]][name] = .nested
        owner = destination(of: name, from: current, in: model)
      }
    }
    return styles
  }

  /// The entity to which a relationship leads that an entity declares or inherits.
  private static func destination(
    of relationship: String, from entity: String, in model: GraphModel
  ) -> String? {
    var current = model.entity(named: entity)
    while let owner = current {
      if let found = owner.relationships.first(where: { $0.name == relationship }) {
        return found.destination
      }
      current = owner.superentity.flatMap { model.entity(named: $0) }
    }
    return nil
  }

  private static func print(
    _ objects: [GraphObject], of model: GraphModel, as output: Output,
    nesting styles: [String: [String: ExportStyle]]
  ) throws {
    let graph = objects.first?.graph ?? GraphStore(model: model).graph
    if output == .graph {
      return ExportCommand.tell(try graph.writeCanonicalJSON { try Console.write(Data($0)) })
    }
    var options = ExportOptions()
    options.isNDJSON = output == .ndjson
    options.styles = styles
    try ExportCommand.print(.objects(objects), model, options)
  }
}
