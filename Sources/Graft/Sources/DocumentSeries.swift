/// A source of several documents, such as the pages of an API, that imports them in turn.
package protocol DocumentSeries: Sendable {
  /// The source in messages, without secrets.
  var label: String { get }

  /// Imports the documents.
  ///
  /// - Parameter job: What is imported into what.
  /// - Returns: The report of all of them.
  /// - Throws: The error of the import of one document; the documents before it stay.
  func importAll(_ job: SeriesJob) async throws -> ImportReport
}

/// Describes what a `DocumentSeries` imports, and into what.
package final class SeriesJob: Sendable {
  /// The places of the objects in each document.
  package let roots: [ImportRoot]
  /// The store or database.
  package let target: any ImportTarget
  /// The options of the import.
  package let options: ImportOptions
  /// The formats and the limit by which the documents are decompressed.
  package let decompression: Decompression
  /// Whether the import continues where the last one of the same source has failed.
  package let isResuming: Bool
  /// Receives the progress of the import.
  package let progress: (@Sendable (ImportProgress) -> Void)?

  package init(
    roots: [ImportRoot], target: any ImportTarget, options: ImportOptions,
    decompression: Decompression, isResuming: Bool = false,
    progress: (@Sendable (ImportProgress) -> Void)?
  ) {
    self.decompression = decompression
    self.roots = roots
    self.target = target
    self.options = options
    self.isResuming = isResuming
    self.progress = progress
  }
}
