import Foundation
import Synchronization

/// A web server on this machine that answers each request with the bytes, pauses and breaks that a test asks for.
final class LoopbackServer: Sendable {
  /// A request as it was read.
  struct Request: Sendable {
    var method = ""
    /// Path and query.
    var target = ""
    /// The headers, by their names in lower case.
    var headers: [String: String] = [:]
    var body = Data()
  }

  /// A part of an answer.
  enum Step: Sendable {
    case send(Data)
    /// The same bytes again and again; nil for as long as the client reads.
    case `repeat`(Data, Int?)
    case pause(seconds: Double)
    /// Nothing more until something has happened; if it does not within five seconds, the connection breaks off.
    case wait(@Sendable () -> Bool)
    /// Nothing more, until the client gives up.
    case stall
    /// The connection breaks off.
    case reset
  }

  let port: Int
  private let listener: Int32
  private let answer: @Sendable (Request) -> [Step]
  /// Whether a connection serves one request after the other.
  private let keepsConnections: Bool
  private let accepted = Atomic(0)
  private let log = Mutex<[Request]>([])
  private let sent = Atomic(0)

  /// The requests that have come.
  var requests: [Request] { log.withLock(\.self) }
  /// The number of connections that were made.
  var connectionCount: Int { accepted.load(ordering: .relaxed) }
  /// The number of bytes that the system has taken for its clients.
  var sentByteCount: Int { sent.load(ordering: .relaxed) }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - keepsConnections: Whether a connection serves one request after the other.
  ///   - answer: What it answers; by default the files of the package.
  /// - Throws: `POSIXError` where there is no port.
  init(
    keepsConnections: Bool = false,
    _ answer: @escaping @Sendable (Request) -> [Step] = LoopbackServer.file
  ) throws {
    self.answer = answer
    self.keepsConnections = keepsConnections
    #if os(Linux)
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, pointer, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    self.listener = listener
    port = Int(UInt16(bigEndian: address.sin_port))
    let accepting = Thread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0, let self else { break }
        let serving = Thread { [self] in serve(connection) }
        serving.stackSize = 1 << 20
        serving.start()
      }
      close(listener)
    }
    accepting.stackSize = 1 << 20
    accepting.start()
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
  }

  func url(_ path: String) -> URL {
    URL(string: "http://127.0.0.1:\(port)/\(path)") ?? SourceTree.root
  }

  /// Waits until the client has taken nothing for a while.
  ///
  /// - Returns: How many bytes it has taken in all.
  func waitUntilBlocked(seconds: Double = 0.5) -> Int {
    var last = -1
    while last != sentByteCount {
      last = sentByteCount
      Thread.sleep(forTimeInterval: seconds)
    }
    return last
  }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    #if !os(Linux)
    var isOn: Int32 = 1
    setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
    accepted.add(1, ordering: .relaxed)
    while let request = Self.read(connection) {
      guard serve(request, on: connection), keepsConnections else { return }
    }
  }

  /// Answers a request.
  ///
  /// - Returns: Whether the connection may serve another one.
  private func serve(_ request: Request, on connection: Int32) -> Bool {
    log.withLock { $0.append(request) }
    for step in answer(request) {
      switch step {
      case .send(let data): guard send(closing(data), to: connection) else { return false }
      case .repeat(let data, let count):
        var left = count ?? .max
        while left > 0 {
          guard send(data, to: connection) else { return false }
          left -= 1
        }
      case .pause(let seconds): Thread.sleep(forTimeInterval: seconds)
      case .wait(let hasHappened):
        for _ in 0..<500 where !hasHappened() { Thread.sleep(forTimeInterval: 0.01) }
        guard hasHappened() else { return false }
      case .stall:
        var byte: UInt8 = 0
        while recv(connection, &byte, 1, 0) > 0 {}
      case .reset:
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
          connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        return false
      }
    }
    if keepsConnections { return true }
    // Bytes that the client has yet to read may be lost if the connection is closed at once.
    shutdown(connection, Int32(SHUT_WR))
    var patience = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(
      connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var rest = [UInt8](repeating: 0, count: 4_096)
    while recv(connection, &rest, rest.count, 0) > 0 {}
    return false
  }

  /// The bytes without the header that ends a connection, where that is kept.
  private func closing(_ data: Data) -> Data {
    let header = Data("Connection: close\r\n".utf8)
    guard keepsConnections, let range = data.firstRange(of: header) else { return data }
    return data[..<range.lowerBound] + data[range.upperBound...]
  }

  private func send(_ data: Data, to connection: Int32) -> Bool {
    var rest = data[...]
    while !rest.isEmpty {
      #if os(Linux)
      let flags = Int32(MSG_NOSIGNAL)
      #else
      let flags: Int32 = 0
      #endif
      let count = rest.withUnsafeBytes {
        Foundation.send(connection, $0.baseAddress, $0.count, flags)
      }
      guard count > 0 else { return false }
      sent.add(count, ordering: .relaxed)
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func read(_ connection: Int32) -> Request? {
    var bytes = Data()
    func more() -> Bool {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return false }
      bytes += buffer[..<count]
      return true
    }
    var end = bytes.firstRange(of: Data("\r\n\r\n".utf8))
    while end == nil {
      guard more() else { return nil }
      end = bytes.firstRange(of: Data("\r\n\r\n".utf8))
    }
    guard let end else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(
      separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    var request = Request(method: String(words[0]), target: String(words[1]))
    for line in lines.dropFirst() {
      let halves = line.split(separator: ":", maxSplits: 1)
      guard halves.count == 2 else { continue }
      request.headers[halves[0].lowercased()] = halves[1].trimmingCharacters(in: .whitespaces)
    }
    if request.headers["transfer-encoding"]?.lowercased() == "chunked" {
      while bytes.suffix(5) != Data("0\r\n\r\n".utf8) { guard more() else { return nil } }
      request.body = unchunked(bytes[end.upperBound...])
    } else {
      let length = Int(request.headers["content-length"] ?? "0") ?? 0
      while bytes.count < end.upperBound + length { guard more() else { return nil } }
      request.body = Data(bytes[end.upperBound...])
    }
    return request
  }

  private static func unchunked(_ data: Data) -> Data {
    var (rest, body) = (data, Data())
    while let end = rest.firstRange(of: Data("\r\n".utf8)),
      let count = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16),
      count > 0
    {
      body += rest[end.upperBound...].prefix(count)
      rest = rest[end.upperBound...].dropFirst(count + 2)
    }
    return body
  }
}

extension LoopbackServer.Step {
  /// The whole of an answer with a length.
  ///
  /// - Parameters:
  ///   - body: The body.
  ///   - status: The status, with its reason.
  ///   - headers: More headers, as lines.
  /// - Returns: The step.
  static func answer(
    _ body: Data, status: String = "200 OK", headers: [String] = []
  ) -> LoopbackServer.Step {
    head(status, ["Content-Length: \(body.count)"] + headers, body)
  }

  static func answer(
    _ body: String, status: String = "200 OK", headers: [String] = []
  ) -> LoopbackServer.Step {
    answer(Data(body.utf8), status: status, headers: headers)
  }

  /// A head, and the beginning of a body that the end of the connection ends unless a header says otherwise.
  static func head(
    _ status: String = "200 OK", _ headers: [String] = [], _ body: Data = Data()
  ) -> LoopbackServer.Step {
    let lines = ["HTTP/1.1 \(status)"] + headers + ["Connection: close", "", ""]
    return .send(Data(lines.joined(separator: "\r\n").utf8) + body)
  }

  static func send(_ text: String) -> LoopbackServer.Step { .send(Data(text.utf8)) }
}

extension LoopbackServer {
  /// Answers with a file of the package.
  static let file: @Sendable (Request) -> [Step] = { request in
    guard let data = try? Data(contentsOf: Fixture.url(String(request.target.dropFirst()))) else {
      return [.answer("{}", status: "404 Not Found")]
    }
    return [.answer(data, headers: ["Content-Type: application/json"])]
  }
}
