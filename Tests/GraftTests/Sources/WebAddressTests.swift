import Foundation
import Testing

@testable import Graft

@Suite struct `An address on the web` {
  @Test(arguments: [
    ("http://a.b/c?d=e#f", "http://a.b/c?d=e#f"),
    ("http://a.b/c%20d?q=caf%C3%A9", "http://a.b/c%20d?q=caf%C3%A9"),
    ("http://a.b/?q=caf%C3%A9&page[size]=5", "http://a.b/?q=caf%C3%A9&page%5Bsize%5D=5"),
    ("http://a.b/ö|\"<>^`{} ?ü", "http://a.b/%C3%B6%7C%22%3C%3E%5E%60%7B%7D%20?%C3%BC"),
    ("http://a.b/100%?x=%4&y=%zz&z=%41", "http://a.b/100%25?x=%254&y=%25zz&z=%41"),
    ("http://[::1]:80/[x]", "http://[::1]:80/%5Bx%5D"),
    ("http://a.b?a[]=1#b#c", "http://a.b?a%5B%5D=1#b%23c"),
    ("http://u:p@a.b/", "http://u:p@a.b/"),
  ])
  func `stays as it is written where it is escaped`(address: String, expected: String) {
    #expect(URL(address: address)?.absoluteString == expected)
  }

  @Test(arguments: [
    ("?p[n]=2&x=%20", "http://a.b/c?p%5Bn%5D=2&x=%20"), ("/d[0]", "http://a.b/d%5B0%5D"),
    ("//e.f/[g]", "http://e.f/%5Bg%5D"), ("e//[f]", "http://a.b/e//%5Bf%5D"),
  ])
  func `may be relative`(address: String, expected: String) {
    let base = URL(string: "http://a.b/c?d")
    #expect(URL(address: address, relativeTo: base)?.absoluteURL.absoluteString == expected)
  }

  @Test(arguments: ["", "http://a b/", "http://[::1"])
  func `may be none`(address: String) { #expect(URL(address: address) == nil) }
}
