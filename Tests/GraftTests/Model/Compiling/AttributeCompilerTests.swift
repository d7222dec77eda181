import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

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

  @Test(
    arguments: [
      (
        AttributeDescription(name: "a", type: .boolean, minimum: "0"),
        "the minimum has no effect on a Boolean"
      ),
      (
        AttributeDescription(name: "a", type: .integer16, pattern: "1+"),
        "the regular expression has no effect on an Integer 16"
      ),
      (
        AttributeDescription(name: "a", type: .integer32, dateFormat: "yyyy"),
        "a date format has no effect on an Integer 32"
      ),
    ])
  func `what has no effect is an error in code, and a warning in a file`(
    attribute: AttributeDescription, message: String
  ) throws {
    #expect(errorText(attribute) == "E.a: \(message); remove it")
    let document = ModelDocument(
      entities: [EntityDescription(name: "E", attributes: [attribute])],
      log: IssueLog(source: ModelSource(file: "Model")))
    let model = try GraphModel(document, dialect: nil, extensions: ModelExtensions())
    #expect(model.warningText == "Model: E.a: \(message); remove it")
  }

  @Test(
    arguments: [
      (.integer16, .integer(5), "10", "20", nil, "expected between 10 and 20, found 5"),
      (.double, .double(-0.5), "0", nil, nil, "expected at least 0"),
      (.decimal, .decimal(3), nil, "2.5", nil, "expected at most 2.5"),
      (.string, .string("abcd"), nil, "3", nil, "expected at most 3 characters, found 4"),
      (.string, .string("abc"), nil, nil, "[0-9]+", "expected a string that matches"),
      (
        .date, .date(Date(timeIntervalSince1970: 0)), "2001-01-01", nil, nil,
        "expected at least 2001-01-01"
      ),
      (.integer16, .integer(10), "10", "20", nil, nil),
      (.string, .string("12"), "1", "2", "[0-9]+", nil),
    ] as [(AttributeType, AttributeValue, String?, String?, String?, String?)])
  func `a default value keeps the attribute's own rules`(
    type: AttributeType, value: AttributeValue, least: String?, most: String?, pattern: String?,
    fault: String?
  ) {
    let text = errorText(
      AttributeDescription(
        name: "a", type: type, defaultValue: value, minimum: least.map(AttributeBound.text),
        maximum: most.map(AttributeBound.text), pattern: pattern))
    #expect(text.isEmpty == (fault == nil), "\(text)")
    if let fault {
      #expect(text.hasPrefix("E.a: the default value \(value.text) breaks"), "\(text)")
      #expect(text.contains(fault), "\(text)")
    }
  }

  @Test(
    arguments: [
      (.integer16, "0.2", "0.8", "an Integer 16 is never at least 0.2 and at most 0.8"),
      (.integer16, "32768", nil, "an Integer 16 is never at least 32768"),
      (.integer32, nil, "-1e30", "an Integer 32 is never at most -1e30"),
      (.integer64, nil, "1e30", nil), (.integer16, "-1e30", "32768", nil),
      (.double, "0.2", "0.8", nil),
    ] as [(AttributeType, String?, String?, String?)])
  func `bounds that admit no value of the type are warned of`(
    type: AttributeType, least: String?, most: String?, fault: String?
  ) throws {
    let attribute = AttributeDescription(
      name: "a", type: type, minimum: least.map(AttributeBound.text),
      maximum: most.map(AttributeBound.text))
    let model = try GraphModel(entities: [EntityDescription(name: "E", attributes: [attribute])])
    #expect(model.warningText == (fault.map { "E.a: \($0); change the bounds or the type" } ?? ""))
  }

  @Test(arguments: [
    ("tags[1:]", "the path \"tags[1:]\" has a wildcard"),
    ("*", "the path \"*\" has a wildcard"), ("tags[*]", "the path \"tags[*]\" has a wildcard"),
    ("a.*.b", "has a wildcard"), ("b | a.*", "the path \"a.*\" has a wildcard"),
    ("$", "an attribute at \"$\" would be the object itself"),
  ])
  func `an attribute is one value, and not the object itself`(path: String, message: String) {
    // An attribute that is kept as JSON may be the object itself.
    for type in [AttributeType.string, .transformable] where path != "$" || type == .string {
      let text = errorText(.make("a", type, ["JSONKeyPath": path]))
      #expect(text.contains("E.a: ") && text.contains(message), "\(text)")
    }
  }

  @Test(arguments: ["JSONNull", "JSONAbsent"])
  func `a default that is to be taken is there`(annotation: String) throws {
    func warnings(_ value: AttributeValue?) throws -> String {
      let attribute = AttributeDescription(
        name: "a", type: .integer16, defaultValue: value, userInfo: [annotation: "default"])
      return try GraphModel(entities: [EntityDescription(name: "E", attributes: [attribute])])
        .warningText
    }
    #expect(try warnings(nil).contains("and there is none; give one"))
    #expect(try warnings(.integer(0)) == "")
  }

  @Test(
    arguments: [
      ("yyyy-MM-dd", nil), ("EEE MMM dd HH:mm:ss Z yyyy", nil), ("yyyy-MM-dd'T'HH:mm:ssZZZZZ", nil),
      ("h 'o''clock' a", nil), ("yyyy-MM-ddTHH", "the letter \"T\" means nothing"),
      ("yyyy'T", "a quote is not closed"), ("--", "it has no field such as yyyy"),
      ("", "it has no field"), ("iso", "the letter \"i\""),
    ] as [(String, String?)])
  func `a date pattern has known fields and closed quotes`(pattern: String, fault: String?) {
    let found = DatePatternFault(in: pattern)?.message
    #expect((found == nil) == (fault == nil), "\(found ?? "")")
    if let fault { #expect(found?.hasPrefix(fault) == true) }
  }

  @Test(
    arguments: [
      (.boolean, "'x'", "the constant 'x' is no Boolean; change it or the type"),
      (.boolean, "'yes'", ""), (.integer16, "k | '40000'", "the constant '40000' is no Integer 16"),
      (.integer64, "'1.5'", "is no Integer 64"), (.integer64, "'3.0'", ""), (.double, "'1e3'", ""),
      (.decimal, "'a'", "is no Decimal"), (.date, "'2020-01-01'", ""), (.date, "'x'", "is no Date"),
      (.uuid, "'x'", "is no UUID"), (.string, "'x'", ""), (.string, "''", ""),
      (.integer64, "''", ""),
      (.transformable, "'x'", ""),
    ] as [(AttributeType, String, String)])
  func `a constant is of the attribute's type`(type: AttributeType, path: String, message: String) {
    let text = errorText(
      AttributeDescription(name: "a", type: type, userInfo: ["JSONKeyPath": path]))
    #expect(message.isEmpty ? text.isEmpty : text.contains(message), "\(text)")
  }

  @Test(
    arguments: [
      (["JSONValues": "a|b"], nil, "expected one of \"a\", \"b\""),
      (["JSONValues": "x|b"], nil, nil),
      ([:], "^y$", "breaks the attribute's own rules"), ([:], "^x$", nil),
      (["JSONValues": "a|b", "JSONUnknownValue": "a"], nil, nil),
    ] as [([String: String], String?, String?)])
  func `a constant keeps the attribute's own rules`(
    notes: [String: String], pattern: String?, message: String?
  ) {
    let text = errorText(
      AttributeDescription(
        name: "a", type: .string, pattern: pattern,
        userInfo: notes.merging(["JSONKeyPath": "'x'"]) { $1 }))
    #expect(message.map { text.contains($0) } ?? text.isEmpty, "\(text)")
  }

  @Test func `a constant keeps to the date format`() {
    for (text, isFine) in [("01.02.2020", true), ("2020-02-01", false)] {
      let error = errorText(
        AttributeDescription(
          name: "a", type: .date,
          userInfo: ["JSONKeyPath": "'\(text)'", "JSONDateFormat": "dd.MM.yyyy"]))
      #expect(error.isEmpty == isFine, "\(error)")
    }
  }
}
