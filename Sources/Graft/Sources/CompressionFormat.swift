/// A format of compressed data, and the library that decompresses it.
///
/// An ``ImportSource`` recognises data by its first bytes, or by the header `Content-Encoding` of a
/// server's answer. gzip and zlib are built in; the module `GraftZstd` has zstd:
///
/// ```swift
/// import GraftZstd
///
/// try await store.importJSON(Tweet.self, from: .url(url).decompressing(.zstd))
/// ```
public struct CompressionFormat: Sendable {
  /// The name in messages, such as `gzip`.
  public let name: String
  /// The names that the header `Content-Encoding` has for it, in lower case.
  public let contentEncodings: [String]
  /// The first bytes of the data, in several forms; empty if only a header names the format.
  let signatures: [[ClosedRange<UInt8>]]
  let makeDecompressor: @Sendable () -> (any Decompressor)?

  /// Creates a format.
  ///
  /// - Parameters:
  ///   - name: The name in messages.
  ///   - contentEncodings: The names that the header `Content-Encoding` has for it, in lower case.
  ///   - signatures: The first bytes of the data, in one form or several, each of at most 8 bytes. No
  ///     JSON may begin with the first of them. Empty if only a header names the format.
  ///   - makeDecompressor: Returns a decompressor for one document, or nil if there is no memory or no library.
  public init(
    name: String, contentEncodings: [String], signatures: [[ClosedRange<UInt8>]],
    makeDecompressor: @escaping @Sendable () -> (any Decompressor)?
  ) {
    if signatures.contains(where: { !(1...Self.longestSignature ~= $0.count) }) {
      misuse("a signature of \(name) has no bytes, or more than \(Self.longestSignature)")
    }
    self.name = name
    self.contentEncodings = contentEncodings
    self.signatures = signatures
    self.makeDecompressor = makeDecompressor
  }
}

extension CompressionFormat {
  /// gzip, any number of members.
  static let gzip = CompressionFormat(
    name: "gzip", contentEncodings: ["gzip", "x-gzip"],
    // The first byte is enough: no JSON begins with it.
    signatures: [[0x1F...0x1F]]
  ) { ZlibDecompressor(isGzip: true) }

  /// zlib's format, by the headers of its largest window, which all writers use.
  static let zlib = CompressionFormat(
    name: "zlib",
    // The format that RFC 9110 calls deflate. Graft does not ask for it, since some servers send the deflated data
    // without zlib's header.
    contentEncodings: ["deflate"],
    // The second byte makes both together a multiple of 31; `x` and another of these are no JSON.
    signatures: [0x01, 0x20, 0x5E, 0x7D, 0x9C, 0xBB, 0xDA, 0xF9].map { [0x78...0x78, $0...$0] }
  ) { ZlibDecompressor(isGzip: false) }

  /// The formats that every source recognises; those of the source come before.
  static let standard: [CompressionFormat] = [.gzip, .zlib]
}

extension CompressionFormat {
  /// Whether bytes begin with a signature.
  enum Match {
    case complete
    /// More bytes decide.
    case partial
    case none
  }

  /// Compares the first bytes of a document with the signatures.
  func match(_ head: [UInt8]) -> Match {
    var best = Match.none
    for signature in signatures where zip(head, signature).allSatisfy({ $1.contains($0) }) {
      if head.count >= signature.count { return .complete }
      best = .partial
    }
    return best
  }

  /// The most first bytes that are needed to recognise a format.
  static let longestSignature = 8
}

/// The formats and the limit by which a source decompresses its bytes.
public struct Decompression: Sendable {
  /// The formats that are recognised before gzip and zlib.
  public var formats: [CompressionFormat] = []
  /// The most bytes of content for each compressed byte; `.max` is no limit.
  ///
  /// Data that grows more is an ``ImportSourceError``, so that a few kilobytes of a stranger cannot
  /// keep an import busy for ever. The first MiB of content is free.
  public var ratioLimit = 1_000

  /// Creates the default: gzip and zlib, a thousandfold.
  public init() {}

  /// All formats, in the order in which they are tried.
  var allFormats: [CompressionFormat] { formats + CompressionFormat.standard }

  /// The value of the header `Accept-Encoding`.
  var acceptedEncodings: String {
    (["gzip"] + formats.flatMap(\.contentEncodings)).joined(separator: ", ")
  }
}
