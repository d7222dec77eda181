import Foundation

extension Contestant {
  /// Foundation's `JSONDecoder`, reading the fields that the import maps into structs.
  static let decoder = Contestant(
    name: "decoder", title: "JSONDecoder", readsChunks: false
  ) { _ in
    DecoderReader()
  }
}

private final class DecoderReader: DocumentReader {
  private var page: TimelinePage?

  func read(_ bytes: UnsafeRawBufferPointer) throws {
    page = try JSONDecoder().decode(TimelinePage.self, from: bytes.borrowedData)
  }

  func finish() throws {
    guard page != nil else { throw ContestantError(description: "JSONDecoder found no page") }
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes as `Data` without a copy, valid as long as the buffer.
  var borrowedData: Data {
    guard let baseAddress else { return Data() }
    return Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: baseAddress), count: count, deallocator: .none)
  }
}
