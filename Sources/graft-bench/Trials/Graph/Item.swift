import Foundation
import Graft

/// An object of the trials that need many of one kind.
struct Item: Entity {
  let id = Attribute<Int64>()
  let name = Attribute<String>()
  let note = Attribute<String?>()
  let score = Attribute<Double>()
  let count = Attribute<Int>()
  let isOpen = Attribute<Bool>()
  let madeAt = Attribute<Date>(format: "unix")
  static let identity = [\Self.id]

  /// The attributes that an object has.
  static let attributeCount = 7

  /// Where in an object its identity stands.
  enum IdentityPlace {
    case first
    case last
  }

  /// A document of objects, one per number.
  static func document(_ numbers: Range<Int>, identity: IdentityPlace = .first) -> Data {
    var json = JSONBytes()
    json.raw("[")
    for number in numbers {
      if number > numbers.lowerBound { json.raw(",") }
      json.raw("{")
      if identity == .first { json.raw(#""id":\#(number),"#) }
      json.raw(
        #""name":"item \#(number)","note":"nothing much to say about \#(number)","score":"#
          + #"\#(number).5,"count":\#(number % 1000),"isOpen":true,"madeAt":\#(number)"#)
      if identity == .last { json.raw(#","id":\#(number)"#) }
      json.raw("}")
    }
    json.raw("]")
    return Data(json.bytes)
  }
}
