import Graft

extension InferredModel {
  /// Returns the model as Swift source, with an example that imports the document and asks three
  /// things of it.
  ///
  /// - Returns: A file that compiles with Graft and Foundation.
  /// - Throws: ``Graft/ModelError`` where a name that was given does not fit.
  public func swiftSourceWithExample() throws(ModelError) -> String {
    try graphModel().swiftSource + SwiftExampleWriter(self).text
  }
}

/// Writes an example of an import of a document whose model was inferred.
struct SwiftExampleWriter {
  private let model: InferredModel
  private let names: SwiftNames
  /// The entities with objects, sorted by the number of objects, largest first.
  private let entities: [EntityDescription]

  init(_ model: InferredModel) {
    self.model = model
    names = SwiftNames(Set(model.entities.map(\.name)))
    let counts = model.facts.mapValues(\.objectCount)
    entities = model.entities.filter { $0.superentity == nil }.sorted {
      (counts[$0.name] ?? 0, $1.name) > (counts[$1.name] ?? 0, $0.name)
    }
  }

  /// The example; empty where the document has no objects at its root.
  var text: String {
    guard let root = model.roots.first ?? nil else { return "" }
    let path = root.path.steps.isEmpty ? "" : ", at: \(SwiftSourceWriter.quoted("\(root.path)"))"
    let format = model.isNDJSON ? "  options.parser.format = .ndjson\n" : ""
    let questions = [number, object, related].compactMap(\.self)
    return """

      /// Imports a document of this model, and asks a few things of it.
      ///
      /// - Parameter document: Its content.
      /// - Returns: The answers.
      func example(_ document: \(names.qualified("Data"))) throws -> [\(names.qualified("String"))] {
        \(model.isNDJSON ? "var" : "let") options = \(names.qualified("ImportOptions"))()
      \(format)  let store = try \(names.qualified("GraphStore"))(for: \(root.entity).self)
        _ = try store.importJSON(\(root.entity).self\(path), from: document, options: options)
        let graph = store.graph
        var answers: [\(names.qualified("String"))] = []
      \(questions.joined(separator: "\n"))
        return answers
      }

      """
  }

  /// A question for the number of objects of the most frequent entity.
  private var number: String? {
    entities.first.map { entity in
      """
        // The number of objects.
        answers.append("\(entity.name): \\(graph.count(of: \(entity.name).self))")
      """
    }
  }

  /// A question for the object of an identity.
  private var object: String? {
    for entity in entities {
      guard let identity = entity.identity, identity.count == 1,
        let attribute = entity.attributes.first(where: { $0.name == identity[0] }),
        let sample = model.facts[entity.name]?.samples(of: attribute.name).first
      else { continue }
      let literal: String
      switch attribute.type {
      case .string: literal = SwiftSourceWriter.quoted(sample)
      case .integer64: literal = sample
      default: continue
      }
      let property = SwiftNames.escaped(attribute.name)
      return """
          // The object with a given identity.
          let one = graph.objects(\(entity.name).self).filter { $0.\(property) == \(literal) }
          answers.append("\(entity.name) of that \(attribute.name): \\(one.count)")
        """
    }
    return nil
  }

  /// A question for the objects with a relationship to others.
  private var related: String? {
    for entity in entities {
      guard let relationship = entity.relationships.first else { continue }
      let property = SwiftNames.escaped(relationship.name)
      let condition = relationship.isToMany ? "$0.\(property).count > 0" : "$0.\(property) != nil"
      return """
          // The objects with related objects.
          let related = graph.objects(\(entity.name).self).filter { \(condition) }
          answers.append("\(entity.name) with \(relationship.name): \\(related.count)")
        """
    }
    return nil
  }
}
