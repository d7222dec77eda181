import Foundation
import Testing

@testable import GraftHTTP

@Suite struct `A link header` {
  @Test(arguments: [
    (#"<https://a.b/c?page=2>; rel="next""#, "https://a.b/c?page=2"),
    (#"<https://a.b/c?page=2>; rel=next"#, "https://a.b/c?page=2"),
    (#"<https://a.b/c?page=2>;rel=next"#, "https://a.b/c?page=2"),
    (#"  <  https://a.b/c >  ;  Rel = "NEXT"  "#, "https://a.b/c"),
    (#"<p1>; rel="prev", <p3>; rel="next", <p9>; rel="last""#, "p3"),
    (#"<p3>; rel="last next""#, "p3"), ("<p3>; rel=\"next\tlast\"", "p3"),
    (#"<p1>;rel=prev,<p3>;rel=next"#, "p3"),
    (#"<https://a.b/c?ids=1,2,3&x=a;b>; rel=next"#, "https://a.b/c?ids=1,2,3&x=a;b"),
    (#"<p1>; title="a, <b>; rel=next"; rel=prev, <p3>; rel=next"#, "p3"),
    (#"<p1>; title="\"; rel=next"; rel=prev, <p3>; rel=next"#, "p3"),
    (#"<p3>; title*=UTF-8''n%c3%a4chste; rel=next; type="application/json""#, "p3"),
    (#"<p3>; results="true"; rel="next"; cursor="0:100:0""#, "p3"),
    (#"<?page=2>; rel=next"#, "?page=2"), (#"</c?page=2>; rel=next"#, "/c?page=2"),
    (#"<>; rel=next"#, ""), (#", , <p3>; rel=next ,"#, "p3"),
    (#"<p3>; rel="next"; rel="prev""#, "p3"), (#"<p3>; crossorigin; rel=next"#, "p3"),
    (#"<p3>; rel='next', <p4>; rel=next"#, "p3"),
    (#"<p1>; rel="prev"; <p3>; rel="next""#, "p3"), ("<p1>; rel=prev;<p3>;rel=next", "p3"),
    (#"<p3>; rel="next"#, "p3"),
  ])
  func `names the next page`(value: String, address: String) {
    #expect(LinkHeader.address(of: "next", in: [value]) == address)
  }

  @Test(arguments: [
    "", "<", "<p3", "p3; rel=next", "<p3>", "<p3>; rel=prev", "<p3>; title=next", "<p3>; rel",
    "<p3>; rel=\"\"", "<p3> rel=next", #"<p3>; rel="prev"; rel="next""#, "<p3>; rel=nextpage",
    #"<p3>; anchor="/other"; rel=next"#, ";;;,,,=\"\\",
  ])
  func `names no next page otherwise`(value: String) {
    #expect(LinkHeader.address(of: "next", in: [value]) == nil)
  }

  @Test(arguments: [
    (#"<p3>; anchor="https://a.b/c?page=2"; rel=next"#, "p3"),
    (#"<p3>; anchor="?page=2"; rel=next"#, "p3"), (#"<p3>; anchor=""; rel=next"#, "p3"),
    (#"<p3>; anchor="/c"; rel=next"#, nil),
    (#"<p3>; anchor="https://a.b/d?page=2"; rel=next"#, nil),
  ])
  func `names the page after the one that its anchor names`(value: String, address: String?) throws
  {
    let page = try #require(URL(string: "https://a.b/c?page=2"))
    #expect(LinkHeader.address(of: "next", in: [value], of: page) == address)
  }

  @Test func `may be several`() {
    let values = ["<p1>; rel=prev", "<p3>; rel=next", "<p4>; rel=next"]
    #expect(LinkHeader.address(of: "next", in: values) == "p3")
    #expect(LinkHeader.address(of: "Prev", in: values) == "p1")
    #expect(LinkHeader.address(of: "last", in: values) == nil)
  }
}
