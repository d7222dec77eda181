/// The error that caused another error.
///
/// Takes no part in comparisons, because an `any Error` has no equality.
///
/// The error that holds it can so keep a synthesised `Hashable` conformance.
struct UnderlyingError: Sendable, Hashable {
  let error: (any Error)?

  init(_ error: (any Error)?) {
    self.error = error
  }

  static func == (first: Self, second: Self) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
