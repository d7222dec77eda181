public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A source of a document's bytes.
///
/// The bytes are imported as they arrive; except for ``data(_:)``, the document is never in memory
/// as a whole. Data compressed by gzip or zlib is decompressed on the way, whatever its name; if it is
/// cut off, the import fails. The module `GraftZstd` adds zstd (``decompressing(_:)``).
/// The last component of a URL gives the format, unless ``ParserOptions/format`` does: `tweets.ndjson`,
/// `tweets.jsonl` and `tweets.ndjson.gz` hold any number of documents, and other names one.
///
/// ```swift
/// try await store.importJSON(Tweet.self, at: "statuses", from: .request(request, session: session))
/// try await store.importJSON(Tweet.self, at: "statuses", from: .file(.standardInput))
/// try await store.importJSON(Tweet.self, at: "statuses", from: .chunks(response.body))
/// ```
public struct ImportSource: Sendable {
  private enum Origin {
    case url(URL, URLSession?)
    case request(URLRequest, URLSession?)
    case file(FileHandle)
    case data(any ContiguousBytes & Sendable)
    case sequence(any SequenceSource)
    case series(any DocumentSeries)
  }

  private let origin: Origin
  /// The formats and the limit by which compressed bytes are decompressed.
  public var decompression = Decompression()
  /// The connection that the downloads of a list share.
  package var connection: SharedConnection?
  /// The download that was begun ahead of the import; nil if it begins with the import.
  private var download: (any Download)?

  private init(_ origin: Origin) {
    self.origin = origin
  }

  /// Creates a source of several documents.
  package init(_ series: any DocumentSeries) {
    self.init(.series(series))
  }

  /// The documents, if the source has several.
  package var series: (any DocumentSeries)? {
    if case .series(let series) = origin { series } else { nil }
  }

  /// Returns a source that reads a file or a server's answer.
  ///
  /// - Parameters:
  ///   - url: The URL of a file, or one of HTTP or HTTPS.
  ///   - session: The session that downloads, as for ``request(_:session:)``; nil is best on Linux.
  /// - Returns: A source that can be imported any number of times.
  public static func url(_ url: URL, session: URLSession? = nil) -> ImportSource {
    ImportSource(.url(url, session))
  }

  /// Downloads the answer to a request with a method, headers and a body.
  ///
  /// A server that is faster than the import has to wait, so that little of its answer is in
  /// memory, except through a session on Linux. Redirections are followed to HTTP and HTTPS; the
  /// user and the password of the URL, and headers that give access, such as `Authorization` and
  /// `X-Api-Key`, are not sent to another scheme, host or port. An incomplete answer is an error if
  /// its length, its chunks or the end of its gzip data tells.
  ///
  /// Without a session, Linux downloads through libcurl. Proxies come from the environment
  /// (`https_proxy`, `no_proxy`), trusted certificates from the system or from the file that
  /// `SSL_CERT_FILE` names. Each import is a session of its own.
  ///
  /// - Parameters:
  ///   - request: A request by HTTP or HTTPS, with its body in `httpBody`. Its time-out is how long no byte
  ///     may come.
  ///   - session: The session that downloads, whose delegate is still asked for credentials; it
  ///     must not be a background session. It is also asked about redirections. On Linux, Foundation has
  ///     no delegates for single tasks. So a session with the same configuration is used, which asks
  ///     this one's delegate. Such a session cannot make a server wait: bytes that arrive faster than they
  ///     are imported stay in memory, and more than 256 MiB of them are an error. A session unpacks
  ///     the server's compression by itself, and does not report if the data was cut off.
  /// - Returns: A source that can be imported any number of times.
  public static func request(_ request: URLRequest, session: URLSession? = nil) -> ImportSource {
    ImportSource(.request(request, session))
  }

  /// Returns a source that reads an open file or pipe, from its current position to its end.
  ///
  /// A cancelled task is noticed within a tenth of a second, even while no bytes come.
  ///
  /// - Parameter file: The open file, such as `FileHandle.standardInput`; it is not closed.
  /// - Returns: A source that goes on where the file was read last.
  public static func file(_ file: FileHandle) -> ImportSource {
    ImportSource(.file(file))
  }

  /// Returns a source that reads a document in memory.
  ///
  /// - Parameter data: The document, such as a `Data` or an array of bytes.
  /// - Returns: A source that can be imported any number of times.
  public static func data(_ data: some ContiguousBytes & Sendable) -> ImportSource {
    ImportSource(.data(data))
  }

  /// Returns a source of chunks of a document as they arrive, such as the body of a request on a server.
  ///
  /// - Parameter chunks: The document, cut anywhere, even inside a character.
  /// - Returns: A source that can be imported once; a second import throws ``ImportSourceError``.
  public static func chunks<Chunks: AsyncSequence>(_ chunks: sending Chunks) -> ImportSource
  where Chunks.Element: ContiguousBytes {
    ImportSource(.sequence(AsyncChunks(chunks: SingleUse(chunks))))
  }

  /// Returns a source of chunks of a document that a sequence produces on demand.
  ///
  /// - Parameter chunks: The document, cut anywhere, even inside a character.
  /// - Returns: A source that can be imported once; a second import throws ``ImportSourceError``.
  public static func chunks<Chunks: Sequence>(_ chunks: sending Chunks) -> ImportSource
  where Chunks.Element: ContiguousBytes {
    ImportSource(.sequence(SynchronousChunks(chunks: SingleUse(chunks))))
  }

  /// Returns a source of single bytes as they arrive, such as `URLSession.AsyncBytes`.
  ///
  /// ``ImportOptions/chunkSize`` bytes are gathered at a time. Chunks cost much less, where they can
  /// be had.
  ///
  /// - Parameter bytes: The document.
  /// - Returns: A source that can be imported once; a second import throws ``ImportSourceError``.
  public static func bytes<Bytes: AsyncSequence>(_ bytes: sending Bytes) -> ImportSource
  where Bytes.Element == UInt8 {
    ImportSource(.sequence(AsyncBytes(bytes: SingleUse(bytes))))
  }

  /// Returns the same source, which also recognises another format of compression.
  ///
  /// - Parameter format: The format, such as `.zstd` of the module `GraftZstd`.
  /// - Returns: The same source, which decompresses that format too.
  public func decompressing(_ format: CompressionFormat) -> ImportSource {
    var source = self
    source.decompression.formats.append(format)
    return source
  }

  /// The URL of a file, or of a server; nil for other sources.
  private var url: URL? {
    switch origin {
    case .url(let url, _): url
    case .request(let request, _): request.url
    case .file, .data, .sequence, .series: nil
    }
  }

  /// The name of the source when an import into a database is resumed: its URL, if it has one,
  /// without credentials.
  package var name: String? {
    guard let url else { return series?.label }
    return url.isFileURL ? url.standardizedFileURL.path : url.shownAddress
  }

  /// The source in messages.
  var label: String {
    switch origin {
    case .url(let url, _): url.isFileURL ? url.path : url.shownAddress
    case .request(let request, _): request.address
    case .file(let file): "file \(file.fileDescriptor)"
    case .data: "data"
    case .sequence: "sequence"
    case .series(let series): series.label
    }
  }

  /// A text that changes when a file changes, made of its size and the time of its last change; nil
  /// for other sources, pipes and devices too.
  package var version: String? {
    // The attributes of a symbolic link would be those of the link itself.
    guard case .url(let url, _) = origin, url.isFileURL,
      let attributes = try? FileManager.default.attributesOfItem(
        atPath: url.resolvingSymlinksInPath().path),
      attributes[.type] as? FileAttributeType == .typeRegular,
      let size = attributes[.size] as? Int, let date = attributes[.modificationDate] as? Date
    else { return nil }
    return "\(size) bytes, changed at \(date.timeIntervalSince1970)"
  }

  /// Whether code of the caller produces the bytes, and may look at the objects between two chunks.
  package var isSequence: Bool {
    if case .sequence = origin { true } else { false }
  }

  /// Whether reading waits on its thread while there are no bytes, as it does for a pipe.
  var mayBlock: Bool {
    switch origin {
    case .file: true
    case .url(let url, _): url.isFileURL && version == nil
    case .request, .data, .sequence, .series: false
    }
  }

  /// Whether the bytes are a server's answer.
  var isAnswer: Bool { ["http", "https"].contains(url?.scheme?.lowercased()) }

  /// The last component of the URL; nil if there is none.
  package var fileName: String? { url?.lastPathComponent }

  /// Reads all bytes.
  ///
  /// - Parameters:
  ///   - chunkSize: The most bytes that are read and parsed at a time.
  ///   - progress: Called after every chunk, one call at a time.
  ///   - parse: Takes each chunk.
  /// - Throws: ``ImportSourceError``; what a sequence throws; what `parse` throws; `CancellationError` if the task is
  ///   cancelled.
  package func read(
    chunkSize: Int, progress: (@Sendable (ImportProgress) -> Void)?,
    _ parse: @escaping @Sendable (RawSpan) throws -> Void
  ) async throws {
    try await read(
      into: ImportFeed(of: self, chunkSize: chunkSize, progress: progress, parse: parse))
  }

  /// Delivers all bytes.
  ///
  /// - Throws: ``ImportSourceError``; what a sequence throws; what `feed` throws.
  func read(into feed: ImportFeed) async throws {
    do {
      try await readBytes(into: feed)
    } catch is ImportFeed.EndOfText {
      return
    }
    // A stream whose task is cancelled ends early, and without an error.
    try Task.checkCancellation()
    try feed.end()
  }

  private func readBytes(into feed: ImportFeed) async throws {
    switch origin {
    case .url(let url, let session):
      switch url.scheme?.lowercased() {
      case "file", nil: try FileSource.withFile(url) { try $0.read(into: feed) }
      case "http", "https": try await download(URLRequest(url: url), session, into: feed)
      case let scheme?:
        throw ImportSourceError(
          .unsupportedURL, source: label,
          message: "expected a URL of file, http or https, found \(scheme)")
      }
    case .request(let request, let session):
      try await download(request, session, into: feed)
    case .file(let file):
      try FileSource(descriptor: file.fileDescriptor, name: label).read(into: feed)
    case .data(let data):
      try data.withRawSpan { bytes in
        feed.expect(bytes.byteCount)
        try feed.receive(bytes)
      }
    case .sequence(let sequence): try await sequence.read(into: feed)
    case .series(let series):
      throw ImportSourceError(
        .unsupportedURL, source: series.label,
        message:
          "expected one document, found a list of pages; import them with importJSON, or take the request of"
          + " one page")
    }
  }

  private func download(
    _ request: URLRequest, _ session: URLSession?, into feed: ImportFeed
  ) async throws {
    try await (download ?? makeDownload(request, session)).read(into: feed)
  }

  /// Makes the download of the answer to a request.
  ///
  /// - Throws: ``ImportSourceError`` for a request that cannot be sent.
  private func makeDownload(_ request: URLRequest, _ session: URLSession?) throws -> any Download {
    #if canImport(CCurl)
    if session == nil { return CurlDownload(request, over: connection, decompression) }
    #endif
    // A request that cannot be sent gets the same message from both kinds of downloads.
    _ = try WebRequest(request)
    return SessionDownload(request, through: session, decompression)
  }
}

// A request that is sent before its answer is imported.
extension ImportSource {
  /// Returns the same source of one answer, whose request can be sent before its import begins.
  ///
  /// - Returns: The source; nil if an answer that is not imported yet would fill the memory.
  /// - Throws: ``ImportSourceError`` for a request that cannot be sent.
  package func preparedDownload() throws -> ImportSource? {
    guard case .request(let request, let session) = origin else { return nil }
    #if canImport(FoundationNetworking)
    // A session on Linux cannot make a server wait.
    if session != nil { return nil }
    #endif
    var source = self
    source.download = try makeDownload(request, session)
    return source
  }

  /// Sends the request of a prepared download.
  package func startDownload() { download?.start() }

  /// Ends a prepared download that no import reads.
  package func cancelDownload() { download?.cancel() }
}

extension ImportOptions {
  /// Takes the name of the file from the source, and the format from the name, unless the options have them.
  package mutating func takeName(of source: ImportSource) {
    fileName = fileName ?? source.fileName
    // The headers of a server's answer come before the name.
    if !source.isAnswer { takeFormatFromName() }
  }
}

extension JSONImporter {
  /// Reads a source to its end and publishes its objects.
  ///
  /// All imports from sources go through this method.
  ///
  /// - Parameters:
  ///   - source: The source of the document's bytes.
  ///   - options: The options of the import, for how the source is read.
  ///   - progress: Called after every chunk, one call at a time.
  /// - Returns: The report of the import.
  /// - Throws: ``ImportSourceError``, ``ImportError``, what a sequence throws, or
  ///   `CancellationError`.
  package func importAll(
    of source: ImportSource, _ options: ImportOptions,
    progress: (@Sendable (ImportProgress) -> Void)?
  ) async throws -> ImportReport {
    let beginning = ContinuousClock.now
    let feed = ImportFeed(
      of: source, chunkSize: options.chunkSize, isHashed: options.didReadSource != nil,
      control: options.control, progress: progress, begin: { try self.begin(reading: $0) },
      parse: {
        try self.parse($0)
        if self.hasEnded { throw ImportFeed.EndOfText() }
      })
    do {
      if !source.isAnswer { try begin() }
      try await source.read(into: feed)
      if feed.unmodified == nil { options.didReadSource?(feed.fingerprint) }
      var report = try feed.unmodified.map { unmodified($0) } ?? finish()
      report.duration = .now - beginning
      return report
    } catch let error as ImportError {
      throw feed.explained(error)
    }
  }
}

extension JSONImporter {
  /// Ends the import without changes, because the server's document is already known.
  private func unmodified(_ response: ImportResponse) -> ImportReport {
    cancel()
    var report = ImportReport()
    report.response = response
    report.note(
      "nothing was imported: \(response.address) answered 304, so that the document has not changed"
        + " since the import that the request names")
    return report
  }
}

/// Unpacks and parses the bytes of one source, pauses if asked, and reports the progress.
final class ImportFeed: Sendable {
  /// Ends the reading of a source whose text has ended before its bytes.
  struct EndOfText: Error {}

  /// The most bytes that are parsed at a time.
  let chunkSize: Int
  private let parse: @Sendable (RawSpan) throws -> Void
  private let tellProgress: (@Sendable (ImportProgress) -> Void)?
  private let progress = Mutex(ImportProgress(byteCount: 0))
  private let begin: @Sendable (ImportResponse) throws -> Void
  private let answer = Mutex<(response: ImportResponse, isEmpty: Bool)?>(nil)
  /// Whether the bytes are hashed, for ``fingerprint``.
  private let isHashed: Bool
  private let hash = Mutex(StableHash())
  private let unpacker: Unpacker
  /// Stops the import while it is paused; nil if it cannot be paused.
  private let control: ImportControl?

  init(
    of source: ImportSource, chunkSize: Int, isHashed: Bool = false,
    control: ImportControl? = nil, progress: (@Sendable (ImportProgress) -> Void)?,
    begin: @escaping @Sendable (ImportResponse) throws -> Void = { _ in },
    parse: @escaping @Sendable (RawSpan) throws -> Void
  ) {
    self.parse = parse
    self.begin = begin
    self.control = control
    self.isHashed = isHashed
    unpacker = Unpacker(of: source.label, source.decompression)
    // Larger chunks are no faster, and a typing mistake must not allocate a huge buffer.
    self.chunkSize = min(max(chunkSize, 1), 16 << 20)
    tellProgress = progress
  }

  /// Expects a body as a server's header `Content-Encoding` describes it.
  ///
  /// - Throws: ``ImportSourceError`` for an encoding that cannot be read.
  func expect(contentEncoding: String?) throws {
    try unpacker.expect(contentEncoding: contentEncoding)
  }

  /// Notes the size of the document.
  func expect(_ totalByteCount: Int?) {
    progress.withLock { $0.totalByteCount = totalByteCount }
  }

  /// Begins the import of a server's answer, before the first byte of its body.
  ///
  /// - Throws: The error of the options' hook; ``ImportError`` if the import cannot begin.
  func begin(_ response: ImportResponse) throws {
    answer.withLock { $0 = (response, isEmpty: true) }
    if !response.isNotModified { try begin(response) }
  }

  /// The server's answer that the document has not changed; nil for other answers.
  var unmodified: ImportResponse? {
    answer.withLock { $0 }.flatMap { $0.response.isNotModified ? $0.response : nil }
  }

  /// Returns an error with the server's answer, if that is not JSON: an error page, or an empty
  /// body.
  func explained(_ error: ImportError) -> ImportError {
    guard error.kind == .invalidJSON, let (response, isEmpty) = answer.withLock({ $0 }) else {
      return error
    }
    guard isEmpty || !response.isJSON || error.location?.offset == 0 else { return error }
    let type = response["Content-Type"].map { "the content type \"\($0)\"" } ?? "no content type"
    return error.adding(
      "; \(response.address) answered \(response.status) with \(type)"
        + (isEmpty ? " and an empty body" : ""))
  }

  /// Imports the next bytes.
  ///
  /// - Throws: ``ImportSourceError`` if they are packed and damaged, or grow too much, ``ImportError`` if they cannot
  ///   be imported, `CancellationError` if the task is cancelled.
  @inline(never)
  func receive(_ bytes: RawSpan) throws {
    guard !bytes.isEmpty else { return }
    answer.withLock { $0?.isEmpty = false }
    try unpacker.unpack(bytes) { try deliver($0) }
  }

  /// Ends the document.
  ///
  /// - Throws: ``ImportSourceError`` if it is packed and cut off.
  func end() throws { try unpacker.finish { try deliver($0) } }

  /// The hash of all bytes, however they were cut.
  var fingerprint: UInt64 { hash.withLock(\.value) }

  private func deliver(_ bytes: RawSpan) throws {
    if isHashed { hash.withLock { hash in bytes.withBorrowed { hash.add($0) } } }
    for start in stride(from: 0, to: bytes.byteCount, by: chunkSize) {
      try mayContinue()
      let count = min(chunkSize, bytes.byteCount - start)
      do {
        try parse(bytes.extracting(start..<start + count))
      } catch let end as EndOfText {
        advance(by: count)
        throw end
      }
      advance(by: count)
    }
  }

  /// Waits while the import is paused.
  ///
  /// - Throws: `CancellationError` if it is given up.
  private func mayContinue() throws {
    try Task.checkCancellation()
    try control?.wait { try Task.checkCancellation() }
  }

  private func advance(by count: Int) {
    let progress = progress.withLock { progress in
      progress.byteCount += count
      // The size of a packed document is not the size of its content.
      if let packedByteCount = unpacker.packedByteCount {
        progress.packedByteCount = packedByteCount
        progress.totalPackedByteCount = progress.totalByteCount ?? progress.totalPackedByteCount
        progress.totalByteCount = nil
      }
      return progress
    }
    tellProgress?(progress)
  }
}

// The sequences, of any type. A type each, because a closure that is sent to another actor must not
// capture the conformances of a generic parameter.

private protocol SequenceSource: Sendable {
  func read(into feed: ImportFeed) async throws
}

private struct AsyncChunks<Chunks: AsyncSequence>: SequenceSource
where Chunks.Element: ContiguousBytes {
  let chunks: SingleUse<Chunks>

  func read(into feed: ImportFeed) async throws {
    for try await chunk in try chunks.take() {
      try chunk.withRawSpan { try feed.receive($0) }
    }
  }
}

private struct SynchronousChunks<Chunks: Sequence>: SequenceSource
where Chunks.Element: ContiguousBytes {
  let chunks: SingleUse<Chunks>

  func read(into feed: ImportFeed) async throws {
    for chunk in try chunks.take() { try chunk.withRawSpan { try feed.receive($0) } }
  }
}

private struct AsyncBytes<Bytes: AsyncSequence>: SequenceSource where Bytes.Element == UInt8 {
  let bytes: SingleUse<Bytes>

  func read(into feed: ImportFeed) async throws {
    var chunk: [UInt8] = []
    chunk.reserveCapacity(feed.chunkSize)
    for try await byte in try bytes.take() {
      chunk.append(byte)
      guard chunk.count == feed.chunkSize else { continue }
      try chunk.withRawSpan { try feed.receive($0) }
      chunk.removeAll(keepingCapacity: true)
    }
    try chunk.withRawSpan { try feed.receive($0) }
  }
}

/// Holds a sequence that is read once, and may therefore be of a type that is not `Sendable`.
private final class SingleUse<Value>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: sending Value) {
    self.value = Mutex(value)
  }

  func take() throws -> sending Value {
    let taken = value.withLock { value in
      let taken = value
      value = nil
      return taken
    }
    guard let taken else {
      throw ImportSourceError(
        .consumed, source: "sequence",
        message: "the sequence has been read by another import; make a source anew")
    }
    return taken
  }
}
