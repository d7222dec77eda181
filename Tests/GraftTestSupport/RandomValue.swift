@testable import Graft

/// A JSON value whose keys have no order yet, so that the same document can be written with its
/// keys in any order.
enum RandomValue {
  struct Member {
    let key: String
    let value: RandomValue

    init(_ key: String, _ value: RandomValue) {
      self.key = key
      self.value = value
    }
  }

  case scalar(String)
  /// A bare identifier that stands for an object.
  case reference(String)
  case array([RandomValue])
  case object([Member])

  /// A value that an attribute of a type can take.
  static func sample(of type: AttributeType, _ random: inout SeededGenerator) -> RandomValue {
    let texts: [String] =
      switch type {
      case .integer64: ["1", "-7", "\"12\"", "9007199254740993", "null", "\"\""]
      case .boolean: ["true", "false", "0", "\"yes\"", "null"]
      case .double, .decimal: ["0.1", "1e3", "\"2.50\"", "null"]
      case .date: ["\"2012-09-24\"", "0", "\"2012-09-24T03:35:21.5+02:00\"", "null"]
      default: ["\"é\\u00e9 😀\\n\"", "\"\"", "\"x\"", "null", "\"\\\\\""]
      }
    return .scalar(texts.randomElement(using: &random) ?? "null")
  }

  /// The document's text, its keys in their order or in another.
  func text(shuffledBy random: inout SeededGenerator, _ isShuffled: Bool = true) -> String {
    switch self {
    case .scalar(let text), .reference(let text): return text
    case .array(let elements):
      return "["
        + elements.map { $0.text(shuffledBy: &random, isShuffled) }.joined(separator: ", ") + "]"
    case .object(let members):
      let ordered = isShuffled ? members.shuffled(using: &random) : members
      let texts = ordered.map {
        "\"\($0.key)\": \($0.value.text(shuffledBy: &random, isShuffled))"
      }
      return "{" + texts.joined(separator: ",\n ") + "}"
    }
  }

  /// The document with an identity of its own for each object, so that no two are one, and with
  /// bare identifiers that name any of them.
  func withDistinctIdentities(_ random: inout SeededGenerator) -> Self {
    var last = 100
    return numbered(&last).referring(to: 101...max(last, 101), &random)
  }

  private func numbered(_ last: inout Int) -> Self {
    switch self {
    case .scalar, .reference: return self
    case .array(let elements): return .array(elements.map { $0.numbered(&last) })
    case .object(let members):
      return .object(
        members.map { member in
          guard ["id", "fid"].contains(member.key) else {
            return Member(member.key, member.value.numbered(&last))
          }
          last += 1
          return Member(member.key, .scalar("\(last)"))
        })
    }
  }

  private func referring(
    to numbers: ClosedRange<Int>, _ random: inout SeededGenerator
  ) -> Self {
    switch self {
    case .scalar: self
    case .reference: .reference("\(Int.random(in: numbers, using: &random))")
    case .array(let elements): .array(elements.map { $0.referring(to: numbers, &random) })
    case .object(let members):
      .object(members.map { Member($0.key, $0.value.referring(to: numbers, &random)) })
    }
  }
}
