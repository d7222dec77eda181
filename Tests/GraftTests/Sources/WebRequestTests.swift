import Foundation
import Testing

@testable import Graft

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct `A request by the web` {
  private static func request(
    _ address: String, method: String = "GET", _ headers: [String: String] = [:]
  ) throws -> WebRequest {
    var request = URLRequest(url: try #require(URL(string: address)))
    request.httpMethod = method
    request.allHTTPHeaderFields = headers
    if method == "POST" { request.httpBody = Data("12".utf8) }
    return try WebRequest(request)
  }

  @Test func `has its user and password apart from its address`() throws {
    let request = try Self.request("http://ada:p%40ss@example.org/a?b=1")
    #expect(request.user == "ada")
    #expect(request.password == "p@ss")
    #expect(request.url.absoluteString == "http://example.org/a?b=1")
  }

  @Test(arguments: [
    ("ftp://example.org/a", "ftp://example.org/a: expected a request by http or https, found ftp"),
    ("file:///a", "file:///a: expected a request by http or https, found file"),
    ("/a", "/a: expected a request by http or https, found no scheme"),
    ("http:///a", "http:///a: expected the name of a host"),
    (
      "http://example.org:99999/a",
      "http://example.org:99999/a: expected a port from 1 to 65535, found 99999"
    ),
    (
      "http://example.org:0/a",
      "http://example.org:0/a: expected a port from 1 to 65535, found 0"
    ),
  ])
  func `is refused where no server could answer it`(address: String, message: String) {
    let error = #expect(throws: ImportSourceError.self) { try Self.request(address) }
    #expect(error?.kind == .unsupportedURL)
    #expect(error?.description == message)
  }

  @Test(arguments: ["a\r\nX-Injected: 1", "a\nb", "a\u{0}b"])
  func `is refused with a header that is several`(value: String) {
    let error = #expect(throws: ImportSourceError.self) {
      try Self.request("http://example.org/", ["X-Name": value])
    }
    #expect(
      error?.message == "expected a method and headers without control characters")
  }

  @Test(arguments: [
    ("b", "http://example.org/x/b"), ("/b?c", "http://example.org/b?c"),
    ("//other.org/b", "http://other.org/b"), ("HTTPS://other.org", "https://other.org"),
    ("http://example.org/a b", "http://example.org/a%20b"),
  ])
  func `goes on where a redirection leads`(location: String, address: String) throws {
    let next = try Self.request("http://example.org/x/a").redirected(to: location, status: 302)
    #expect(next?.url.absoluteString.lowercased() == address)
  }

  @Test(arguments: [
    (200, "b"), (300, "b"), (304, "b"), (305, "b"), (306, "b"), (404, "b"), (302, ""),
  ])
  func `goes nowhere otherwise`(status: Int, location: String) throws {
    let request = try Self.request("http://example.org/a")
    #expect(try request.redirected(to: location, status: status) == nil)
    #expect(try request.redirected(to: nil, status: status) == nil)
  }

  @Test(arguments: [
    "ftp://example.org/a", "file:///etc/passwd", "gopher://example.org", "http://h:99999/",
  ])
  func `is not redirected to what is not the web`(location: String) throws {
    let request = try Self.request("http://example.org/a")
    let error = #expect(throws: ImportSourceError.self) {
      try request.redirected(to: location, status: 302)
    }
    #expect(error?.source == "http://example.org/a")
    #expect(error?.message.hasPrefix("the server redirects to \(location): expected a") == true)
  }

  @Test(arguments: [
    ("/b", true), ("http://example.org:80/b", true), ("http://EXAMPLE.org/b", true),
    ("http://other.org/b", false), ("http://example.org:8080/b", false),
    ("https://example.org/b", false), ("http://www.example.org/b", false),
  ])
  func `carries what gives access to the same server only`(location: String, isSame: Bool) throws {
    let request = try Self.request(
      "http://ada:pass@example.org/a",
      [
        "Authorization": "a", "Cookie": "b", "X-Api-Key": "c", "Host": "d", "Accept": "e",
        "X-Name": "f",
      ])
    let next = try #require(try request.redirected(to: location, status: 307))
    #expect(next.user == (isSame ? "ada" : nil))
    #expect(next.password == (isSame ? "pass" : nil))
    #expect(
      next.headers.map(\.name)
        == (isSame
          ? ["Accept", "Authorization", "Cookie", "Host", "X-Api-Key", "X-Name"]
          : ["Accept", "X-Name"]))
  }

  @Test(arguments: [
    (301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST"),
  ])
  func `keeps its method and body where the status says so`(status: Int, method: String) throws {
    let request = try Self.request(
      "http://example.org/a", method: "POST", ["Content-Type": "text/plain"])
    let next = try #require(try request.redirected(to: "/b", status: status))
    #expect(next.method == method)
    #expect((next.body != nil) == (method == "POST"))
    #expect((next["content-type"] != nil) == (method == "POST"))
  }

  @Test func `has no body that is a stream`() throws {
    var request = URLRequest(url: try #require(URL(string: "http://example.org/a")))
    request.httpMethod = "PUT"
    request.httpBodyStream = InputStream(data: Data("12".utf8))
    let error = #expect(throws: ImportSourceError.self) { try WebRequest(request) }
    #expect(error?.message == "expected a body in httpBody, found a stream")
  }
}
