// A source of several documents keeps its place together with the objects of each document, in one transaction: after a
// crash the two agree. What it notes follows from the document, so that it is asked when the document has ended.

/// A text that an import leaves in its destination together with its objects.
package struct ImportNote: Sendable, Hashable {
  /// The key, by which a later import finds the note.
  package var key: String
  /// The text; nil removes the note.
  package var value: String?

  package init(key: String, value: String?) {
    self.key = key
    self.value = value
  }
}

/// What is known of a document that has ended well, before its objects are published.
package struct ImportFacts: Sendable {
  /// The number of objects found at the root that has most.
  package var objectCount: Int
  /// Whether nothing was found at the roots, not even something that was passed over.
  package var isEmpty: Bool
  /// The number of objects at the root that has fewest, but some; those that were passed over count too.
  package var sentCount: Int
  /// The values at ``ImportOptions/capturedPaths``.
  package var captured: [CapturedValue]
}

/// The value at a path where the options ask for a scalar.
package enum CapturedValue: Sendable, Hashable {
  /// There is none, or `null`.
  case nothing
  /// A scalar as it is written, a string without its quotes.
  case text(String)
  case object
  case array

  package var text: String? {
    if case .text(let text) = self { text } else { nil }
  }
}

/// The pages of a list that are published, whatever becomes of the next one.
package struct ImportedPages: Sendable, Hashable {
  /// The number of the pages, those before a resumed import included.
  package var count: Int
  /// Whether a later import can go on after them.
  package var canBeResumed: Bool

  package init(count: Int, canBeResumed: Bool) {
    self.count = count
    self.canBeResumed = canBeResumed
  }
}
