/// Writes objects of a graph as JSON, by the mapping by which an import reads them.
///
/// ```swift
/// let exporter = try JSONExporter(model: store.model)
/// let text = try exporter.data(.entity("Tweet", of: store.graph))
/// ```
///
/// Paths make nested objects, transformers and date formats are reversed, and what has no place in
/// JSON is left out. Of several paths the first is written that can be: one without a wildcard,
/// that does not lead through another property's value.
///
/// - Related objects are nested, stand as their identities, or are left out, as `JSONExport` and
///   the ``ExportOptions`` say. An object that is met inside itself stands as its identity; one that
///   has none is left out there. Elsewhere an object is written as often as it is met
///   (``ExportOptions/repeats``).
/// - The relationship that leads back to where an object was reached from is left out, since its
///   owner says it already; one that has an order of its own and more than one member stands as
///   identities.
/// - An identity is bare where it is one attribute, and else an object of what an import needs: the
///   identity, required attributes, the sub-entity's discriminator. A stub is never more than that.
/// - Members of a to-many relationship without order stand in order of entity and insertion. Where
///   its path ends with `.*` they stand under names: the attribute at `@key`, which each must then
///   have and no two may share, or their identity.
public struct JSONExporter: Sendable {
  /// How the exporter writes objects.
  public let options: ExportOptions
  let plan: ExportPlan
  private let model: GraphModel

  /// Creates an exporter, and compiles the model's mapping for it.
  ///
  /// - Parameters:
  ///   - model: The model of the graphs whose objects will be written: their store's own.
  ///   - options: How they are written.
  /// - Throws: ``ExportError`` where the options name what the model does not have, or too many objects
  ///   share one JSON object.
  /// - Complexity: O(*n*) in the number of properties, inherited ones counted for each entity that
  ///   has them.
  public init(model: GraphModel, options: ExportOptions = ExportOptions()) throws {
    self.model = model
    self.options = options
    plan = try ExportPlan(model.schema, options)
  }

  /// Writes objects to a consumer, chunk by chunk.
  ///
  /// - Parameters:
  ///   - content: The objects.
  ///   - output: Takes the bytes as they come, some tens of thousands at a time; they are valid
  ///     only while it runs.
  /// - Throws: ``ExportError`` where an object cannot be written, ``StoreError`` for an unknown
  ///   entity, what a sequence or `output` throws; what was handed over is then cut short.
  /// - Complexity: O(*n*) in the size of what is written; memory for one chunk and what is open,
  ///   with the names of its members, and one bit for each object where repetitions are avoided.
  public func write(_ content: ExportContent, to output: (RawSpan) throws -> Void) throws {
    try withoutActuallyEscaping(output) { output in
      let start = content.anyGraph ?? Graph(layout: StoreLayout(model: model))
      guard start.schema === plan.schema else {
        throw ExportError(
          .model,
          "the objects follow another model than the exporter was made for; make one for it")
      }
      var writer = ContentWriter(plan: plan, graph: start, to: output)
      try writer.write(content)
    }
  }
}
