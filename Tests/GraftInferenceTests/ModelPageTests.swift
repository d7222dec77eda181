import Foundation
import Testing

@testable import Graft
@testable import GraftInference
@testable import GraftTestSupport

/// A model as a page of HTML.
@Suite struct `A page` {
  private static let shop = """
    {"orders": [{"id": 7001, "customer": 31, "total": 9.5, "note": "<b>&\\"fast\\"</b>"},
                {"id": 7002, "customer": 32, "total": 12.0, "note": "slow"}],
     "customers": [{"id": 31, "name": "Ann"}, {"id": 32, "name": "Ben"}]}
    """

  @Test func `needs nothing from a network`() throws {
    let page = try InferenceTrial(Self.shop).inferred.htmlPage(title: "shop.json")
    #expect(!page.contains("src=") && !page.contains("@import") && !page.contains("url(http"))
    let addresses = page.matches(of: #/https?:\/\/[^"' ]*/#).map { String($0.0) }
    #expect(Set(addresses) == ["http://www.w3.org/2000/svg"])
    #expect(page.contains("default-src 'none'"))
  }

  @Test func `has each entity, its places, attributes and examples, and what it leads to`() throws {
    let page = try InferenceTrial(Self.shop).inferred.htmlPage(title: "shop.json")
    for part in [
      "<h2>Order</h2>", "<code>$.orders[*]</code>", "2 of 2", "9.5 … 12.0",
      "to one <a href=\"#e-Customer\">",
      "data-from=\"e-Order\" data-to=\"e-Customer\"", "class=\"edge reference\"",
      "2 of 2 values are identities",
    ] { #expect(page.contains(part), "\(part)") }
  }

  @Test func `takes nothing of a document for HTML`() throws {
    let page = try InferenceTrial(Self.shop).inferred.htmlPage(title: "<script>")
    #expect(page.contains("&lt;b&gt;&amp;&quot;fast&quot;&lt;/b&gt;"))
    #expect(page.contains("<title>&lt;script&gt;</title>"))
    #expect(!page.contains("<b>&"))
  }

  @Test func `draws each entity once, and none above another`() throws {
    let parts = (0..<40).map {
      #""part\#($0)s": [{"id": \#($0 + 100), "a\#($0)": 1, "b\#($0)": "x"}]"#
    }
    let trial = try InferenceTrial("{" + parts.joined(separator: ",") + "}")
    let page = trial.inferred.htmlPage(title: "parts.json")
    let boxes = page.matches(of: #/<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/#).map {
      ($0.1, $0.2)
    }
    #expect(boxes.count == trial.model.entities.count)
    #expect(Set(boxes.map { "\($0.0) \($0.1)" }).count == boxes.count)
  }
}

/// How much it takes for values to be references.
@Suite struct `The certainty of a reference` {
  private static let tests = """
    {"numberOfTest": 353, "label": "x",
     "tests": [\((300..<400).map { #"{"id": \#($0), "title": "t\#($0)"}"# }.joined(separator: ","))]}
    """

  @Test func `is too little for one number among many`() throws {
    let trial = try InferenceTrial(Self.tests)
    #expect(try trial.type("Document", "numberOfTest") == .integer64)
    let finding = try #require(trial.inferred.findings.first { $0.subject.contains("→ Test") })
    #expect(finding.certainty == .guess)
    #expect(
      finding.evidence.hasPrefix(
        "1 of 1 value is an identity, by chance in 1 of 4: no relationship"))
  }

  @Test func `may be asked for, or more of it`() throws {
    var options = InferenceOptions(minimumCertainty: .guess)
    #expect(
      try InferenceTrial(Self.tests, options: options).entity("Document").relationships.count == 2)
    options.minimumCertainty = .certain
    let posts =
      #"{"users": [{"id": 71, "n": 1}, {"id": 82, "n": 2}], "posts": [{"no": 1, "userId": 71}, {"no": 2, "userId": 82}]}"#
    #expect(try InferenceTrial(posts, options: options).entity("Post").relationships.isEmpty)
    #expect(try InferenceTrial(posts).entity("Post").relationships.map(\.destination) == ["User"])
  }
}
