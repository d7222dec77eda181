// The model knows no parser, so that this is not beside the type.

extension JSONText {
  /// Creates a value from JSON; nil if the text is not JSON.
  ///
  /// - Parameter text: An object, an array, a string, a number, `true`, `false` or `null`.
  /// - Complexity: O(*n*) in the length.
  public init?(_ text: String) {
    guard JSONSyntax.isValue(text) else { return nil }
    self.init(kept: text)
  }
}
