extension ObjectWriter {
  /// An error about an attribute's value.
  func failure(
    _ kind: ExportError.Kind, _ step: UnsafePointer<ExportStep>, _ id: ObjectID,
    _ message: String, underlyingError: (any Error)? = nil
  ) -> ExportError {
    let entity = plan.schema.entities[id.entity]
    let property = entity.attributes[Int(step.pointee.number)].name
    return ExportError(
      kind, entity: entity.name, property: property, object: id,
      "\(describe(id)): \(property): \(message)", underlyingError: underlyingError)
  }

  /// The error for a value that JSON has no number for.
  func noNumber(
    _ text: String, _ step: UnsafePointer<ExportStep>, _ id: ObjectID
  ) -> ExportError {
    failure(.invalidValue, step, id, "JSON has no number for \(text); leave the property out")
  }

  /// An object in words: its entity and its identity, or its place without one.
  func describe(_ id: ObjectID) -> String {
    let entity = plan.schema.entities[id.entity]
    let values = entity.identity.compactMap { number in
      AttributeValue(
        graph.value(id, attribute: number), type: entity.attributes[number].type)?.text
    }
    return values.isEmpty
      ? "\(entity.name) in row \(id.row + 1)"
      : "\(entity.name) \(values.joined(separator: ", "))"
  }
}
