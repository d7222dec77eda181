// The program's code that looks at whole objects before they are placed: dictionary transformers,
// which replace them, and entity mappers, which say what they are. What is said against an object is
// said of the place where it begins, as what code makes of it stands nowhere else.

extension ImportMachine {
  /// What becomes of an object that the program may rewrite.
  enum Rewriting {
    case unchanged
    case replaced(EventTape)
    case passedOver
    case stops
  }

  /// Gives an object to the code that rewrites it.
  func rewrite(_ decision: PlanDecision, on tape: EventTape, object: Int) -> Rewriting {
    do throws(ImportError) {
      guard let members = try rewritten(decision.rewriters, on: tape, object: object) else {
        return .unchanged
      }
      let replacement = EventTape(
        replacing: tape, object: object, depth: state.pointee.levels.count + 1)
      // Code that puts an object into the one that it rewrites is given that object in turn, and
      // would never be done.
      let fault =
        replacement.generation > EventTape.codeDepth
        ? .depth : replacement.record(members, as: object, of: tape)
      if let fault {
        throw error(fault, decision.rewriters[0].entity, on: tape)
      }
      return .replaced(replacement)
    } catch {
      return leaveOut(error) ? .passedOver : .stops
    }
  }

  private func rewritten(
    _ rewriters: [PlanDecision.Rewriter], on tape: EventTape, object: Int
  ) throws(ImportError) -> [String: JSONValue]? {
    let original = try members(of: object, on: tape, for: rewriters[0].entity)
    var members = original
    for rewriter in rewriters {
      do {
        members = try rewriter.code.run(members) ?? members
      } catch {
        let code = rewriterName(rewriter.entity)
        throw self.error(.invalidValue, rewriter.entity, on: tape, "\(code) refused it: \(error)")
      }
    }
    return members == original ? nil : members
  }

  /// What an entity mapper says that an object is; nil where it leaves that open.
  func map(
    _ mapper: ObjectCode<String>, _ choice: PlanDecision.Choice, on tape: EventTape, object: Int
  ) throws(ImportError) -> Int? {
    let members = try members(of: object, on: tape, for: choice.entity)
    let entity = schema.entities[choice.entity]
    let code = "the entity mapper \"\(entity.entityMapperName ?? "")\""
    let name: String?
    do {
      name = try mapper.run(members)
    } catch {
      throw self.error(.invalidValue, entity.number, on: tape, "\(code) refused it: \(error)")
    }
    guard let name else { return nil }
    if let number = schema.entityNumbers[name], entity.family.contains(number) { return number }
    let family = entity.family.map { schema.entities[$0].name }
    throw error(
      .invalidValue, entity.number, on: tape,
      "\(code) names \"\(name)\", expected \(entity.name) or an entity below it"
        + suggestion(for: name, in: family))
  }

  /// The members of an object, for code to look at.
  private func members(
    of object: Int, on tape: EventTape, for entity: Int
  ) throws(ImportError) -> [String: JSONValue] {
    tape.move(to: object)
    guard tape.depth(of: object) < EventTape.codeDepth else {
      throw error(.depth, entity, on: tape)
    }
    if options.refusesDuplicateKeys, let key = tape.repeatedKey(of: object) {
      let name = String(decoding: tape.text(tape.events[key]), as: UTF8.self)
      throw error(
        .key, entity, on: tape,
        "the key \"\(name)\" stands twice in one object; remove one of the two")
    }
    return tape.members(of: object)
  }

  /// What is wrong with what code has made of an object.
  private func error(
    _ fault: EventTape.Fault, _ entity: Int, on tape: EventTape
  ) -> ImportError {
    let code = rewriterName(entity)
    return switch fault {
    case .number(let text):
      error(.invalidValue, entity, on: tape, "\(code) made the number \"\(text)\", which is none")
    case .depth:
      error(
        .limit, entity, on: tape,
        "an object that goes through code has more than \(EventTape.codeDepth) containers inside"
          + " each other")
    case .limit:
      error(
        .limit, entity, on: tape,
        "\(code) made more than \(options.bufferLimit) bytes of it; let it make less, or raise"
          + " bufferLimit")
    }
  }

  private func rewriterName(_ entity: Int) -> String {
    "the dictionary transformer \"\(schema.entities[entity].dictionaryTransformerName ?? "")\""
  }

  /// An error at the place of the object at hand.
  private func error(
    _ kind: ImportError.Kind, _ entity: Int, on tape: EventTape, _ message: String
  ) -> ImportError {
    ImportError(
      kind: kind, location: tape.tokenLocation, path: tape.path(),
      entity: schema.entities[entity].name, message: message)
  }
}
