// The program's rules for whole objects. They are asked when all is known that the object will have,
// and before any of it is written, so that a refusal leaves nothing to take back.

extension ImportMachine {
  /// Whether the program lets the innermost object be written.
  enum Validity {
    case valid
    case refused
    case stops
  }

  /// Asks the program about an object that is about to be written, over the one that is there
  /// already if there is one.
  func validate(_ frame: Frame, present: ObjectID?) -> Validity {
    guard let validate = plan.hooks[Int(frame.entity)]?.validate else { return .valid }
    var candidate = candidate(frame)
    complete(&candidate, frame, present)
    do {
      try validate(candidate)
      return .valid
    } catch {
      let goesOn = reject(frame, .invalidValue, message: "the program refused it: \(error)")
      return goesOn ? .refused : .stops
    }
  }

  /// Adds the values of attributes that the document does not mention.
  private func complete(_ candidate: inout ImportCandidate, _ frame: Frame, _ present: ObjectID?) {
    let own = entries(of: frame)
    for (number, attribute) in schema.entities[Int(frame.entity)].attributes.enumerated()
    where candidate.values[attribute.name] == nil {
      // An entry that is no value says that the default is taken.
      let isDefault = present == nil || own.last(forAttribute: number) != nil
      let value =
        isDefault
        ? attribute.defaultValue
        : present.flatMap {
          AttributeValue(transaction.value($0, attribute: number), type: attribute.type)
        }
      if let value { candidate.values[attribute.name] = .some(value) }
    }
  }
}
