/// The error behind another error.
///
/// An `any Error` has no equality, so this takes no part in comparisons: the error that holds it
/// keeps a synthesised `Hashable` conformance over everything else that it says.
struct UnderlyingError: Sendable, Hashable {
  let error: (any Error)?

  init(_ error: (any Error)?) {
    self.error = error
  }

  static func == (first: Self, second: Self) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
