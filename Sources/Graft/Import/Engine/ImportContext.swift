/// Holds the state that the parts of the engine share during one import.
///
/// A part takes the context and the parts that it calls, and keeps what it uses: what is looked at for
/// each value is then one step away.
final class ImportContext {
  let plan: ImportPlan
  let schema: ModelSchema
  let options: ImportOptions
  let transaction: GraphTransaction
  let outcomes: ObjectOutcomes
  let position: DocumentPosition
  let parsers: EntityParserStack
  let diagnostics: ImportDiagnostics

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
}
