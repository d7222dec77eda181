import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct XcodeModelReaderTests {
  /// The entities of a model's XML.
  func read(_ body: String) throws -> [EntityDescription] {
    try XcodeModelReader.read(Data("<model>\(body)</model>".utf8), file: "Model").entities
  }

  /// The only attribute of a model.
  func attribute(_ values: String, _ content: String = "") throws -> AttributeDescription {
    let entities = try read(
      "<entity name=\"E\"><attribute name=\"a\" \(values)>\(content)</attribute></entity>")
    return try #require(entities.first?.attributes.first)
  }

  /// The errors of a model's XML, one a line.
  func errors(_ xml: String) -> String {
    do {
      let document = try XcodeModelReader.read(Data(xml.utf8), file: "Model")
      _ = try GraphModel(document, dialect: nil, extensions: ModelExtensions())
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    ("Integer 64", "0.0", AttributeValue.integer(0)), ("Integer 16", "3.7", .integer(3)),
    ("Integer 32", "NO", .integer(0)), ("Integer 32", "YES", .integer(0)),
    ("Boolean", "0.0", .boolean(false)), ("Boolean", "2", .boolean(true)),
    ("Double", "NO", .double(0)), ("Decimal", "YES", .decimal(0)),
  ])
  func `a default value that a former type has left is read as Core Data reads it`(
    type: String, text: String, value: AttributeValue
  ) throws {
    let entity =
      "<entity name=\"E\"><attribute name=\"a\" attributeType=\"\(type)\" defaultValueString=\"\(text)\"/></entity>"
    #expect(try read(entity).first?.attributes.first?.defaultValue == value)
    let model = try GraphModel(data: Data("<model>\(entity)</model>".utf8), dialect: .graft)
    #expect(
      model.warnings.map(\.message).contains {
        $0.hasPrefix("the default value \"\(text)\" is no \(type); as in Core Data it is")
      })
  }

  @Test func `a composite attribute keeps its JSON, which a warning tells`() throws {
    let text =
      "<model><entity name=\"E\"><attribute name=\"a\" attributeType=\"Composite\"/></entity></model>"
    let model = try GraphModel(data: Data(text.utf8), dialect: .graft)
    #expect(model.entities.first?.attributes.first?.type == .transformable)
    #expect(model.warnings.contains { $0.message.hasPrefix("a composite attribute keeps") })
  }

  @Test func `an attribute has an index if it says so, or a fetch index is of it alone`() throws {
    let entity = try #require(
      try read(
        """
        <entity name="E">
          <fetchIndex name="byLater">
            <fetchIndexElement property="later" type="Binary" order="ascending"/>
          </fetchIndex>
          <attribute name="old" attributeType="String" indexed="YES"/>
          <attribute name="alone" attributeType="String"/>
          <attribute name="one" attributeType="String"/>
          <attribute name="other" attributeType="String"/>
          <fetchIndex name="byAlone">
            <fetchIndexElement property="alone" type="Binary" order="ascending"/>
          </fetchIndex>
          <fetchIndex name="byBoth">
            <fetchIndexElement property="one" type="Binary" order="ascending"/>
            <fetchIndexElement property="other" type="Binary" order="ascending"/>
          </fetchIndex>
          <fetchIndex name="byExpression">
            <fetchIndexElement expression="upper(one)" expressionType="String" type="Binary"/>
          </fetchIndex>
          <fetchIndex name="byInherited">
            <fetchIndexElement property="above" type="Binary" order="ascending"/>
          </fetchIndex>
          <attribute name="later" attributeType="String"/>
        </entity>
        """
      ).first)
    #expect(entity.attributes.filter(\.isIndexed).map(\.name) == ["old", "alone", "later"])
  }

  @Test(arguments: AttributeType.allCases)
  func `every attribute type is read, and none is optional unless it says so`(
    type: AttributeType
  ) throws {
    let required = try attribute("attributeType=\"\(type.rawValue)\"")
    #expect(required.type == type)
    #expect(!required.isOptional)
    #expect(try attribute("attributeType=\"\(type.rawValue)\" optional=\"YES\"").isOptional)
  }

  @Test(
    arguments: [
      ("Integer 16", "-7", .integer(-7)), ("Integer 64", "9223372036854775807", .integer(.max)),
      ("Decimal", "0.10", .decimal(Decimal(sign: .plus, exponent: -1, significand: 1))),
      ("Double", "1.5e3", .double(1500)), ("Float", "0.5", .float(0.5)),
      ("String", "YES &amp; no", .string("YES & no")), ("Boolean", "YES", .boolean(true)),
      ("Boolean", "NO", .boolean(false)), ("URI", "https://a.b/c", .uri(URL(filePath: "/"))),
      ("UUID", "9E8A3B66-0E7C-4A9C-8A55-0C3F6B0F3C11", .uuid(UUID())),
      ("Binary", "AAEC", .binary(Data([0, 1, 2]))), ("Transformable", "[1]", .json("[1]")),
    ] as [(String, String, AttributeValue)])
  func `a default value is read as the attribute's type`(
    type: String, text: String, value: AttributeValue
  ) throws {
    let read = try attribute("attributeType=\"\(type)\" defaultValueString=\"\(text)\"")
      .defaultValue
    switch (read, value) {
    case (.uri(let url), .uri): #expect(url.absoluteString == text)
    case (.uuid(let uuid), .uuid): #expect(uuid.uuidString == text)
    default: #expect(read == value)
    }
  }

  @Test func `dates are seconds since 2001`() throws {
    let date = try attribute(
      "attributeType=\"Date\" defaultDateTimeInterval=\"-978307200\" minDateTimeInterval=\"0\" "
        + "maxDateTimeInterval=\"86400\"")
    #expect(date.defaultValue == .date(Date(timeIntervalSince1970: 0)))
    #expect(date.minimum == .value(.date(Date(timeIntervalSinceReferenceDate: 0))))
    #expect(date.maximum == .value(.date(Date(timeIntervalSinceReferenceDate: 86_400))))
  }

  @Test func `bounds, pattern, transience and transformer are read`() throws {
    let text = try attribute(
      "attributeType=\"String\" minValueString=\"1\" maxValueString=\"9\" "
        + "regularExpressionString=\"[a-z]+\" transient=\"YES\"")
    #expect(text.minimum == "1")
    #expect(text.maximum == "9")
    #expect(text.pattern == "[a-z]+")
    #expect(text.isTransient)
    #expect(
      try attribute("attributeType=\"Transformable\" valueTransformerName=\"App.Tags\"")
        .transformerName == "App.Tags")
  }

  @Test(arguments: [
    "NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
    "NSSecureUnarchiveFromDataTransformer", "",
  ])
  func `a transformer that only archives is none`(name: String) throws {
    #expect(
      try attribute("attributeType=\"Transformable\" valueTransformerName=\"\(name)\"")
        .transformerName == nil)
  }

  @Test func `entities, relationships and annotations are read, and the rest is stepped over`()
    throws
  {
    let entities = try read(
      """
      <entity name="A" representedClassName=".A" isAbstract="YES" syncable="YES">
        <fetchedProperty name="f"><fetchRequest name="x" entity="A"/>
          <userInfo><entry key="no" value="1"/></userInfo>
        </fetchedProperty>
        <relationship name="b" optional="YES" toMany="YES" ordered="YES" minCount="1" maxCount="4"
            deletionRule="Cascade" destinationEntity="B" inverseName="a" inverseEntity="B">
          <userInfo><entry key="JSONKeyPath" value="bs"/></userInfo>
        </relationship>
        <uniquenessConstraints><uniquenessConstraint><constraint value="x"/>
        </uniquenessConstraint></uniquenessConstraints>
        <userInfo><entry key="mappedKeyName.1" value="x"/><entry key="empty"/></userInfo>
      </entity>
      <entity name="B" parentEntity="A"/>
      <configuration name="c"><memberEntity name="A"/></configuration>
      <elements><element name="A" positionX="0"/></elements>
      """)
    #expect(
      entities == [
        EntityDescription(
          name: "A", isAbstract: true,
          relationships: [
            RelationshipDescription(
              name: "b", destination: "B", inverse: "a", isToMany: true, isOrdered: true,
              minimumCount: 1, maximumCount: 4, deleteRule: .cascade,
              userInfo: ["JSONKeyPath": "bs"])
          ], userInfo: ["mappedKeyName.1": "x", "empty": ""]),
        EntityDescription(name: "B", superentity: "A"),
      ])
  }

  @Test func `errors name file, line and column, and come in the order of the file`() {
    let text = errors(
      """
      <model>
        <entity name="Hero">
          <relationship name="team" destinationEntity="Team"
            deletionRule="Nulify"/>
          <attribute name="a" attributeType="Dat"/><attribute name="b" attributeType="UUID"
            defaultValueString="x"/>
        </entity>
        <entity name="Größe" parentEntity="Hiro"/>
      </model>
      """)
    let errors = text.split(separator: "\n").map { String($0.prefix { $0 != "," }) }
    #expect(
      errors == [
        "Model:3:5: Hero.team: unknown delete rule \"Nulify\"",
        "Model:3:5: Hero.team: unknown destination \"Team\"; known: \"Größe\"",
        "Model:5:5: Hero.a: unknown attribute type \"Dat\"",
        "Model:5:46: Hero.b: the default value \"x\" is no UUID; change it or the type",
        "Model:8:3: Größe: unknown super-entity \"Hiro\"",
      ])
  }

  @Test(arguments: [
    ("<model><entity name=\"E\"></model>", "Model:1:33: malformed XML, the tags do not match"),
    ("<model>\n<entity name=\"E\">", "malformed XML, the document ends too early"),
    (
      "<model>\n<entity name=E/></model>",
      "Model:2:14: malformed XML, an attribute's value is not quoted"
    ),
    ("<model>&x;</model>", "malformed XML, an entity is not known"),
    (
      "<plist/>",
      "Model:1:1: expected the root element \"model\" of an Xcode data model, found \"plist\""
    ),
    ("<model/>", "the model has no entities"),
    (
      "<model><entity name=\"E\"><attribute name=\"a\"/></entity></model>",
      "E.a: has no attributeType"
    ),
    (
      "<model><entity name=\"E\">"
        + "<relationship name=\"r\" destinationEntity=\"E\" maxCount=\"x\"/></entity></model>",
      "E.r: maxCount is \"x\", expected a whole number"
    ),
  ])
  func `a model that cannot be read is refused, with the place and the reason`(
    xml: String, message: String
  ) {
    #expect(errors(xml).contains(message), "\(errors(xml))")
  }

  /// The warnings of a model whose only entity has this content, without their places.
  func warnings(_ content: String, _ values: String = "") throws -> [String] {
    let xml = "<model><entity name=\"E\" \(values)>\(content)</entity></model>"
    return try XcodeModelReader.read(Data(xml.utf8), file: "Model").log.warnings.map {
      "\($0.property.map { "\($0): " } ?? "")\($0.message)"
    }
  }

  @Test(arguments: [
    (
      #"<attribute name="a" attributeType="String" optinal="YES"/>"#,
      #"a: the unknown XML attribute "optinal" is not read, did you mean "optional"?"#
    ),
    (
      #"<attribute name="a" attributeType="String" defaultValue="x"/>"#,
      #"a: the unknown XML attribute "defaultValue" is not read, did you mean "defaultValueString"?"#
    ),
    (
      #"<relationship name="r" destinationEntity="E" inverse="q"/>"#,
      #"r: the unknown XML attribute "inverse" is not read, did you mean "inverseEntity"?"#
    ),
    (
      #"<attribute name="a" attributeType="String" JSONKeyPath="x"/>"#,
      #"a: the unknown XML attribute "JSONKeyPath" is not read; it is an annotation: write it as "#
        + #"<entry key="JSONKeyPath" value="…"/> in <userInfo>"#
    ),
    (
      #"<atribute name="a" attributeType="String"/>"#,
      #"the unknown element <atribute> is skipped, did you mean "attribute"?"#
    ),
    (
      #"<attribute name="a" attributeType="String"><entry key="x" value="y"/></attribute>"#,
      "a: <entry> is skipped: it belongs in <userInfo>, found in <attribute>"
    ),
    (#"<entity name="F"/>"#, "<entity> is skipped: it belongs in <model>, found in <entity>"),
    (
      #"<attribute name="a" attributeType="Integer 16" minDateTimeInterval="5"/>"#,
      "a: minDateTimeInterval has no effect on an Integer 16; remove it"
    ),
    (
      #"<attribute name="a" attributeType="String" valueTransformerName="T"/>"#,
      "a: valueTransformerName has no effect on a String; annotate it with JSONTransformerName, or "
        + "remove it"
    ),
    (
      #"<attribute name="a" attributeType="Date" defaultValueString="today"/>"#,
      "a: the default value \"today\" is not read; give defaultDateTimeInterval, in seconds since "
        + "2001-01-01T00:00:00Z"
    ),
  ])
  func `what Xcode's format does not have is warned of`(content: String, warning: String) throws {
    #expect(try warnings(content) == [warning])
  }

  @Test func `an entity's XML attributes are checked as well`() throws {
    #expect(
      try warnings("", #"abstract="YES""#) == [
        #"the unknown XML attribute "abstract" is not read, did you mean "isAbstract"?"#
      ])
  }

  @Test func `the elements of Xcode's format cause no warning, whether they are read or not`()
    throws
  {
    let model = """
      <model type="com.apple.IDECoreDataModeler.DataModel" usedWithSwiftData="YES">
        <entity name="E" representedClassName=".E" syncable="YES" codeGenerationType="class"
            elementID="x" renamingIdentifier="F" versionHashModifier="1"
            coreSpotlightDisplayNameExpression="a">
          <attribute name="a" optional="NO" attributeType="Binary" usesScalarValueType="NO"
              allowsExternalBinaryDataStorage="YES" storedInTruthFile="YES" elementID="y"
              spotlightIndexingEnabled="YES" preserveAfterDeletion="YES" syncable="YES"
              allowsCloudEncryption="YES" customClassName="C" renamingIdentifier="b"
              versionHashModifier="2" derived="YES" derivationExpression="b" indexed="NO"/>
          <attribute name="d" attributeType="Date" defaultDateTimeInterval="0"
              defaultValueString="today" minValueString="yesterday" minDateTimeInterval="-86400"/>
          <relationship name="r" destinationEntity="E" transient="NO" syncable="YES" minCount="1"
              maxCount="1" deletionRule="No Action" inverseName="r" inverseEntity="E"
              spotlightIndexingEnabled="YES" storedInTruthFile="YES" elementID="z"/>
          <fetchedProperty name="f"><fetchRequest name="x" entity="E"/></fetchedProperty>
          <fetchIndex name="i"><fetchIndexElement property="a" type="Binary"/></fetchIndex>
          <compoundIndexes><compoundIndex><index value="a"/></compoundIndex></compoundIndexes>
          <uniquenessConstraints/>
        </entity>
        <compositeAttribute name="C"><attribute name="c" attributeType="String"/>
        </compositeAttribute>
        <fetchRequest name="q" entity="E"/>
        <configuration name="c"/>
        <elements/>
      </model>
      """
    let document = try XcodeModelReader.read(Data(model.utf8), file: "Model")
    #expect(document.log.warnings.isEmpty && document.log.errors.isEmpty)
    let date = try #require(document.entities.first?.attributes.last)
    #expect(date.defaultValue == .date(Date(timeIntervalSinceReferenceDate: 0)))
    #expect(date.minimum == .value(.date(Date(timeIntervalSinceReferenceDate: -86_400))))
  }

  @Test(arguments: ["yes", "true", "1", "Yes", ""])
  func `a flag is YES or NO`(text: String) {
    let xml =
      "<model><entity name=\"E\"><relationship name=\"r\" destinationEntity=\"E\" optional=\"YES\""
      + " toMany=\"\(text)\"/></entity></model>"
    #expect(errors(xml) == "Model:1:25: E.r: toMany is \"\(text)\", expected YES or NO")
  }

  @Test func `an annotation has a key`() {
    let xml =
      "<model><entity name=\"E\"><userInfo><entry value=\"x\"/></userInfo></entity></model>"
    #expect(errors(xml).contains("E: an annotation has no key"))
  }

  @Test func `every beginning of a model is refused`() throws {
    let xml =
      "<model><entity name=\"E\"><attribute name=\"a\" attributeType=\"Date\"/></entity></model>"
    #expect(errors(xml).isEmpty)
    for length in 0..<xml.utf8.count {
      #expect(throws: ModelError.self, "\(xml.prefix(length))") {
        try XcodeModelReader.read(Data(xml.utf8.prefix(length)), file: "Model")
      }
    }
  }

  @Test func `an entity that expands without end is refused`() {
    var xml = "<!DOCTYPE model [<!ENTITY a \"aaaaaaaaaa\">"
    for (name, inner) in zip("bcdefghijk", "abcdefghij") {
      xml += "<!ENTITY \(name) \"" + String(repeating: "&\(inner);", count: 10) + "\">"
    }
    #expect(!errors(xml + "]><model><entity name=\"&k;\"/></model>").isEmpty)
  }
}
