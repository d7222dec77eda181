/// Decides the entity of an object whose events are in a replay buffer.
///
/// Several parts can decide, in this order. A dictionary transformer may replace the object. Its
/// discriminator, or an entity mapper, names the entity; otherwise it is the one that the model names at
/// this place. An existing object with the same identity may be of an entity below that one, which is then
/// the entity.
///
/// Errors of the object are reported at its start, because a transformer's result has no place in
/// the document.
final class EntityDecider: ImportPart {
  private let converter: ValueConverter
  private let resolver: ObjectResolver

  init(_ shared: ImportPart, converter: ValueConverter, resolver: ObjectResolver) {
    self.converter = converter
    self.resolver = resolver
    super.init(shared)
  }

  /// Finds the container node of an object, by its entity.
  ///
  /// - Parameters:
  ///   - container: The object's container if its entity is the one that the model names.
  ///   - decision: The values that must be known.
  ///   - buffer: The buffer that holds the object's events.
  ///   - object: The event that starts the object; -1 for the object that the buffer is of.
  /// - Returns: The number of the container.
  /// - Throws: The error about the object.
  func container(
    _ container: Int32, _ decision: PlanDecision, in buffer: ReplayBuffer, object: Int
  ) throws(ImportError) -> Int32 {
    var entities: [Int] = []
    for choice in decision.choices {
      if isUnknown(choice, in: buffer, object: object) { position.onlyMention() }
      entities.append(try entity(choice, in: buffer, object: object))
    }
    return decision.variants[entities] ?? container
  }

  private func entity(
    _ choice: PlanDecision.Choice, in buffer: ReplayBuffer, object: Int
  ) throws(ImportError) -> Int {
    let named = try namedEntity(choice, in: buffer, object: object)
    let entity = named ?? choice.entity
    guard named == nil || choice.entitiesWithSubentities.contains(entity),
      let identity = identity(choice, in: buffer, object: object),
      let found = resolver.find(identity, of: choice.entity),
      schema.entities[entity].family.contains(found.entity)
    else { return entity }
    return found.entity
  }

  /// Returns the entity that an object's discriminator or a mapper names; nil if there is none.
  private func namedEntity(
    _ choice: PlanDecision.Choice, in buffer: ReplayBuffer, object: Int
  ) throws(ImportError) -> Int? {
    if let name = discriminator(choice, in: buffer, object: object) {
      if let entity = name.text.flatMap({ choice.values[$0] }) { return entity }
      let error = unknownDiscriminator(choice, at: name, in: buffer, object: object)
      guard let unknown = choice.unknown else { throw error }
      buffer.move(to: name.event)
      defer { buffer.move(to: object) }
      diagnostics.noteUnknown(
        diagnostics.unknown(
          error.found ?? "", taken: schema.entities[unknown].name, entity: error.entity ?? "",
          property: nil, error.message))
      return unknown
    }
    guard let mapper = choice.mapper, !buffer.isArray(object) else { return nil }
    return try map(mapper, choice, in: buffer, object: object)
  }

  /// Returns whether the values of an object that are known name its entities for certain.
  ///
  /// A name decides alone if the entity has none below it. Otherwise the identity must be known too, because the existing
  /// object may be of one of those.
  func isDecided(_ decision: PlanDecision, in buffer: ReplayBuffer) -> Bool {
    decision.choices.allSatisfy { choice in
      guard !choice.entitiesWithSubentities.isEmpty,
        let name = discriminator(choice, in: buffer, object: -1),
        let entity = name.text.flatMap({ choice.values[$0] }) ?? choice.unknown,
        choice.entitiesWithSubentities.contains(entity), !choice.identity.isEmpty
      else { return true }
      return identity(choice, in: buffer, object: -1) != nil
    }
  }

  /// The value at the first discriminator path that is present.
  private struct Discriminator {
    /// The event of the value; the object's event if the value is the object's key.
    var event: Int
    /// The value's text; nil if the value is not a scalar.
    var text: String?
    /// The value in words.
    var found: String
  }

  /// Returns the value that names an object's entity; nil if there is none.
  private func discriminator(
    _ choice: PlanDecision.Choice, in buffer: ReplayBuffer, object: Int
  ) -> Discriminator? {
    for path in choice.discriminators {
      guard path.steps != [.key] else {
        buffer.move(to: object)
        guard let key = buffer.currentKey else { continue }
        let text = String(decoding: key, as: UTF8.self)
        return Discriminator(
          event: object, text: text, found: "the key \(ScalarEvent.string(key).quoted)")
      }
      guard let index = buffer.value(at: path, of: object) else { continue }
      guard let scalar = buffer.scalar(index) else {
        return Discriminator(event: index, text: nil, found: "no scalar")
      }
      guard scalar.kind != .null else { return nil }
      return Discriminator(
        event: index, text: String(decoding: scalar.text, as: UTF8.self), found: scalar.described)
    }
    return nil
  }

  private func unknownDiscriminator(
    _ choice: PlanDecision.Choice, at name: Discriminator, in buffer: ReplayBuffer, object: Int
  ) -> ImportError {
    let entity = schema.entities[choice.entity]
    let known = choice.values.filter { plan.entities[$0.value].isInstantiable }.keys.sorted()
      .map { "\"\($0)\"" }.joined(separator: ", ")
    buffer.move(to: name.event)
    defer { buffer.move(to: object) }
    return ImportError(
      kind: .invalidValue, location: buffer.tokenLocation, path: buffer.path(),
      entity: entity.name, expected: "a sub-entity of \(entity.name) (\(known))",
      found: name.found)
  }

  /// Returns the identity of a buffered object; nil if it has none.
  private func identity(
    _ choice: PlanDecision.Choice, in buffer: ReplayBuffer, object: Int
  ) -> [OwnedValue]? {
    guard !choice.identity.isEmpty else { return nil }
    var values: [OwnedValue] = []
    for part in choice.identity {
      let found = part.paths.lazy.compactMap { path in
        Self.scalar(at: path, of: object, in: buffer).map { (path, $0) }
      }.first
      guard let (path, scalar) = found, scalar.kind != .null,
        let value = converter.convert(
          scalar, path.steps == [.key] ? part.conversion.unwritten : part.conversion, part.property),
        !value.isNull
      else { return nil }
      values.append(OwnedValue(value))
    }
    return values
  }

  /// Returns the scalar at a path of a buffered object.
  private static func scalar(
    at path: JSONPath, of object: Int, in buffer: ReplayBuffer
  ) -> ScalarEvent? {
    guard path.steps == [.key] else {
      return buffer.value(at: path, of: object).flatMap(buffer.scalar)
    }
    buffer.move(to: object)
    return buffer.currentKey.map { .string($0) }
  }

  /// Returns whether an update-only import skips an object with all its content, because it has an
  /// identity that no object in the graph has.
  private func isUnknown(
    _ choice: PlanDecision.Choice, in buffer: ReplayBuffer, object: Int
  ) -> Bool {
    guard options.mode == .updateOnly, !position.isOnlyMentioning,
      let identity = identity(choice, in: buffer, object: object)
    else { return false }
    return resolver.find(identity, of: choice.entity) == nil
  }

  // MARK: Transformers and mappers

  /// Calls the dictionary transformers, which may replace an object.
  ///
  /// - Parameters:
  ///   - rewriters: The transformers, at least one.
  ///   - buffer: The buffer that holds the object's events.
  ///   - object: The event that starts the object; -1 for the object that the buffer is of.
  /// - Returns: A buffer of what they made of it; nil if that is the same.
  /// - Throws: The error about the object or its replacement.
  func rewrite(
    _ rewriters: [PlanDecision.Rewriter], in buffer: ReplayBuffer, object: Int
  ) throws(ImportError) -> ReplayBuffer? {
    let entity = rewriters[0].entity
    let original = try members(of: object, in: buffer, for: entity)
    var members = original
    for rewriter in rewriters {
      do {
        members = try rewriter.code.run(members) ?? members
      } catch {
        throw self.error(
          .invalidValue, rewriter.entity, at: buffer,
          "\(transformerName(rewriter.entity)) threw an error: \(error)", underlyingError: error)
      }
    }
    guard members != original else { return nil }
    let replacement = ReplayBuffer(
      replacing: buffer, object: object, depth: position.depth + 1)
    // A transformer that puts an object of its own entity into the result would be called without end.
    let fault =
      replacement.generation > ReplayBuffer.transformerDepth
      ? .depth : replacement.record(members, as: object, of: buffer)
    if let fault { throw error(fault, entity, at: buffer) }
    return replacement
  }

  /// Returns the entity that a mapper names for an object; nil if it leaves that open.
  private func map(
    _ mapper: ObjectCode<String>, _ choice: PlanDecision.Choice, in buffer: ReplayBuffer,
    object: Int
  ) throws(ImportError) -> Int? {
    let members = try members(of: object, in: buffer, for: choice.entity)
    let entity = schema.entities[choice.entity]
    let mapperName = "the entity mapper \"\(entity.entityMapperName ?? "")\""
    let name: String?
    do {
      name = try mapper.run(members)
    } catch {
      throw self.error(
        .invalidValue, entity.number, at: buffer, "\(mapperName) threw an error: \(error)",
        underlyingError: error)
    }
    guard let name else { return nil }
    if let number = schema.entityNumbers[name], entity.family.contains(number) { return number }
    let family = entity.family.map { schema.entities[$0].name }
    throw error(
      .invalidValue, entity.number, at: buffer,
      "\(mapperName) names \"\(name)\", expected \(entity.name) or an entity below it"
        + suggestion(for: name, in: family))
  }

  /// Returns the members of an object, for a transformer or mapper.
  private func members(
    of object: Int, in buffer: ReplayBuffer, for entity: Int
  ) throws(ImportError) -> [String: JSONValue] {
    buffer.move(to: object)
    guard buffer.depth(of: object) < ReplayBuffer.transformerDepth else {
      throw error(.depth, entity, at: buffer)
    }
    if options.refusesDuplicateKeys, let key = buffer.repeatedKey(of: object) {
      let name = String(decoding: buffer.text(buffer.events[key]), as: UTF8.self)
      throw error(
        .key, entity, at: buffer,
        "the key \"\(name)\" occurs twice in one object; remove one of the two")
    }
    return buffer.members(of: object)
  }

  /// Returns the error about an object that a transformer has made.
  private func error(
    _ fault: ReplayBuffer.Fault, _ entity: Int, at buffer: ReplayBuffer
  ) -> ImportError {
    let transformer = transformerName(entity)
    return switch fault {
    case .number(let text):
      error(
        .invalidValue, entity, at: buffer,
        "\(transformer) returned \"\(text)\" as a number, which is not a JSON number")
    case .depth:
      error(
        .limit, entity, at: buffer,
        "an object that goes through a transformer or mapper is nested deeper than"
          + " \(ReplayBuffer.transformerDepth) levels")
    case .limit:
      error(
        .limit, entity, at: buffer,
        "\(transformer) returned more than \(options.bufferLimit) bytes for it; return less, or raise"
          + " bufferLimit")
    }
  }

  private func transformerName(_ entity: Int) -> String {
    "the dictionary transformer \"\(schema.entities[entity].dictionaryTransformerName ?? "")\""
  }

  /// Returns an error at the current object.
  private func error(
    _ kind: ImportError.Kind, _ entity: Int, at buffer: ReplayBuffer, _ message: String,
    underlyingError: (any Error)? = nil
  ) -> ImportError {
    ImportError(
      kind: kind, location: buffer.tokenLocation, path: buffer.path(),
      entity: schema.entities[entity].name, message: message, underlyingError: underlyingError)
  }
}
