import CommandLineSupport
import Foundation
import Graft

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Makes the requests for the URLs that a command is given: their method, headers and body.
///
/// Values of headers and bodies may be secrets. No message repeats them.
struct RequestArguments {
  static let options = ["--header", "--expand-header", "--method", "--data", "--no-request"]

  /// The first of the options that was given.
  private(set) var given: String?
  private var headers: [(name: String, value: String)] = []
  private var method: String?
  private var body: Data?

  /// Reads one of the options.
  ///
  /// - Returns: Whether it is one of ``options``.
  /// - Throws: ``UsageError`` for a value that makes no sense.
  mutating func take(
    _ option: String, _ reader: inout ArgumentReader
  ) throws(UsageError) -> Bool {
    switch option {
    case "--header":
      let text = try reader.value(of: option, "NAME:VALUE")
      guard let file = Self.file(text) else {
        headers.append(try Self.header(text, option))
        break
      }
      let lines = String(decoding: try Self.contents(of: file, option), as: UTF8.self)
        .split(whereSeparator: \.isNewline)
      for line in lines where !line.allSatisfy(\.isWhitespace) {
        headers.append(try Self.header(String(line), "\(option) @\(file)"))
      }
    case "--expand-header":
      let text = try reader.value(of: option, "NAME:VALUE")
      headers.append(try Self.header(try Self.expanded(text, option), option))
    case "--method":
      let name = try reader.value(of: option, "NAME")
      guard !name.isEmpty, name.utf8.allSatisfy(\.isToken) else {
        throw UsageError("\(option) takes the name of a method, such as POST; found \"\(name)\"")
      }
      method = name.uppercased()
    case "--data":
      let text = try reader.value(of: option, "TEXT")
      body =
        try Self.file(text).map { (file) throws(UsageError) in try Self.contents(of: file, option) }
        ?? Data(text.utf8)
    case "--no-request": self = RequestArguments()
    default: return false
    }
    if option != "--no-request" { given = given ?? option }
    return true
  }

  /// Checks that an option for the answers of a server has one.
  ///
  /// - Parameters:
  ///   - option: The first such option that was given.
  ///   - operands: The files.
  /// - Throws: ``UsageError`` if no file is a URL.
  static func check(_ option: String?, among operands: [String]) throws(UsageError) {
    guard let option, !operands.contains(where: isAnswer) else { return }
    throw UsageError("\(option) is for answers of a server, and no file is an http(s) URL")
  }

  /// Returns whether a file is a server's answer; the operand may name roots before the address.
  private static func isAnswer(_ operand: String) -> Bool {
    ["http://", "https://"].contains { operand.lowercased().contains($0) }
  }

  /// Returns the request for a URL.
  func request(_ url: URL) -> URLRequest {
    var request = URLRequest(url: url)
    for header in headers {
      let former = request.value(forHTTPHeaderField: header.name)
      // Cookies are separated by semicolons (RFC 6265, 5.4), the values of other headers by commas.
      if let former, header.name.lowercased() == "cookie" {
        request.setValue("\(former); \(header.value)", forHTTPHeaderField: header.name)
      } else {
        request.addValue(header.value, forHTTPHeaderField: header.name)
      }
    }
    request.httpMethod = method ?? (body == nil ? "GET" : "POST")
    if let body {
      request.httpBody = body
      if request.value(forHTTPHeaderField: "Content-Type") == nil {
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      }
    }
    return request
  }
}

// The forms of values.
extension RequestArguments {
  /// Returns the file that a value names: `@headers.txt`; nil for other values.
  private static func file(_ text: String) -> String? {
    text.hasPrefix("@") && text.count > 1 ? String(text.dropFirst()) : nil
  }

  /// The most bytes of a file with headers or a body, which are in memory as a whole.
  private static let limit = 64 << 20

  private static func contents(of file: String, _ option: String) throws(UsageError) -> Data {
    var contents = Data()
    do {
      // A pipe, such as <(pass show token), can be read too.
      try FileSource.withFile(URL(fileURLWithPath: file)) { source in
        try source.read(chunkSize: 1 << 16) { chunk in
          guard contents.count + chunk.byteCount <= limit else {
            throw UsageError(
              "\(option) @\(file): the file holds more than \(Amount.number(limit)) bytes")
          }
          unsafe chunk.withUnsafeBytes { unsafe contents.append(contentsOf: $0) }
        }
      }
    } catch let error as UsageError {
      throw error
    } catch {
      let reason = (error as? ImportSourceError)?.message ?? error.localizedDescription
      throw UsageError("\(option) @\(file): the file cannot be read: \(reason)")
    }
    return contents
  }

  private static func header(
    _ text: String, _ option: String
  ) throws(UsageError) -> (name: String, value: String) {
    guard let colon = text.firstIndex(of: ":"), colon > text.startIndex,
      text[..<colon].utf8.allSatisfy(\.isToken)
    else {
      throw UsageError(
        "\(option) takes a header, such as \"Accept: application/json\"; found a text that does not begin with a"
          + " name and a colon")
    }
    let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    guard !value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }) else {
      throw UsageError("\(option): the value of \(text[..<colon]) contains a line break")
    }
    HiddenValues.add(value, ofHeader: String(text[..<colon]))
    return (String(text[..<colon]), value)
  }

  /// Replaces `{{NAME}}` by the environment variable of that name.
  private static func expanded(_ text: String, _ option: String) throws(UsageError) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "{{"),
      let end = rest[start.upperBound...].firstRange(of: "}}")
    {
      let name = String(rest[start.upperBound..<end.lowerBound])
      guard let value = ProcessInfo.processInfo.environment[name], !value.isEmpty else {
        throw UsageError("\(option): the environment variable \"\(name)\" is not set")
      }
      HiddenValues.add(value)
      result += rest[..<start.lowerBound] + value
      rest = rest[end.upperBound...]
    }
    return result + rest
  }
}

extension UInt8 {
  /// Whether the byte may be part of a method or of a header's name (RFC 9110).
  fileprivate var isToken: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }
}
