// Raw memory: a buffer for content is made and freed here, lent to the decompressor and to the consumer for the length
// of a call.

/// Decompresses a document; one that is not compressed is passed on unchanged.
///
/// The server's header decides, or the first bytes: no JSON begins with those of a compressed document.
///
/// Unchecked: an ``ImportFeed`` takes one chunk at a time.
final class Unpacker: @unchecked Sendable {
  private enum Form {
    /// Waits for more of the first bytes; there are none yet, or they begin a signature.
    case undecided([UInt8])
    case plain
    case packed(PackedStream)
  }

  /// The source, for messages.
  private let name: String
  private let options: Decompression
  private var form = Form.undecided([])

  /// - Parameters:
  ///   - name: The source, for messages.
  ///   - options: The formats and the limit.
  init(of name: String, _ options: Decompression) {
    self.name = name
    self.options = options
  }

  /// The number of packed bytes read; nil if the source is not packed, or that is not decided.
  var packedByteCount: Int? {
    if case .packed(let stream) = form { stream.readCount } else { nil }
  }

  /// Expects data in the format that a server names, whatever the first bytes are.
  ///
  /// - Parameter encoding: The header `Content-Encoding`; nil without one.
  /// - Throws: ``ImportSourceError`` for one that cannot be read.
  func expect(contentEncoding encoding: String?) throws {
    let words = (encoding ?? "").lowercased().split { $0 == "," || $0.isWhitespace }.map(
      String.init)
    let codings = words.filter { $0 != "identity" }
    guard let coding = codings.first else { return }
    let format = options.allFormats.first { $0.contentEncodings.contains(coding) }
    guard let format, codings.count == 1 else {
      throw error(
        "expected the content encoding \(options.acceptedEncodings) or none, found \(encoding ?? "")"
      )
    }
    form = .packed(try stream(format))
  }

  /// Unpacks the next bytes.
  ///
  /// - Parameters:
  ///   - chunk: The bytes; not empty.
  ///   - consumer: Takes the content, piece by piece.
  /// - Throws: ``ImportSourceError`` if they are damaged or grow too much; what `consumer` throws.
  func unpack(_ chunk: RawSpan, _ consumer: (RawSpan) throws -> Void) throws {
    guard case .undecided(let waiting) = form else { return try pass(chunk, consumer) }
    let head = waiting + chunk.first(CompressionFormat.longestSignature - waiting.count)
    try decide(head, isWhole: false)
    if case .undecided = form { return }
    try waiting.withRawSpan { if !$0.isEmpty { try pass($0, consumer) } }
    try pass(chunk, consumer)
  }

  /// Ends the document.
  ///
  /// - Parameter consumer: Takes the rest of the content.
  /// - Throws: ``ImportSourceError`` if it is packed and cut off; what `consumer` throws.
  func finish(_ consumer: (RawSpan) throws -> Void) throws {
    if case .undecided(let waiting) = form, !waiting.isEmpty {
      try decide(waiting, isWhole: true)
      try waiting.withRawSpan { try pass($0, consumer) }
    }
    if case .packed(let stream) = form { try stream.finish() }
  }

  private func pass(_ chunk: RawSpan, _ consumer: (RawSpan) throws -> Void) throws {
    guard case .packed(let stream) = form else { return try consumer(chunk) }
    try stream.unpack(chunk, consumer)
  }

  private func decide(_ head: [UInt8], isWhole: Bool) throws {
    if let format = format(of: head) {
      form = .packed(try stream(format))
    } else if !isWhole, options.allFormats.contains(where: { $0.match(head) == .partial }) {
      form = .undecided(head)
    } else {
      form = .plain
    }
  }

  private func format(of head: [UInt8]) -> CompressionFormat? {
    options.allFormats.first { $0.match(head) == .complete }
  }

  private func stream(_ format: CompressionFormat) throws -> PackedStream {
    guard let decompressor = format.makeDecompressor() else {
      throw error("the library of \(format.name) cannot be initialised")
    }
    return PackedStream(of: name, format, decompressor, ratioLimit: options.ratioLimit)
  }

  private func error(_ message: String) -> ImportSourceError {
    ImportSourceError(.encoding, source: name, message: message)
  }
}

/// Decompresses one document piece by piece.
///
/// Data that follows the end of other data, such as a gzip member, belongs to the same document.
@safe private final class PackedStream {
  private static let capacity = 64 << 10
  /// The number of bytes of content from which the ratio is checked.
  private static let freeByteCount = 1 << 20

  private let name: String
  private let format: CompressionFormat
  private let decompressor: any Decompressor
  private let ratioLimit: Int
  private let output: UnsafeMutableRawBufferPointer
  private(set) var readCount = 0
  private var writtenCount = 0
  /// Whether data has begun and not ended.
  private var isInside = true

  init(
    of name: String, _ format: CompressionFormat, _ decompressor: any Decompressor, ratioLimit: Int
  ) {
    self.name = name
    self.format = format
    self.decompressor = decompressor
    self.ratioLimit = ratioLimit
    unsafe output = .allocate(byteCount: Self.capacity, alignment: 16)
    unsafe output.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { unsafe output.deallocate() }

  func unpack(_ chunk: RawSpan, _ consumer: (RawSpan) throws -> Void) throws {
    var rest = chunk
    var goesOn = true
    while goesOn, let step = try nextStep(&rest) {
      if step.writtenCount > 0 {
        try consumer(
          unsafe UnsafeRawBufferPointer(rebasing: output[..<step.writtenCount]).bytes)
      }
      goesOn = try continues(after: step, isAtEnd: rest.isEmpty)
    }
  }

  // Not part of `unpack`, which is compiled for each of its consumers.

  /// Unpacks as much as there is room for; nil if all data has ended.
  @inline(never)
  private func nextStep(_ rest: inout RawSpan) throws -> DecompressionStep? {
    if !isInside {
      // Between members, and after the last, there may be zeros.
      while !rest.isEmpty, unsafe rest.unsafeLoad(as: UInt8.self) == 0 {
        rest = rest.extracting(droppingFirst: 1)
        readCount += 1
      }
      guard !rest.isEmpty else { return nil }
      decompressor.reset()
      isInside = true
    }
    let step = step(rest)
    rest = rest.extracting(droppingFirst: step.readCount)
    readCount += step.readCount
    writtenCount += step.writtenCount
    try checkRatio()
    return step
  }

  @inline(never)
  private func continues(after step: DecompressionStep, isAtEnd: Bool) throws -> Bool {
    switch step.state {
    case .finished: isInside = false
    case .damaged(let reason):
      throw error("\(format.name) data is damaged at byte \(readCount): \(reason)")
    case .unsupported(let feature):
      throw error(
        "\(format.name) data needs \(feature), which is not supported, at byte \(readCount)")
    case .unfinished:
      // Everything was written if there was room for more.
      if isAtEnd, step.writtenCount < Self.capacity { return false }
      guard step.readCount + step.writtenCount > 0 else {
        throw error("\(format.name) data is damaged at byte \(readCount): it leads nowhere")
      }
    }
    return true
  }

  func finish() throws {
    if isInside {
      throw error("\(format.name) data is cut off at byte \(readCount), before its end")
    }
  }

  private func step(_ input: RawSpan) -> DecompressionStep {
    var room = unsafe output.mutableBytes
    return decompressor.decompress(input, into: &room)
  }

  private func checkRatio() throws {
    guard writtenCount > Self.freeByteCount else { return }
    let (most, isUnlimited) = readCount.multipliedReportingOverflow(by: ratioLimit)
    guard !isUnlimited, writtenCount > most else { return }
    throw ImportSourceError(
      .limit, source: name,
      message:
        "\(format.name) data of \(readCount) bytes grows to more than \(ratioLimit) times its size; if that is right,"
        + " raise ImportSource.decompression.ratioLimit")
  }

  private func error(_ message: String) -> ImportSourceError {
    ImportSourceError(.encoding, source: name, message: message)
  }
}

extension RawSpan {
  /// Returns a copy of the first bytes.
  fileprivate func first(_ count: Int) -> [UInt8] {
    unsafe withUnsafeBytes { unsafe Array($0.prefix(count)) }
  }
}
