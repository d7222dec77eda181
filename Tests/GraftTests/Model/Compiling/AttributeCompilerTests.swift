import Foundation
import Testing

@testable import Graft

@Suite struct AttributeCompilerTests {
  func errorText(_ attribute: AttributeDescription) -> String {
    errors([EntityDescription(name: "E", attributes: [attribute])])
  }

  @Test(
    arguments: [
      (.integer16, .integer(32_767), true), (.integer16, .integer(32_768), false),
      (.integer32, .integer(-2_147_483_648), true), (.integer32, .integer(1 << 31), false),
      (.integer64, .integer(.max), true), (.integer64, .double(1), false),
      (.string, .string("x"), true), (.string, .integer(1), false),
      (.double, .float(1), false), (.float, .float(1), true), (.decimal, .decimal(1), true),
      (.boolean, .boolean(true), true), (.boolean, .integer(1), false),
      (.date, .date(Date(timeIntervalSince1970: 0)), true), (.uuid, .string("x"), false),
      (.binary, .binary(Data()), true), (.transformable, .json("[]"), true),
    ] as [(AttributeType, AttributeValue, Bool)])
  func `a default value is of the attribute's type and range`(
    type: AttributeType, value: AttributeValue, isFine: Bool
  ) {
    let text = errorText(AttributeDescription(name: "a", type: type, defaultValue: value))
    #expect(text.isEmpty == isFine, "\(text)")
    #expect(isFine || text.contains("E.a: the default value"))
  }

  @Test(
    arguments: [
      (.integer16, "1", "5", nil), (.double, "-1.5", "2e3", nil), (.string, "0", "280", nil),
      (.date, "2001-01-01T00:00:00Z", "2020-01-01", nil), (.decimal, nil, "1.25", nil),
      (.integer16, "x", nil, "the minimum is \"x\", expected a number"),
      (.double, nil, "nan", "the maximum is \"nan\", expected a number"),
      (.string, "-1", nil, "expected a length in characters"),
      (.date, "1", nil, "expected a date such as"),
      (.integer32, "7", "6.5", "the minimum 7 is above the maximum 6.5"),
      (.date, "2020-01-02", "2020-01-01", "is above the maximum"),
    ] as [(AttributeType, String?, String?, String?)])
  func `bounds are of the attribute's type and in order`(
    type: AttributeType, least: String?, most: String?, fault: String?
  ) {
    let text = errorText(
      AttributeDescription(
        name: "a", type: type, minimum: least.map(AttributeBound.text),
        maximum: most.map(AttributeBound.text)))
    #expect(text.isEmpty == (fault == nil), "\(text)")
    if let fault { #expect(text.contains(fault), "\(text)") }
  }

  @Test func `a regular expression must compile`() {
    #expect(errorText(AttributeDescription(name: "a", type: .string, pattern: "[a-z]+")).isEmpty)
    #expect(
      errorText(AttributeDescription(name: "a", type: .string, pattern: "[a"))
        .contains("the regular expression \"[a\" is invalid"))
  }

  @Test func `bounds and patterns without effect are warned of`() throws {
    let model = try GraphModel(entities: [
      EntityDescription(
        name: "E",
        attributes: [
          AttributeDescription(name: "a", type: .boolean, minimum: "0"),
          AttributeDescription(name: "b", type: .integer16, pattern: "1+"),
        ])
    ])
    #expect(model.warnings.map(\.property) == ["a", "b"])
  }

  @Test(
    arguments: [
      ("yyyy-MM-dd", nil), ("EEE MMM dd HH:mm:ss Z yyyy", nil), ("yyyy-MM-dd'T'HH:mm:ssZZZZZ", nil),
      ("h 'o''clock' a", nil), ("yyyy-MM-ddTHH", "the letter \"T\" stands for nothing"),
      ("yyyy'T", "a quote is not closed"), ("--", "it has no field such as yyyy"),
      ("", "it has no field"), ("iso", "the letter \"i\""),
    ] as [(String, String?)])
  func `a date pattern has known fields and closed quotes`(pattern: String, fault: String?) {
    let found = DatePatternFault(in: pattern)?.message
    #expect((found == nil) == (fault == nil), "\(found ?? "")")
    if let fault { #expect(found?.hasPrefix(fault) == true) }
  }
}
