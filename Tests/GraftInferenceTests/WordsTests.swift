import Testing

@testable import GraftInference

@Suite struct `The words of a key` {
  /// Keys of all sorts: capitals, digits, punctuation, and at random.
  private static var keys: [String] {
    let some = [
      "", "id", "homeTeam_ids", "HTMLParser", "parseHTML5Doc", "iso_3166-1", "a", "A", "AB", "aB",
      "_id", "$ref",
      "x1Y2z3", "ID3Tag", "--", "user.first-name", "URLs", "3dModel", "N1", "aBC", "ABc",
      " two words ",
    ]
    let characters = Array("aBcD12_-. $@")
    var random = SystemRandomNumberGenerator()
    return some
      + (0..<2000).map { _ in
        String(
          (0..<Int.random(in: 1...12, using: &random)).map { _ in characters.randomElement() ?? "a"
          })
      }
  }

  @Test func `are the same whether or not it has other letters than ASCII`() {
    let differing = Self.keys.filter {
      Words("a." + $0).parts + ["é"] != Words("a." + $0 + " é").parts
    }
    #expect(differing == [])
  }

  @Test(arguments: [
    ("logo_URIs", ["logo", "uris"]), ("assetIDsByName", ["asset", "ids", "by", "name"]),
    ("HTMLStyle", ["html", "style"]),
  ])
  func `have the plural of an acronym among them`(key: String, words: [String]) {
    #expect(Words(key).parts == words)
    #expect(Words("é." + key).parts == ["é"] + words)
  }

  @Test(arguments: [
    ("mesh", "meshes"), ("box", "boxes"), ("branch", "branches"), ("address", "addresses"),
    ("entry", "entries"), ("userStatus", "userStatuses"), ("quiz", "quizzes"),
    ("firstChild", "firstChildren"), ("series", "series"),
    // A letter more is enough.
    ("day", "days"), ("tag", "tags"), ("photo", "photos"), ("x2", "x2s"),
  ])
  func `have the plural that people know`(name: String, plural: String) {
    #expect(Words.plural(of: name) == plural)
    #expect(Words(plural).singular == Words(name))
    #expect(Words.plural(of: "htmlURL") == "htmlURLs")
  }
}
