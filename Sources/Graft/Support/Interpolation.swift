// The standard library's functions are generic, and inlined: several functions for each value in a text. These are
// calls.

extension DefaultStringInterpolation {
  /// Appends a text; used within the library instead of the generic method.
  @usableFromInline @inline(never)
  package mutating func appendInterpolation(_ text: String) { appendLiteral(text) }

  /// Appends a number; used within the library instead of the generic method.
  @usableFromInline @inline(never)
  package mutating func appendInterpolation(_ number: Int) { appendLiteral(number.description) }
}
