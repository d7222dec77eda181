/// The error that caused another error.
///
/// Takes no part in comparisons, because an `any Error` has no equality.
///
/// The error that holds it can so keep a synthesised `Hashable` conformance.
package struct UnderlyingError: Sendable, Hashable {
  package let error: (any Error)?

  package init(_ error: (any Error)?) {
    self.error = error
  }

  package static func == (first: Self, second: Self) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
