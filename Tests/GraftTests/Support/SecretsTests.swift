import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `An address` {
  @Test(arguments: [
    ("http://ada:pass@example.org/a", "http://example.org/a"),
    ("https://ada@example.org:8080/a?page=2", "https://example.org:8080/a?page=2"),
    ("https://TOKEN:x@example.org", "https://example.org"),
    ("http://ada:p@ss@example.org/@ada", "http://example.org/@ada"),
    ("http://ada:p/a@ss@example.org/a", "http://example.org/a"),
    ("HTTPS://ada:pass@EXAMPLE.org/", "HTTPS://EXAMPLE.org/"),
    ("http://ada:p#s@example.org/a", "http://example.org/a"),
    ("http://ada:p?s@example.org/a", "http://example.org/a"),
    ("http://ada:p/s@example.org/a?mail=b@c", "http://example.org/a?mail=b@c"),
    ("http://ada:pass@[::1]:80/a", "http://[::1]:80/a"),
    ("http://ada:pass@", "http://"),
    ("Tweet=http://ada:pass@example.org/a", "Tweet=http://example.org/a"),
  ])
  func `is shown without user and password`(address: String, shown: String) {
    #expect(Secrets.removed(from: address) == shown)
  }

  @Test(arguments: [
    "token", "access_token", "accessToken", "api_key", "apikey", "API-Key", "key", "signature",
    "sig", "X-Amz-Signature", "X-Amz-Credential", "x-amz-security-token", "X-Goog-Signature",
    "client_secret", "password", "pwd", "auth", "jwt", "subscription-key", "code", "t%6Fken",
    "%74oken",
  ])
  func `is shown without the value of a parameter that gives access`(name: String) {
    #expect(
      Secrets.removed(from: "https://example.org/a?page=2&\(name)=5f1c%20&n=1#top")
        == "https://example.org/a?page=2&\(name)=***&n=1#top")
    #expect(
      Secrets.removed(from: "https://example.org/?\(name)=a=b")
        == "https://example.org/?\(name)=***")
    #expect(
      Secrets.removed(from: "https://example.org/#\(name)=a") == "https://example.org/#\(name)=***")
    #expect(
      Secrets.removed(from: "https://example.org/?a=b;\(name)=a")
        == "https://example.org/?a=b;\(name)=***")
  }

  @Test(arguments: [
    "https://example.org/@ada/feed.json?page=2&sort=name&keys=a,b&author=ada#part",
    "http://example.org:8080/a@b", "http://example.org:8080?a@b", "http://example.org#a@b",
    "http://[::1]:8080/a@b", "http://[::1]/a@b",
    "tweets@2x.json?token=1", "/tmp/a:b@c", "-", "", "://a@b", "-://c@d", "http://", "http://a?",
    "http://a?&&=1&b", "file:///tmp/ada@home/a.json",
  ])
  func `is shown as it is where nothing in it gives access`(address: String) {
    #expect(Secrets.removed(from: address) == address)
  }

  @Test func `loses nothing but secrets, whatever is in it`() {
    var random = SeededGenerator(seed: 21)
    let pieces = [
      "http", "://", ":", "@", "/", "?", "&", ";", "#", "=", "token", "%", "%7", "é", "a", "1", "[",
      "]",
    ]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      let once = Secrets.removed(from: text)
      #expect(Secrets.removed(from: once) == once, "\(text)")
      if !text.contains("://") { #expect(once == text) }
    }
  }
}
