/// Finds the attributes that identify objects, and the attributes that decide whether an update is
/// newer.
final class IdentityCompiler {
  private let entities: [EntityDescription]
  private let tables: [PropertyTable]
  private let log: IssueLog

  init(_ entities: [EntityDescription], _ tables: [PropertyTable], log: IssueLog) {
    self.entities = entities
    self.tables = tables
    self.log = log
  }

  /// Decides the identity of an entity: its own, or else the one of the entity above.
  ///
  /// - Parameters:
  ///   - schema: The entity, its attributes compiled.
  ///   - own: The identity that the entity's own annotations name.
  ///   - attributes: The annotations of the entity's attributes.
  ///   - parent: The entity above.
  func settleIdentity(
    of schema: inout EntitySchema.Fields, own: IdentityNotes?, _ attributes: [AttributeNotes],
    parent: EntitySchema.Fields?
  ) {
    let inherited = parent?.declaredIdentity ?? []
    let reader = AnnotationReader(entities[schema.number], log: log)
    let notes = claimedIdentity(attributes, of: schema, reader) ?? own
    schema.declaredIdentity = inherited
    if let notes, !(notes.yieldsToInherited && !inherited.isEmpty) {
      let found = self.attributes(named: notes, of: schema.number, reader)
      switch notes.strength {
      case .convention where found.isEmpty: break
      default:
        schema.declaredIdentity =
          notes.extendsInherited ? inherited + found.filter { !inherited.contains($0) } : found
      }
    }
    // Sort by name, so that the order in which a model lists its identity makes no difference to keys.
    schema.identity = schema.declaredIdentity.inOrder {
      schema.attributes[$0].name < schema.attributes[$1].name
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
    if schema.identity.allSatisfy({ schema.attributes[$0].type == .boolean }) {
      log.warning(
        "identified by \(schema.declaredIdentity.map { "\"\(schema.attributes[$0].name)\"" }.joined(separator: " and ")),"
          + " which is only true or false, so there can be no more than"
          + " \(1 << min(schema.identity.count, 16)) objects; name an attribute with a value of its own"
          + " for each object", entity: schema.name)
    }
    for number in schema.identity where schema.attributes[number].paths.isEmpty {
      log.warning(
        "identity attribute \"\(schema.attributes[number].name)\" has no place in JSON, so "
          + "imported objects lack it; "
          + "\(log.words.placing) where it is found", entity: schema.name)
    }
  }

  /// Returns the numbers of the attributes that are named in an entity.
  ///
  /// Unknown names are reported as strictly as the notes demand.
  func attributes(
    named notes: IdentityNotes, of number: Int, _ reader: AnnotationReader
  ) -> [Int] {
    let table = tables[number]
    let source: String
    switch notes.strength {
    case .convention:
      let found = notes.names.lazy.compactMap { table.attributeNumbers[$0] }.first
      return found.map { [$0] }?.filter { table.attributes[$0].property.type != .transformable }
        ?? []
    case .required(let name), .attempted(let name): source = reader.words.name(of: name)
    }
    var numbers: [Int] = []
    for name in notes.names {
      guard let found = table.attributeNumbers[name] else {
        reportUnknown(name, source, notes.strength, in: number, reader)
        continue
      }
      if table.attributes[found].property.type == .transformable {
        reader.error(
          "\(source) names \"\(name)\", \(reader.words.transformable), which cannot identify "
            + "objects; choose another type"
        )
      } else if !numbers.contains(found) {
        numbers.append(found)
      }
    }
    return numbers
  }

  /// Returns the number of the attribute by which updates of an entity are compared.
  func modifiedAttribute(named name: String, of schema: EntitySchema.Fields) -> Int? {
    let reader = AnnotationReader(entities[schema.number], log: log)
    let numbers = tables[schema.number].attributeNumbers
    guard let number = numbers[name] else {
      reader.error(
        "\(reader.words.name(of: "JSONModified")) names \"\(name)\", which is no attribute",
        near: name, in: Array(numbers.keys))
      return nil
    }
    guard schema.attributes[number].type.ordersVersions else {
      reader.error(
        "\(reader.words.name(of: "JSONModified")) names \"\(name)\","
          + " \(reader.words.article(schema.attributes[number].type)), "
          + "expected a date, a number or a string")
      return nil
    }
    return number
  }

  /// Returns the identity that attributes claim by annotations of their own; the first counts.
  private func claimedIdentity(
    _ attributes: [AttributeNotes], of schema: EntitySchema.Fields, _ reader: AnnotationReader
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
    _ name: String, _ source: String, _ strength: IdentityNotes.Strength, in number: Int,
    _ reader: AnnotationReader
  ) {
    let table = tables[number]
    let kind =
      table.relationshipNumbers[name] == nil ? "which is no attribute" : "which is a relationship"
    let known = table.attributeNumbers.keys
    let message = "\(source) names \"\(name)\", \(kind) of \(entities[number].name)"
    if case .attempted = strength {
      reader.warning(message + ", so there is no identity" + suggestion(for: name, in: known))
    } else {
      reader.error(message, near: name, in: Array(known))
    }
  }
}
