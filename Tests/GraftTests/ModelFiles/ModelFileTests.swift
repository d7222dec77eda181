import Foundation
import GraftExport
import Testing

@testable import Graft
@testable import GraftTestSupport

/// Models in files and bundles of a temporary folder.
@Suite final class ModelBundleTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("graft-\(UUID().uuidString)")

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// Writes a file and the folders on the way to it.
  private func write(_ text: String, to path: String) throws {
    let url = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func names(_ path: String) throws -> [String] {
    try GraphModel(contentsOf: folder.appendingPathComponent(path)).entities.map(\.name)
  }

  private func errorText(_ path: String) -> String {
    do {
      return "\(try names(path))"
    } catch let error as ModelError {
      return error.description.replacingOccurrences(of: folder.path + "/", with: "")
    } catch {
      return "not a model error"
    }
  }

  private func xml(_ entity: String) -> String {
    "<?xml version=\"1.0\"?>\n<model><entity name=\"\(entity)\"/></model>"
  }

  private func currentVersion(_ name: String) -> String {
    "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key>"
      + "<string>\(name)</string></dict></plist>"
  }

  @Test func `a bundle's current version is read, by either folder or the file itself`() throws {
    try write(xml("One"), to: "M.xcdatamodeld/M.xcdatamodel/contents")
    #expect(try names("M.xcdatamodeld") == ["One"])
    #expect(try names("M.xcdatamodeld/M.xcdatamodel") == ["One"])
    #expect(try names("M.xcdatamodeld/M.xcdatamodel/contents") == ["One"])
    // Xcode writes an empty note as well.
    try write(
      "<plist version=\"1.0\"><dict/></plist>", to: "M.xcdatamodeld/.xccurrentversion")
    #expect(try names("M.xcdatamodeld") == ["One"])
    try write(xml("Two"), to: "M.xcdatamodeld/M 2.xcdatamodel/contents")
    try write(currentVersion("M 2.xcdatamodel"), to: "M.xcdatamodeld/.xccurrentversion")
    #expect(try names("M.xcdatamodeld") == ["Two"])
  }

  @Test func `several versions without a current one are refused by name`() throws {
    try write(xml("One"), to: "M.xcdatamodeld/A.xcdatamodel/contents")
    try write(xml("Two"), to: "M.xcdatamodeld/B.xcdatamodel/contents")
    #expect(
      errorText("M.xcdatamodeld").contains("which of A.xcdatamodel, B.xcdatamodel is current"))
    try write(currentVersion("C.xcdatamodel"), to: "M.xcdatamodeld/.xccurrentversion")
    #expect(errorText("M.xcdatamodeld").contains("\"C.xcdatamodel\", which is not in the bundle"))
    let empty = "<plist version=\"1.0\"><dict/></plist>"
    try write(empty, to: "M.xcdatamodeld/.xccurrentversion")
    #expect(
      errorText("M.xcdatamodeld").contains("which of A.xcdatamodel, B.xcdatamodel is current"))
    try write("?", to: "M.xcdatamodeld/.xccurrentversion")
    #expect(errorText("M.xcdatamodeld").contains("the key _XCCurrentVersionName"))
  }

  @Test func `formats that are not read are told from each other`() throws {
    try write("", to: "Old.xcdatamodel/elements")
    #expect(errorText("Old.xcdatamodel").contains("binary format of Xcode 3; save it anew"))
    try write("", to: "M.momd/M.mom")
    #expect(errorText("M.momd").contains("the model is compiled"))
    try write("", to: "Empty/x")
    #expect(errorText("Empty").contains("expected a model bundle"))
    try write(" \n", to: "empty.xml")
    #expect(errorText("empty.xml") == "empty.xml: the file is empty, expected a model")
    try write("entity", to: "text")
    #expect(errorText("text").hasPrefix("text:1:1: expected the XML of an Xcode model or a Graft"))
  }

  @Test func `a file that cannot be read is no fault of the model`() {
    #expect(errorText("missing") == "not a model error")
  }

  @Test func `a file beyond any sensible size is refused`() throws {
    let filler = String(repeating: " ", count: ModelFile.sizeLimit)
    try write(xml("One") + filler, to: "large")
    #expect(errorText("large").contains("expected a model of at most"))
  }

  @Test func `a byte order mark and white space may come first`() throws {
    try write("\u{FEFF}" + xml("One"), to: "marked")
    #expect(try names("marked") == ["One"])
    try write("\n {\"entities\": [{\"name\": \"One\"}]}", to: "schema")
    #expect(try names("schema") == ["One"])
  }

  @Test func `a model in memory is named as the caller says`() throws {
    let model = try GraphModel(entities: [.make("Tag", [.make("text")])], dialect: .graft)
    #expect(try GraphModel(data: Data(model.schemaFile.utf8)) == model)
    #expect(try GraphModel(data: Data(xml("One").utf8)).entities.map(\.name) == ["One"])
    let error = #expect(throws: ModelError.self) {
      try GraphModel(data: Data("[]".utf8), named: "answer")
    }
    #expect("\(error, default: "")".hasPrefix("answer:"))
    #expect(throws: ModelError.self) { try GraphModel(data: Data(count: 5 << 20)) }
  }

  @Test func `a model in a file keeps the names of its code`() throws {
    let upper = AttributeTransformer { value in
      if case .string(let text)? = value { .string(text.uppercased()) } else { value }
    }
    let mapper = EntityMapper { $0["wheels"] == 2 ? "Bike" : nil }
    let model = try GraphModel(
      entities: [
        EntityDescription(
          name: "Vehicle",
          attributes: [
            AttributeDescription(name: "id", type: .integer64),
            AttributeDescription(name: "plate", type: .string, transformer: upper),
            AttributeDescription(name: "color", type: .string, transformer: .trim),
          ], identity: ["id"], mapper: mapper),
        EntityDescription(name: "Bike", superentity: "Vehicle"),
      ], dialect: .graft)
    let file = Data(model.schemaFile.utf8)
    let error = #expect(throws: ModelError.self) { try GraphModel(data: file) }
    let messages = error?.issues.map(\.message) ?? []
    #expect(messages.contains { $0.contains("no transformer \"Vehicle.plate\"") })
    #expect(messages.contains { $0.contains("no entity mapper \"Vehicle mapper\"") })

    let known = try GraphModel(
      data: file,
      extensions: ModelExtensions(
        transformers: ["Vehicle.plate": upper], entityMappers: ["Vehicle mapper": mapper]))
    let store = GraphStore(model: known)
    let document = Data(#"[{"id": 1, "wheels": 2, "plate": "ab", "color": " red "}]"#.utf8)
    try store.importJSON([ImportRoot("Vehicle")], from: document)
    let bike = try #require(store.graph.objects("Bike").first)
    #expect(bike["plate"] == .string("AB"))
    #expect(bike["color"] == .string("red"))

    let tolerant = try GraphModel(
      data: file, extensions: ModelExtensions(toleratesMissing: true))
    let refusal = #expect(throws: ImportError.self) {
      try GraphStore(model: tolerant).importJSON([ImportRoot("Vehicle")], from: document)
    }
    #expect(refusal?.kind == .model)
    #expect(refusal?.message.contains("Vehicle.plate needs the transformer") == true)
    let unmapped = try GraphModel(
      data: file,
      extensions: ModelExtensions(
        transformers: ["Vehicle.plate": upper], toleratesMissing: true))
    let other = #expect(throws: ImportError.self) {
      try GraphStore(model: unmapped).importJSON([ImportRoot("Vehicle")], from: document)
    }
    #expect(other?.message.contains("Vehicle needs the entity mapper") == true)
  }
}
