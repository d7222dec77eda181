import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct JSONPathTests {
  static let readings: [(String, [JSONPath.Step])] = [
    ("a", [.member("a")]),
    ("a.b", [.member("a"), .member("b")]),
    ("a[0].b", [.member("a"), .element(0), .member("b")]),
    ("a[*]", [.member("a"), .eachElement]),
    ("a.*", [.member("a"), .eachMember]),
    ("*", [.eachMember]),
    ("$", []),
    ("$.a", [.member("a")]),
    ("$[2]", [.element(2)]),
    ("[2][3]", [.element(2), .element(3)]),
    ("['a.b']", [.member("a.b")]),
    ("x[\"a]b\"].c", [.member("x"), .member("a]b"), .member("c")]),
    (#"['it\'s \\ here']"#, [.member(#"it's \ here"#)]),
    ("['*']", [.member("*")]),
    ("['@key']", [.member("@key")]),
    ("a.*.@key", [.member("a"), .eachMember, .key]),
    ("@index", [.index]),
    ("a[*].@value", [.member("a"), .eachElement, .value]),
    ("@id", [.member("@id")]),
    ("$ref", [.member("$ref")]),
    ("created_at", [.member("created_at")]),
    ("größe.名前", [.member("größe"), .member("名前")]),
    ("first name", [.member("first name")]),
    ("rows[1:]", [.member("rows"), .elements(from: 1)]),
    ("[0:].a", [.elements(from: 0), .member("a")]),
    ("@parent.@parent.id", [.parent, .parent, .member("id")]),
    ("@parent.@key", [.parent, .key]),
    ("['@parent']", [.member("@parent")]),
    ("'a | b'", [.constant("a | b")]),
    ("'it\\'s'", [.constant("it's")]),
    ("@file", [.file]),
    ("@line", [.line]),
  ]

  @Test(arguments: readings)
  func `a path's text means its steps`(text: String, steps: [JSONPath.Step]) throws {
    #expect(try JSONPath(text).steps == steps)
  }

  @Test(arguments: readings.map(\.1))
  func `a path's description reads back as the same path`(steps: [JSONPath.Step]) throws {
    let path = JSONPath(steps)
    #expect(try JSONPath(path.description) == path)
  }

  @Test(arguments: [
    "", " ", ".", "*", "$", "-", "a|b", "'", "\"", "\\", "[0]", "@value", "a b", "\u{1F600}",
    "]", "$.a", "a'b\\c]d", "\n",
    "\u{301}", "\u{301}x", "\u{200D}x", "\u{1F3FD}", "'\u{301}", "a.\u{301}b", "|\u{301}",
    "\u{600}",
  ])
  func `any name survives the way through text, alone and between others`(name: String) throws {
    for steps in [[JSONPath.Step.member(name)], [.member("a"), .member(name), .element(1)]] {
      let path = JSONPath(steps)
      #expect(try JSONPath(path.description) == path)
    }
  }

  @Test(arguments: [
    ("", 1, "expected a name, found nothing"),
    (".a", 1, "expected a name, found \".\""),
    ("a..b", 3, "expected a name, found \".\""),
    ("a.", 3, "expected a name, found the end"),
    ("a[", 3, "found the end"),
    ("a[x]", 3, "expected a position, \"*\" or a quoted name, found \"x\""),
    ("a[-1]", 3, "expected a position"),
    ("a[1", 4, "expected \"]\", found the end"),
    ("a[99999999999]", 3, "expected a position of at most"),
    ("a['b]", 6, "expected the closing ', found the end"),
    ("a['b'", 6, "expected \"]\""),
    ("a]", 2, "found \"]\""),
    ("a[0]b", 5, "expected \".\", \"[\" or the end, found \"b\""),
    ("@key.a", 5, "@key ends a path"),
    ("a.@value[0]", 9, "@value ends a path"),
    ("@file.a", 6, "@file ends a path"),
    ("'a'.b", 4, "'a' ends a path"),
    ("a.@parent.b", 3, "@parent begins a path"),
    ("a.@line", 3, "@line begins a path"),
    ("@parent", 8, "expected what to read of the object around"),
    ("a[1001:]", 7, "at most 1000 elements"),
    ("'a", 3, "expected the closing '"),
  ])
  func `a text that is no path is refused where it stops being one`(
    text: String, position: Int, message: String
  ) {
    let error = #expect(throws: JSONPathError.self) { try JSONPath(text) }
    #expect(error?.position == position)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func `a path has at most 128 steps`() throws {
    let longest = Array(repeating: "a", count: JSONPathParser.stepLimit).joined(separator: ".")
    #expect(try JSONPath(longest).steps.count == JSONPathParser.stepLimit)
    #expect(throws: JSONPathError.self) { try JSONPath(longest + ".a") }
  }
}
