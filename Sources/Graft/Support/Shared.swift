/// A large value that never changes, held by reference: each copy of a struct is code, and an error is copied by every
/// function that passes it on.
final class Shared<Value: Hashable & Sendable>: Hashable, Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }

  static func == (first: Shared, second: Shared) -> Bool {
    first === second || first.value == second.value
  }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
