extension ModelCompiler {
  /// Settles by which attributes an entity's objects are found again: its own, or those of the
  /// entity above.
  func resolveIdentity(
    of schema: inout EntitySchema, own: IdentityNotes?, _ attributes: [AttributeNotes],
    parent: EntitySchema?
  ) {
    let inherited = parent?.identity ?? []
    let reader = reader(for: schema.number)
    let notes = identityOfAttributes(attributes, of: schema, reader) ?? own
    schema.identity = inherited
    if let notes, !(notes.yieldsToInherited && !inherited.isEmpty) {
      let found = self.attributes(named: notes, of: schema.number, reader)
      switch notes.strength {
      case .convention where found.isEmpty: break
      default: schema.identity = notes.extendsInherited ? inherited.union(with: found) : found
      }
    }
    guard !schema.identity.isEmpty else { return }
    if let parent, parent.identity == schema.identity {
      schema.identityRoot = parent.identityRoot
    } else if let parent, !parent.identity.isEmpty {
      log.warning(
        "identified otherwise than its super-entity \(parent.name), by whose identity its "
          + "objects are not found; "
          + "identify both alike", entity: schema.name)
    }
    for number in schema.identity where schema.attributes[number].paths.isEmpty {
      log.warning(
        "identity attribute \"\(schema.attributes[number].name)\" has no place in JSON, so "
          + "imported objects lack it; "
          + "annotate where it stands", entity: schema.name)
    }
  }

  /// The numbers of the attributes that some notes name in an entity; what is not found is reported
  /// as the notes demand.
  func attributes(
    named notes: IdentityNotes, of number: Int, _ reader: AnnotationReader
  ) -> [Int] {
    let table = tables[number]
    if case .convention = notes.strength {
      let found = notes.names.lazy.compactMap { table.attributeNumbers[$0] }.first
      return found.map { [$0] }?.filter { table.attributes[$0].property.type != .transformable }
        ?? []
    }
    var numbers: [Int] = []
    for name in notes.names {
      guard let found = table.attributeNumbers[name] else {
        reportUnknown(name, notes, in: number, reader)
        continue
      }
      if table.attributes[found].property.type == .transformable {
        reader.error(
          "\(notes.annotation) names \"\(name)\", a Transformable, which cannot identify "
            + "objects; choose another type"
        )
      } else if !numbers.contains(found) {
        numbers.append(found)
      }
    }
    return numbers
  }

  /// Finds the attribute by which updates are compared.
  func resolveModifiedAttribute(of schema: inout EntitySchema, _ name: String?) {
    guard let name else { return }
    let reader = reader(for: schema.number)
    guard let number = tables[schema.number].attributeNumbers[name] else {
      reader.error(
        "JSONModified names \"\(name)\", which is no attribute", near: name,
        in: Array(tables[schema.number].attributeNumbers.keys))
      return
    }
    if schema.attributes[number].type.tellsAge {
      schema.modifiedAttribute = number
    } else {
      reader.error(
        "JSONModified names \"\(name)\", a \(schema.attributes[number].type.rawValue), "
          + "expected a date, a number or a text")
    }
  }

  /// The identity that attributes claim for themselves; the first counts.
  private func identityOfAttributes(
    _ attributes: [AttributeNotes], of schema: EntitySchema, _ reader: AnnotationReader
  ) -> IdentityNotes? {
    let claims = attributes.indices.filter { attributes[$0].identityAnnotation != nil }
    guard let first = claims.first, let annotation = attributes[first].identityAnnotation else {
      return nil
    }
    let names = claims.map { schema.attributes[$0].name }
    if names.count > 1 {
      reader.warning(
        "\(names.joined(separator: ", ")) are all annotated with \(annotation); only "
          + "\"\(names[0])\" counts"
      )
    }
    return IdentityNotes(names: [names[0]], strength: .required(annotation: annotation))
  }

  private func reportUnknown(
    _ name: String, _ notes: IdentityNotes, in number: Int, _ reader: AnnotationReader
  ) {
    let table = tables[number]
    let kind =
      table.relationshipNumbers[name] == nil ? "which is no attribute" : "which is a relationship"
    let known = table.attributeNumbers.keys
    let message = "\(notes.annotation) names \"\(name)\", \(kind) of \(entities[number].name)"
    if case .attempted = notes.strength {
      reader.warning(message + ", so there is no identity" + suggestion(for: name, in: known))
    } else {
      reader.error(message, near: name, in: Array(known))
    }
  }
}

extension IdentityNotes {
  /// The annotation that names the attributes.
  fileprivate var annotation: String {
    switch strength {
    case .required(let annotation), .attempted(let annotation): annotation
    case .convention: "convention"
    }
  }
}

extension [Int] {
  /// These numbers, followed by those of the others that are not among them.
  fileprivate func union(with others: [Int]) -> [Int] {
    self + others.filter { !contains($0) }
  }
}
