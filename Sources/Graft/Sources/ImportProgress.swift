/// The progress of an import.
public struct ImportProgress: Sendable, Hashable {
  /// The number of bytes imported.
  public var byteCount: Int
  /// The size of the document; nil if it is not known, as for a pipe, a sequence or compressed data.
  public var totalByteCount: Int?
  /// The number of the page that is imported, counted from 1; nil for a single document.
  public var page: Int?
  /// The time until a request that has failed is sent again; nil while nothing is waited for.
  package var wait: Duration?
  /// The compressed bytes that were read, and all of them; nil if they are not known, or not compressed.
  var packedByteCount: Int?
  var totalPackedByteCount: Int?

  /// The part of the source that was read, from 0 to 1; nil if its size is not known.
  public var fractionCompleted: Double? {
    let count = totalByteCount == nil ? packedByteCount : byteCount
    guard let count, let total = totalByteCount ?? totalPackedByteCount, total > 0 else {
      return nil
    }
    return min(1, Double(count) / Double(total))
  }

  /// Creates the progress of an import.
  ///
  /// - Parameters:
  ///   - byteCount: The bytes that were read and imported, of all pages.
  ///   - totalByteCount: The size of the document, if it is known.
  ///   - page: The number of the page, of a list of pages.
  public init(byteCount: Int, totalByteCount: Int? = nil, page: Int? = nil) {
    self.byteCount = byteCount
    self.totalByteCount = totalByteCount
    self.page = page
  }
}
