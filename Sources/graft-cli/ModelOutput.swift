import CommandLineSupport
import Foundation
import Graft
import GraftExport
import GraftInference

/// Prints a model in one of its forms.
struct ModelOutput {
  /// The forms that a model can be printed in.
  enum Form: String, CaseIterable {
    case schema
    case xcdatamodel
    case swift
    case dot
    case svg
    case html
  }

  private let form: Form
  private let path: String?

  /// - Parameters:
  ///   - form: The form.
  ///   - path: The file that is written; nil for standard output.
  init(_ form: Form, path: String?) {
    self.form = form
    self.path = path
  }

  /// Prints a model, or writes it to the file, as ``OutputFile`` does: a device or FIFO is written to, and a file keeps
  /// its mode and owner.
  ///
  /// - Throws: ``UsageError`` if the model has no such form or a program is missing; ``FileError``
  ///   if the file cannot be written.
  func print(_ model: GraphModel) throws {
    let data = try data(of: model)
    tellOmissions(of: model)
    try write(data)
  }

  /// Reports the parts of the model that the form lacks.
  func tellOmissions(of model: GraphModel) {
    let omissions =
      switch form {
      case .swift: model.swiftSourceOmissions
      case .xcdatamodel: model.xcodeModelOmissions
      case .schema, .dot, .svg, .html: [String]()
      }
    for omission in omissions { Console.complain("notice: not written: \(omission)") }
  }

  /// Prints a text, or writes it to the file.
  ///
  /// - Throws: ``FileError`` if the file cannot be written.
  func write(_ data: Data) throws {
    guard let path else { return try Console.write(data) }
    do {
      var output = try OutputFile(for: try file(at: path))
      try data.withRawSpan { try output.write($0) }
      try output.finish()
    } catch {
      throw FileError(file: path, error: error, isOfOutput: true)
    }
  }

  private func data(of model: GraphModel) throws -> Data {
    switch form {
    case .schema: return Data(model.schemaFile.utf8)
    case .xcdatamodel: return Data(model.xcodeModelFile.utf8)
    case .swift:
      guard model.dialect == .graft else {
        throw UsageError(
          "--output swift writes models of the dialect graft, and this one is of \(model.dialect.rawValue)"
        )
      }
      return Data(model.swiftSource.utf8)
    case .dot: return Data(model.graphvizSource.utf8)
    case .svg: return try svg(of: model.graphvizSource)
    case .html:
      throw UsageError("--output html is written by graft infer, which knows the document")
    }
  }

  /// Returns the file that is written: of an Xcode model, the one inside its folders, which are made.
  private func file(at path: String) throws -> URL {
    var url = URL(fileURLWithPath: path)
    guard form == .xcdatamodel, ["xcdatamodel", "xcdatamodeld"].contains(url.pathExtension) else {
      return url
    }
    if url.pathExtension == "xcdatamodeld" {
      let version = url.deletingPathExtension().lastPathComponent + ".xcdatamodel"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
      let versions = names.filter { $0.hasSuffix(".xcdatamodel") }.sorted()
      guard versions.allSatisfy({ $0 == version }) else {
        throw UsageError(
          "\(path) has versions; give the one to write, such as \(path)/\(versions[versions.count - 1])"
        )
      }
      url.append(path: version)
    }
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url.appending(path: "contents")
  }

  /// Has Graphviz draw a graph.
  private func svg(of source: String) throws -> Data {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (input, output) = (folder.appending(path: "model.dot"), folder.appending(path: "model.svg"))
    try Data(source.utf8).write(to: input)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["dot", "-Tsvg", "-o", output.path, input.path]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0, let data = try? Data(contentsOf: output) else {
      throw UsageError(
        "--output svg needs the program dot of Graphviz (Debian: graphviz); --output dot does not")
    }
    return data
  }
}

extension ModelOutput.Form {
  /// Returns the form that `graft model` is asked for; nil for the summary.
  ///
  /// - Throws: ``UsageError`` for a name that is no form's.
  static func read(_ reader: inout ArgumentReader) throws(UsageError) -> Self? {
    let names = ["summary"] + allCases.filter { $0 != .html }.map(\.rawValue)
    let name = try reader.value(of: "--output", names.joined(separator: "|"))
    if name == "summary" { return nil }
    if let form = Self(rawValue: name) { return form }
    throw ArgumentReader.unknown(name, of: "--output", names)
  }
}
