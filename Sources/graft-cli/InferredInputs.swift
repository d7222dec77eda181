import CommandLineSupport
import Foundation
import Graft
import GraftInference
import GraftZstd

/// The inputs of an import without a model: they are read twice, once for the model and once for the objects.
enum InferredInputs {
  /// The most bytes of a pipe, a device or standard input that are kept until they are read again.
  private static let streamLimit = 64 << 20

  /// Infers the model of the files that a command was given, and prints its conclusions.
  static func infer(_ arguments: ImportArguments) async throws -> (GraphModel, [Input]) {
    let files = arguments.files.map {
      InferArguments.File(

        $0.operand, format: $0.settings.format, endMarker: $0.settings.endMarker,
        request: $0.settings.request)
    }
    let sources = try files.map { try source(of: $0) }
    // A source in memory can be read any number of times.
    let canReadAgain = files.allSatisfy { Input.isStream($0.name) || Input.isRegularFile($0.name) }
    let inferred = try await InferCommand.infer(
      files, sources, InferenceOptions(), again: canReadAgain ? sources : nil)
    let model = try inferred.graphModel()
    for line in inferred.summary { Console.complain("inferred: \(line)") }
    for notice in inferred.notices { Console.complain("notice: \(notice)") }
    var inputs: [Input] = []
    for (index, file) in files.enumerated() {
      guard let root = inferred.roots[index] else {
        throw FileError(
          file: file.label, error: InferenceError("no objects were found; nothing can be imported"))
      }
      let path = root.path.steps.isEmpty ? nil : root.path.description
      // The model is that of the first page.
      let web = arguments.files[index].settings.web
      let source =
        web.given == nil ? sources[index] : try Input.source(file.name, file.request, web)
      inputs.append(
        Input(
          name: file.name, source: source,
          roots: [try ImportRoot(root.entity, at: path)],
          settings: arguments.files[index].settings, arguments))
    }
    return (model, inputs)
  }

  /// Returns a source that can be read twice; what can be read only once is kept in memory.
  ///
  /// - Throws: ``UsageError`` if that is too much, ``FileError`` if it cannot be read.
  private static func source(of file: InferArguments.File) throws -> ImportSource {
    let name = file.name
    guard Input.isStream(name) else { return try Input.source(name, file.request) }
    var data = Data()
    let keep: (FileSource) throws -> Void = { file in
      try file.read(chunkSize: 1 << 16) { chunk in
        guard data.count + chunk.byteCount <= streamLimit else {
          throw UsageError(
            "\(name == "-" ? "standard input" : name) holds more than \(Amount.number(streamLimit)) bytes, which"
              + " are kept to infer their model; give a file, or --model PATH")
        }
        unsafe chunk.withUnsafeBytes { unsafe data.append(contentsOf: $0) }
      }
    }
    do {
      if name == "-" {
        try keep(FileSource(descriptor: STDIN_FILENO, name: name))
      } else {
        try FileSource.withFile(URL(fileURLWithPath: name), keep)
      }
    } catch let error as ImportSourceError {
      throw FileError(file: name, error: error)
    }
    return .data(data).decompressing(.zstd)
  }
}

extension InferredModel {
  /// A line for each entity: its name, its identity and its relationships.
  fileprivate var summary: [String] {
    entities.map { entity in
      let identity =
        entity.identity.map { "identity " + $0.joined(separator: " + ") } ?? "no identity"
      let links = entity.relationships.map { ($0.isToMany ? "⇉ " : "→ ") + $0.destination }
      let parent = entity.superentity.map { " : \($0)" } ?? ""
      return entity.name + parent + " (" + (parent.isEmpty ? identity : "inherited identity") + ")"
        + (links.isEmpty ? "" : " " + links.joined(separator: ", "))
    }
  }
}
