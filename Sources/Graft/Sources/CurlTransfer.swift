// Raw memory: a handle of libcurl, a list of headers and a buffer for its message, made and freed here. While
// `curl_easy_perform` runs, and at no other time, libcurl calls back with an unretained pointer to the transfer, which
// `perform` keeps alive, on the same thread. Bytes that it hands over are lent for the length of the call.

#if canImport(CCurl)
import CCurl
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests sent through one handle of libcurl, one after the other.
@safe final class CurlTransfer {
  /// Takes a body; nil if the body is ignored.
  typealias Receiver = (RawSpan) throws -> Void
  /// Takes an answer, and the length of its body if it is known; returns the receiver of the body, or nil.
  typealias Begin = (ImportResponse, Int?) throws -> Receiver?

  /// The most bytes of headers, of all answers to a request.
  private static let headLimit = 256 << 10
  /// The most bytes of an ignored body that are read, so that the connection can be used again.
  private static let ignoredLimit = 64 << 10
  /// The most bytes that are read from a socket at a time.
  private static let bufferSize = 128 << 10

  private let handle: UnsafeMutableRawPointer
  private let message: UnsafeMutablePointer<CChar>
  /// Returns whether the transfer is to end; asked for each piece, and each second.
  var isCancelled: () -> Bool = { false }
  /// The header `Accept-Encoding` of requests that have none.
  var acceptedEncodings = ""

  // The closure that receives the answer to the current request.
  private var begin: Begin = { _, _ in nil }
  private var receiver: Receiver?
  private var hasBegun = false
  private var url = URL(filePath: "/")
  private var status = 0
  private var headers: [ImportResponse.Header] = []
  private var isHeadWhole = false
  private var headByteCount = 0
  private var ignoredByteCount = 0
  private var failure: (any Error)?
  /// The longest time without a byte, in seconds; nil for no limit.
  private var timeout: Double?
  private var movedByteCount = 0
  private var lastMove = ContinuousClock.now
  /// Whether the transfer was ended because no byte came for too long.
  private var isStalled = false

  /// - Throws: ``ImportSourceError`` if libcurl cannot be used.
  init() throws {
    guard Self.isReady, let handle = unsafe curl_easy_init() else {
      throw ImportSourceError(.connection, source: "libcurl", message: "cannot be initialised")
    }
    unsafe self.handle = handle
    unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe message.deallocate()
  }

  /// Initialises libcurl, once.
  private static let isReady = ccurl_global_init() == CURLE_OK

  /// Sends a request and hands over the answer.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - begin: Called once, with the head of the answer.
  /// - Throws: An error of `begin` or of the receiver, ``ImportSourceError``, or
  ///   `CancellationError`.
  func perform(
    _ request: WebRequest, begin: @escaping Begin
  ) throws {
    self.begin = begin
    (receiver, hasBegun, failure) = (nil, false, nil)
    (isHeadWhole, headByteCount, ignoredByteCount) = (false, 0, 0)
    (timeout, movedByteCount, lastMove, isStalled) = (request.timeout, 0, .now, false)
    (url, status, headers) = (request.url, 0, [])
    unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    unsafe curl_easy_reset(handle)
    var headers = unsafe try set(request)
    defer {
      unsafe curl_slist_free_all(headers)
      unsafe headers = nil
      self.begin = { _, _ in nil }
      receiver = nil
    }
    Self.ignoreBrokenPipes()
    let code = unsafe curl_easy_perform(handle)
    if let failure { throw failure }
    if isCancelled() { throw CancellationError() }
    if isStalled { throw error(CURLE_OPERATION_TIMEDOUT, request) }
    let isCutShort = code == CURLE_WRITE_ERROR && hasBegun && receiver == nil
    guard code == CURLE_OK || isCutShort else { throw error(code, request) }
    guard isHeadWhole else {
      throw ImportSourceError(
        .connection, source: request.address, message: "the server's answer ends inside its headers"
      )
    }
    if !hasBegun { try beginBody() }
  }
}

// Before and after a transfer.
extension CurlTransfer {
  /// Sets the options of a request.
  ///
  /// - Returns: The headers, which must be freed when the request has been sent.
  private func set(_ request: WebRequest) throws -> UnsafeMutablePointer<curl_slist>? {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, message)
    unsafe ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
    unsafe ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
    unsafe ccurl_set_pointer(handle, CURLOPT_XFERINFODATA, context)
    unsafe ccurl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      unsafe CurlTransfer.from(context).takeBody(
        UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    unsafe ccurl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      unsafe CurlTransfer.from(context).takeHeader(
        UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    unsafe ccurl_set_progress(handle) { context, _, received, _, sent in
      unsafe CurlTransfer.from(context).mayContinue(Int(received + sent)) ? 0 : 1
    }
    set(CURLOPT_NOPROGRESS, 0)
    // A proxy's answer is not the server's.
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // Time-outs by signals would end any thread of the process.
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_BUFFERSIZE, Self.bufferSize)
    set(CURLOPT_TCP_KEEPALIVE, 1)
    if let timeout = request.timeout {
      set(CURLOPT_CONNECTTIMEOUT_MS, Int((timeout * 1_000).rounded(.up)))
    } else {
      set(CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
    }
    if request.handlesCookies { try set(CURLOPT_COOKIEFILE, "", request) }
    // As the command curl does it; libcurl itself knows only where its builder kept certificates.
    if let file = ProcessInfo.processInfo.environment["SSL_CERT_FILE"] {
      try set(CURLOPT_CAINFO, file, request)
    }
    guard unsafe ccurl_allow_web_only(handle) == CURLE_OK else {
      throw error(CURLE_UNSUPPORTED_PROTOCOL, request)
    }
    try set(CURLOPT_URL, request.url.absoluteString, request)
    if let user = request.user { try set(CURLOPT_USERNAME, user, request) }
    if let password = request.password { try set(CURLOPT_PASSWORD, password, request) }
    try setBody(request)
    return unsafe setHeaders(request)
  }

  private func setBody(_ request: WebRequest) throws {
    switch request.body {
    case let data? where !data.isEmpty:
      unsafe ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(data.count))
      // libcurl copies the bytes.
      unsafe data.withUnsafeBytes { bytes in
        _ = unsafe ccurl_set_pointer(
          handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      }
    case nil where request.method == "HEAD": set(CURLOPT_NOBODY, 1)
    case nil where !["POST", "PUT", "PATCH"].contains(request.method): break
    default: try set(CURLOPT_COPYPOSTFIELDS, "", request)
    }
    if request.method != "HEAD" { try set(CURLOPT_CUSTOMREQUEST, request.method, request) }
  }

  private func setHeaders(_ request: WebRequest) -> UnsafeMutablePointer<curl_slist>? {
    var list: UnsafeMutablePointer<curl_slist>?
    func add(_ line: String) { unsafe list = unsafe curl_slist_append(list, line) ?? list }
    for (name, value) in request.headers where name.lowercased() != "content-length" {
      add(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    // If libcurl unpacked the body itself, it would accept one that is cut off as whole.
    if request["Accept-Encoding"] == nil {
      add("Accept-Encoding: \(acceptedEncodings)")
    }
    if request["User-Agent"] == nil {
      add("User-Agent: Graft libcurl/\(LIBCURL_VERSION)")
    }
    // Do not wait for the server's permission to send a body.
    if request["Expect"] == nil { add("Expect:") }
    unsafe ccurl_set_headers(handle, list)
    return unsafe list
  }

  private func set(_ option: CURLoption, _ value: Int) {
    unsafe ccurl_set_long(handle, option, value)
  }

  private func set(_ option: CURLoption, _ value: String, _ request: WebRequest) throws {
    let code = unsafe ccurl_set_string(handle, option, value)
    guard code == CURLE_OK else { throw error(code, request) }
  }

  /// Keeps a write to a closed connection from ending the process.
  ///
  /// The thread is the transfer's own, so a pending signal ends with it.
  private static func ignoreBrokenPipes() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Returns the error for a code of libcurl.
  private func error(_ code: CURLcode, _ request: WebRequest) -> ImportSourceError {
    var text = unsafe String(cString: message)
    if text.isEmpty { text = unsafe String(cString: curl_easy_strerror(code)) }
    if code == CURLE_OPERATION_TIMEDOUT, let timeout = request.timeout {
      var connected: curl_off_t = 0
      unsafe ccurl_get_size(handle, CURLINFO_CONNECT_TIME_T, &connected)
      let seconds = timeout.rounded() == timeout ? "\(Int(timeout))" : "\(timeout)"
      text = connected > 0 ? "no bytes came for \(seconds) s" : "no connection within \(seconds) s"
    }
    return ImportSourceError(
      .connection, source: request.address, httpStatus: status == 0 ? nil : status,
      message: text, underlyingError: URLError(URLError.Code(code)))
  }
}

// During a transfer, called by libcurl.
extension CurlTransfer {
  private static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
    guard let context = unsafe context else {
      misuse("libcurl called back without its context")
    }
    return unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  }

  /// Decides whether the transfer goes on: it is not cancelled, and bytes move.
  ///
  /// libcurl asks about once a second. Its own limit is a mean over some seconds: it ends a slow transfer, and
  /// notices late that one has stopped.
  ///
  /// - Parameter byteCount: The number of bytes of bodies that were received and sent.
  /// - Returns: Whether it does.
  private func mayContinue(_ byteCount: Int) -> Bool {
    guard !isCancelled() else { return false }
    if byteCount != movedByteCount { (movedByteCount, lastMove) = (byteCount, .now) }
    guard let timeout, ContinuousClock.now - lastMove > .seconds(timeout) else { return true }
    isStalled = true
    return false
  }

  /// Begins the body with the head received so far.
  private func beginBody() throws {
    hasBegun = true
    var length: curl_off_t = -1
    unsafe ccurl_get_size(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length)
    let response = ImportResponse(url: url, status: status, headers: headers)
    receiver = try begin(response, length >= 0 ? Int(length) : nil)
  }

  /// Takes a piece of the body.
  ///
  /// - Returns: The number of its bytes, or 0 to end the transfer.
  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard failure == nil, !isCancelled() else { return 0 }
    // The time that the receiver takes is not the server's.
    defer { lastMove = .now }
    do {
      if !hasBegun { try beginBody() }
      if let receiver {
        try receiver(unsafe bytes.bytes)
      } else {
        ignoredByteCount += bytes.count
        if ignoredByteCount > Self.ignoredLimit { return 0 }
      }
      return bytes.count
    } catch {
      failure = error
      return 0
    }
  }

  /// Takes a line of the head: the status, a header, or the empty line at its end.
  ///
  /// - Returns: The number of its bytes, or 0 to end the transfer.
  private func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
    headByteCount += bytes.count
    lastMove = .now
    guard headByteCount <= Self.headLimit else {
      failure = ImportSourceError(
        .connection, source: url.shownAddress,
        message: "the server sends more than \(Self.headLimit) bytes of headers")
      return 0
    }
    let text = unsafe String(decoding: bytes, as: UTF8.self)
    let line = text.trimmingCharacters(in: .whitespacesAndNewlines)
    // Lines after the body belong to no head. Of an empty body only the end of the head tells.
    guard !hasBegun, !isHeadWhole || line.hasPrefix("HTTP/") else { return bytes.count }
    isHeadWhole = line.isEmpty
    if let first = text.first, first == " " || first == "\t", !line.isEmpty, !headers.isEmpty {
      // A line that goes on with the header before it (RFC 9112, 5.2).
      headers[headers.count - 1].value += " " + line
    } else if line.hasPrefix("HTTP/") {
      // Each answer has a head of its own, even one that only permits the request to continue.
      let words = line.split(separator: " ")
      (status, headers) = (words.count > 1 ? Int(String(words[1])) ?? 0 : 0, [])
    } else if let colon = line.firstIndex(of: ":") {
      headers.append(
        ImportResponse.Header(
          name: String(line[..<colon]),
          value: line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)))
    }
    return bytes.count
  }
}

extension URLError.Code {
  /// Creates Foundation's code for one of libcurl's.
  fileprivate init(_ code: CURLcode) {
    switch code {
    case CURLE_URL_MALFORMAT: self = .badURL
    case CURLE_UNSUPPORTED_PROTOCOL: self = .unsupportedURL
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .cannotFindHost
    case CURLE_COULDNT_CONNECT: self = .cannotConnectToHost
    case CURLE_OPERATION_TIMEDOUT: self = .timedOut
    case CURLE_SSL_CONNECT_ERROR: self = .secureConnectionFailed
    case CURLE_PEER_FAILED_VERIFICATION: self = .serverCertificateUntrusted
    case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
      self = .networkConnectionLost
    case CURLE_WEIRD_SERVER_REPLY: self = .badServerResponse
    default: self = .unknown
    }
  }
}
#endif
