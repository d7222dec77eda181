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
  /// Whether each object at the roots is counted, and none was passed over.
  package var isCountExact: Bool
  /// The scalars at ``ImportOptions/capturedPaths``, strings without quotes; nil for `null` and for none.
  package var captured: [String?]
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
