/// The program's code that looks at an object; a class, so that models that share it are equal.
final class ObjectCode<Result>: Sendable {
  let run: @Sendable ([String: JSONValue]) throws -> Result?

  init(_ run: @escaping @Sendable ([String: JSONValue]) throws -> Result?) {
    self.run = run
  }
}

extension ObjectCode: Hashable {
  static func == (first: ObjectCode, second: ObjectCode) -> Bool { first === second }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
