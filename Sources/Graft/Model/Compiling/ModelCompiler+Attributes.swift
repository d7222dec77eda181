extension ModelCompiler {
  /// A reader of an attribute's annotations, which reports on the entity that declares it.
  func reader(for attribute: AttributeDescription, in entity: Int) -> AnnotationReader {
    AnnotationReader(
      userInfo: attribute.userInfo, entity: entities[entity].name, property: attribute.name,
      log: log)
  }

  /// Compiles an attribute from its declaration and its annotations.
  func compileAttribute(
    _ declared: PropertyTable.Declared<AttributeDescription>, _ notes: AttributeNotes
  ) -> AttributeSchema {
    let attribute = declared.property
    let reader = reader(for: attribute, in: declared.entity)
    let bounds = AttributeChecks(attribute, reader).run()
    reader.check(attribute.policies, on: .attribute)
    var schema = AttributeSchema(
      name: attribute.name,
      type: attribute.type,
      isOptional: attribute.isOptional,
      defaultValue: attribute.defaultValue,
      paths: reader.paths(of: attribute.paths, or: notes.place).paths
    )
    schema.dateFormat = notes.dateFormat
    if let transformer = attribute.transformer {
      schema.transformer = transformer.kind
      schema.transformerName = transformer.readyMadeName ?? "\(reader.entity).\(attribute.name)"
    } else {
      schema.transformerName = notes.transformerName ?? attribute.transformerName
      schema.transformer =
        schema.transformerName.flatMap { transformer(named: $0, reader) } ?? notes.readyMade
    }
    if schema.transformer == .hexColor, ![.string, .transformable].contains(attribute.type) {
      reader.error(
        "a colour is kept as text, and no \(attribute.type.rawValue) holds that; make it a String or a"
          + " Transformable")
    }
    schema.policies = attribute.policies.over(notes.policies)
    // That an attribute is written as its value needs no saying.
    if schema.policies.export == .nested { schema.policies.export = nil }
    schema.minimum = bounds.minimum
    schema.maximum = bounds.maximum
    schema.pattern = attribute.pattern
    schema.isStrict = notes.isStrict
    schema.isIndexed = attribute.isIndexed
    schema.domain = attribute.domain
    return schema
  }

  private func transformer(named name: String, _ reader: AnnotationReader) -> TransformerKind? {
    if let transformer = extensions.transformers[name] ?? .named(name) { return transformer.kind }
    let message =
      "no transformer \"\(name)\" is registered" + hint(for: name, in: extensions.transformers.keys)
    reportMissing(message, entity: reader.entity, property: reader.property)
    return nil
  }
}
