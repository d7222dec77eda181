// What is written for each object of an entity, compiled once: a list of steps, each with its key
// as ready bytes and the number of its column. Nothing is looked up by name while objects are
// written.
//
// Raw memory: the buffers are filled in `init`, never written afterwards and freed with the plan,
// which is what makes the class Sendable. Steps point into `keys`. A writer holds the plan for as
// long as it reads from them.

/// How the objects of a model are written.
final class ExportPlan: @unchecked Sendable {
  let schema: ModelSchema
  let options: ExportOptions
  let steps: UnsafeMutablePointer<ExportStep>
  /// Steps that write a value alone, without a key.
  let values: UnsafeMutablePointer<ExportStep>
  let slots: UnsafeMutablePointer<ExportSlot>
  /// By entity number.
  let entities: UnsafeMutablePointer<EntityExport>
  let relationships: UnsafeMutablePointer<RelationshipExport>
  let patterns: [DatePattern]
  let transformers: [CustomTransformer]
  let constants: [[UInt8]]
  private let keys: UnsafeMutablePointer<UInt8>

  /// Compiles a plan.
  ///
  /// - Throws: ``ExportError`` where the options name what the model does not have, or too many objects
  ///   share one JSON object.
  convenience init(_ schema: ModelSchema, _ options: ExportOptions) throws {
    var builder = try ExportPlanBuilder(schema, options)
    try builder.compile()
    self.init(builder)
  }

  private init(_ builder: ExportPlanBuilder) {
    schema = builder.schema
    options = builder.options
    patterns = builder.patterns
    transformers = builder.transformers
    constants = builder.constants
    keys = Self.copy(builder.keys)
    steps = .allocate(capacity: max(builder.steps.count, 1))
    for (index, draft) in builder.steps.enumerated() {
      var step = draft.step
      step.key = UnsafePointer(keys + draft.key)
      (steps + index).initialize(to: step)
    }
    values = Self.copy(builder.values)
    slots = Self.copy(builder.slots)
    entities = Self.copy(builder.entities)
    relationships = Self.copy(builder.relationships)
  }

  deinit {
    steps.deallocate()
    values.deallocate()
    slots.deallocate()
    entities.deallocate()
    relationships.deallocate()
    keys.deallocate()
  }

  private static func copy<Element>(_ source: [Element]) -> UnsafeMutablePointer<Element> {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(source.count, 1))
    _ = buffer.initialize(from: source)
    return buffer.baseAddress.unsafelyUnwrapped
  }
}
