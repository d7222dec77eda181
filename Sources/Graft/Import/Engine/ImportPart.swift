/// A part of the engine, with the state that all parts share during one import.
///
/// Each part keeps this state itself, because what is looked at for each value must be one step away.
class ImportPart {
  final let plan: ImportPlan
  final let schema: ModelSchema
  final let options: ImportOptions
  final let transaction: GraphTransaction
  final let outcomes: ObjectOutcomes
  final let position: DocumentPosition
  final let parsers: EntityParserStack
  final let diagnostics: ImportDiagnostics

  init(_ plan: ImportPlan, _ options: ImportOptions, _ transaction: GraphTransaction) {
    self.plan = plan
    self.options = options
    self.transaction = transaction
    schema = transaction.schema
    outcomes = ObjectOutcomes(entityCount: schema.entities.count)
    position = DocumentPosition(plan)
    parsers = EntityParserStack()
    diagnostics = ImportDiagnostics(
      plan: plan, schema: schema, options: options, parsers: parsers, position: position)
  }

  /// Creates a part of the same import.
  init(_ other: ImportPart) {
    plan = other.plan
    schema = other.schema
    options = other.options
    transaction = other.transaction
    outcomes = other.outcomes
    position = other.position
    parsers = other.parsers
    diagnostics = other.diagnostics
  }
}
