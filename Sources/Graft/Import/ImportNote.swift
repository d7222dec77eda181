// A source of several documents saves its place together with the objects of each document, in one transaction, so that
// the two agree after a crash. Its note depends on the document, so the source makes it when the document has ended.

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

/// Describes a completely read document, before its objects are published.
package struct DocumentFacts: Sendable {
  /// The number of objects at the root that has the most.
  package var objectCount: Int
  /// The number of objects at each root, skipped ones included.
  package var sentCounts: [Int]
  /// Whether nothing was found at the roots, not even skipped objects.
  package var isEmpty: Bool
  /// The values at ``ImportOptions/capturedPaths``.
  package var captured: [CapturedValue]
}

/// The value at a path where the options ask for a scalar.
package enum CapturedValue: Sendable, Hashable {
  /// The path leads to no value.
  case nothing
  case null
  /// A scalar as it is written, a string without its quotes.
  case text(String)
  case object
  case array

  package var text: String? {
    if case .text(let text) = self { text } else { nil }
  }
}
