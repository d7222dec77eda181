import CommandLineSupport
import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// Whatever a file holds, reading it ends in a model or in an error that says something.
@Suite struct HostileModelTests {
  private static let xml = """
    <model>
      <entity name="Hero" isAbstract="YES"><attribute name="id" attributeType="Integer 64"
        defaultValueString="7" minValueString="1"><userInfo><entry key="JSONKeyPath"
        value="a[0].b | ['c']"/></userInfo></attribute>
        <attribute name="born" attributeType="Date"><userInfo><entry key="JSONDateFormat"
        value="yyyy-MM-dd"/><entry key="JSONNull" value="keep"/></userInfo></attribute>
        <relationship name="team" destinationEntity="Team" inverseName="heroes" maxCount="1"/>
        <userInfo><entry key="identityAttributes" value="id"/></userInfo></entity>
      <entity name="Team" parentEntity="Hero"><relationship name="heroes" toMany="YES"
        destinationEntity="Hero" inverseName="team" minCount="1" maxCount="5"/></entity>
    </model>
    """
  private static let json = """
    {"entities": [{"name": "Hero", "userInfo": {"identityAttributes": "id", "JSONModified": "n"},
      "attributes": [{"name": "id", "type": "UUID"}, {"name": "n", "type": "Decimal",
        "defaultValue": 1.5, "maximum": 9}],
      "relationships": [{"name": "r", "destination": "Hero", "isToMany": true, "inverse": "r",
        "minimumCount": 0, "deleteRule": "Deny", "userInfo": {"JSONKeyPath": "x.*.@key"}}]}]}
    """

  @Test(arguments: [xml, json])
  func `a spoilt file is a model or an error, never the end`(text: String) throws {
    var random = SeededGenerator(seed: 7)
    let original = Array(text.utf8)
    let parts = [
      "\"", "<", ">", "/", "{", "[", "]", "\0", "é", "&#0;", "-1", "99999999999", "'", "|",
    ]
    for _ in 0..<400 {
      var bytes = original
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let start = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 0..<6, using: &random))
        let part = try #require(parts.randomElement(using: &random))
        bytes.replaceSubrange(start..<end, with: part.utf8)
      }
      read(Data(bytes))
    }
  }

  @Test(arguments: ["entity", "name", "Hero", "JSONKeyPath", "yyyy", "</model>"])
  func `a character that is no UTF-8 is told with its place, wherever it stands`(
    word: String
  ) throws {
    let text = Self.xml.replacing("<entity", with: "\n <é/><entity", maxReplacements: 1)
    let start = try #require(text.range(of: word)).lowerBound
    var bytes = Array(text.utf8)
    let offset = text.utf8.distance(from: text.startIndex, to: start)
    bytes.insert(0xE7, at: offset + 1)
    let before = text[..<start].split(separator: "\n", omittingEmptySubsequences: false)
    let error = #expect(throws: ModelError.self) {
      try XcodeModelReader.read(Data(bytes), file: "f")
    }
    #expect(
      error?.issues.first?.description
        == "f:\(before.count):\(try #require(before.last).utf8.count + 2): malformed XML, a "
        + "character is not UTF-8; restore the file or save it anew with Xcode")
  }

  private func read(_ data: Data) {
    do throws(ModelError) {
      let document =
        data.first == UInt8(ascii: "{")
        ? try SchemaFileReader.read(data, file: "f") : try XcodeModelReader.read(data, file: "f")
      let model = try GraphModel(document, dialect: nil, extensions: ModelExtensions())
      #expect(!model.summary.isEmpty)
    } catch {
      #expect(error.issues.allSatisfy { !$0.message.isEmpty } && !error.issues.isEmpty)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a large model full of faults is refused in reasonable time`() {
    let relationships = (0..<2000).map {
      RelationshipDescription(name: "relation\($0)", destination: "Hero", inverse: "ration\($0)")
    }
    let names = (0..<2000).map { "nam\($0)" }.joined(separator: ",")
    let hero = EntityDescription(
      name: "Hero", attributes: [.make("name")], relationships: relationships,
      userInfo: ["identityAttributes": names])
    let error = #expect(throws: ModelError.self) { try GraphModel(entities: [hero]) }
    #expect(error?.issues.count == 200)
  }

  /// Time in proportion to the product of spaces and quotes would be many minutes.
  @Test(.timeLimit(.minutes(1)))
  func `a path of many spaces and quotes is divided in reasonable time`() throws {
    let spaces = String(repeating: " ", count: 100_000)
    let quotes = String(repeating: "'", count: 100_000)
    let hero = EntityDescription(
      name: "Hero",
      attributes: [.make("name", .string, ["JSONKeyPath": "x|\(spaces)a\(quotes)| y"])])
    let model = try GraphModel(entities: [hero])
    let paths = try model.compiled("Hero").attributes[0].paths
    #expect(paths == ["x", "a" + quotes, "y"].map { JSONPath([.member($0)]) })
  }
}
