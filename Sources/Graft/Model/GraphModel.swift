/// The checked, frozen set of entities whose objects a store keeps.
///
/// A model is made once, from descriptions in code or from a file, and is checked when it is made:
/// whatever is wrong in it is found then and not during an import. What is only doubtful is told in
/// ``warnings``.
public struct GraphModel: Sendable {
  /// The entities as they were described, in order.
  public let entities: [EntityDescription]
  /// What is doubtful in the model and does not hinder its use, with the remedy.
  public let warnings: [ModelIssue]
  let schema: ModelSchema

  /// The dialect whose annotations and policies hold.
  public var dialect: Dialect { schema.dialect }

  /// The entity of a name.
  ///
  /// - Parameter name: The name of an entity.
  /// - Returns: The entity as it was described, or nil if the model has none of this name.
  public func entity(named name: String) -> EntityDescription? {
    schema.entityNumbers[name].map { entities[$0] }
  }
}

extension GraphModel {
  /// Creates a model from descriptions of its entities.
  ///
  /// - Parameters:
  ///   - entities: The entities, in any order.
  ///   - dialect: The dialect of the annotations; nil picks it by the annotations that are present.
  ///   - extensions: The code that annotations mention by name.
  /// - Throws: ``ModelError`` with all errors found.
  /// - Complexity: O(*n*) in the number of properties, inherited ones counted for each entity that
  ///   has them.
  public init(
    entities: [EntityDescription],
    dialect: Dialect? = nil,
    extensions: ModelExtensions = ModelExtensions()
  ) throws(ModelError) {
    try self.init(ModelDocument(entities: entities), dialect: dialect, extensions: extensions)
  }

  init(
    _ document: ModelDocument, dialect: Dialect?, extensions: ModelExtensions,
    types: [ObjectIdentifier: Int] = [:]
  ) throws(ModelError) {
    let entities = document.entities
    let log = IssueLog(source: document.source, faults: document.faults)
    if entities.isEmpty { log.error("the model has no entities; declare at least one") }
    guard SizeChecks.run(entities, log: log) else { throw ModelError(log.errors) }
    let detection = DialectDetection(entities)
    let dialect = dialect ?? detection.dialect
    detection.report(chosen: dialect, log: log)
    AnnotationChecks(dialect, log: log).run(entities)
    let compiler = ModelCompiler(
      entities, rules: dialect.rules, extensions: extensions, log: log)
    let compiled = compiler.compile()
    guard log.errors.isEmpty else { throw ModelError(log.errors) }
    HierarchyChecks(dialect, log: log).run(compiled)
    self.init(
      entities: entities, warnings: log.warnings,
      schema: ModelSchema(entities: compiled, dialect: dialect, types: types))
  }
}
