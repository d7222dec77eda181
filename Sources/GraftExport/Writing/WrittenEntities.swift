// Finds out whether an import of the output gives an object the entity that it has. A discriminator names that entity;
// a mapper is asked about the very text that was written, which is held until the object ends.

import Graft

extension ObjectWriter {
  /// Begins to hold the text of an object, if an import asks a mapper about it.
  @inline(never)
  mutating func beginAsking(about id: ObjectID, by relationship: Int?) {
    if mistake(about: id, by: relationship) == .mapped { asked.append(json.buffer.count) }
  }

  /// Notes whether an import finds the entity of an object that was written in full.
  @inline(never)
  mutating func noteEntity(of id: ObjectID, by relationship: Int?) {
    guard !plan.mistakes[id.entity].isEmpty else { return }
    switch mistake(about: id, by: relationship) {
    case .mapped?:
      guard let start = asked.popLast() else { return }
      let expected = place(by: relationship) ?? id.entity
      if mappedEntity(ofTextFrom: start, expected) != id.entity {
        losses.noteWithoutSubentity(id, .mappedOtherwise)
        return
      }
    case .unnamed?: return losses.noteWithoutSubentity(id, .unnamedSubentity)
    case .unknown?: return losses.noteWithoutSubentity(id, .unknownMapper)
    case nil: break
    }
    if place(by: relationship) != nil { losses.noteSubentity(id) }
  }

  /// Notes that an import makes an object of another entity from a reference with several values.
  ///
  /// In a whole graph the object itself has a place of its own.
  @inline(never)
  mutating func noteEntity(ofReferenceTo id: ObjectID, by relationship: Int?) {
    if traversal.reachability == nil, mistake(about: id, by: relationship) == .unnamed {
      losses.noteWithoutSubentity(id, .unnamedSubentity)
    }
  }

  /// Notes the entities of objects in one array, which an import expects to be of the nearest entity above all of them.
  mutating func noteEntities(ofElements ids: [ObjectID], above entity: Int) {
    for id in ids {
      switch plan.mistakes[id.entity][entity] {
      case .unnamed?: losses.noteWithoutSubentity(id, .unnamedSubentity)
      case .unknown?: losses.noteWithoutSubentity(id, .unknownMapper)
      case nil: losses.noteSubentity(id)
      case .mapped?: break
      }
    }
  }

  /// The entity that an import expects at a place; nil if that is not known yet.
  private func place(by relationship: Int?) -> Int? {
    relationship.map { plan.relationships[$0].destination } ?? outermostEntity
  }

  private func mistake(about id: ObjectID, by relationship: Int?) -> EntityMistake? {
    plan.mistakes[id.entity][place(by: relationship) ?? id.entity]
  }

  /// Returns the entity that an import gives to an object, by its text; nil if it refuses the object.
  private func mappedEntity(ofTextFrom start: Int, _ expected: Int) -> Int? {
    // A comma and white space may come first.
    let value = json.buffer.withBytes(from: start) { text in
      text.firstIndex { $0 != 0x2C && $0 > 0x20 }.flatMap { JSONValue(text[$0..<text.count]) }
    }
    // A mapper is asked about objects only.
    guard case .object(let members)? = value else { return expected }
    let entity = plan.schema.entities[expected]
    do {
      let name = try entity.mapper?.run(entity.dictionaryTransformer?.run(members) ?? members)
      guard let name else { return expected }
      return plan.schema.entityNumbers[name].flatMap { entity.family.contains($0) ? $0 : nil }
    } catch {
      return nil
    }
  }
}

extension JSONValue {
  /// Reads one value; nil if the text is no JSON.
  fileprivate init?(_ text: BorrowedBuffer<UInt8>) {
    let receiver = ValueReceiver()
    let reader = EventParser(
      sendingTo: receiver, options: ParserOptions(limits: .none))
    do {
      try reader.parse(text)
      try reader.finish()
    } catch {
      return nil
    }
    guard let value = receiver.value else { return nil }
    self = value
  }
}

/// Makes one value of a document's events.
private final class ValueReceiver: EventReceiver {
  private struct Container {
    var isArray: Bool
    var key = ""
    var members: [String: JSONValue] = [:]
    var elements: [JSONValue] = []
  }

  private(set) var value: JSONValue?
  private var open: [Container] = []

  func null() { add(.null) }
  func boolean(_ value: Bool) { add(.boolean(value)) }
  func number(_ bytes: BorrowedBuffer<UInt8>) { add(.number(text(bytes))) }
  func string(_ bytes: BorrowedBuffer<UInt8>) { add(.string(text(bytes))) }
  func key(_ bytes: BorrowedBuffer<UInt8>) { open[open.count - 1].key = text(bytes) }
  func startObject() { open.append(Container(isArray: false)) }
  func startArray() { open.append(Container(isArray: true)) }
  func endObject() { end() }
  func endArray() { end() }

  private func text(_ bytes: BorrowedBuffer<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  private func end() {
    let container = open.removeLast()
    add(container.isArray ? .array(container.elements) : .object(container.members))
  }

  private func add(_ value: JSONValue) {
    guard let last = open.indices.last else {
      self.value = value
      return
    }
    if open[last].isArray {
      open[last].elements.append(value)
    } else {
      open[last].members[open[last].key] = value
    }
  }
}
