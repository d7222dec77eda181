import Testing

@Suite struct `Source text` {
  @Test(arguments: [
    ("let a = 1 // Graph", "let a = 1 "),
    ("/// Graph", ""),
    (#"fail("Graph \(Row.self) // no") // yes"#, "fail( Row.self) "),
    (#"fail("a \(f(g(1), "Graph")) b", Row())"#, "fail( f(g(1),  ), Row())"),
    (#"let quote = "\"Graph\"", next = Row"#, "let quote =  , next = Row"),
  ])
  func `is code without comments and literals`(_ line: String, _ code: String) {
    #expect(SourceText.code(in: [line]) == [code])
  }

  @Test func `follows a literal across lines`() {
    let lines = ["let text = \"\"\"", "  Graph \\(Row.self)", "  \"\"\" + Row.name"]
    let names = SourceText.code(in: lines).map(SourceText.typeNames)
    #expect(names == [[], ["Row"], ["Row"]])
  }

  @Test func `names types, but not members of types`() {
    let code = "let a: [Row] = Graph.Kind.all + .Other + Unicode.Scalar(b) as? Cell"
    #expect(SourceText.typeNames(in: code) == ["Row", "Graph", "Unicode", "Cell"])
  }

  @Test(arguments: [
    ("public struct Graph: Sendable {", "Graph"),
    ("final class Table<Row> {", "Table"),
    ("indirect enum Step {", "Step"),
    ("package typealias Name = String", "Name"),
    ("@safe public final class Handle {", "Handle"),
    ("private struct Hidden {", nil),
    ("  struct Nested {", nil),
    ("extension Graph {", nil),
    ("func `class`() {", nil),
    ("", nil),
  ])
  func `declares a type for the module only at the top level`(_ code: String, _ name: String?) {
    #expect(SourceText.declaredType(in: code) == name)
  }
}
