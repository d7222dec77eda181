import CommandLineSupport
import Foundation
import Graft
import GraftInference
import GraftZstd

/// Prepares the inputs of an import without a model: they are read twice, once for the model and once for the objects.
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
    let webs = arguments.files.map(\.settings.web)
    let sources = try zip(files, webs).map { try source(of: $0, $1) }
    // A source in memory can be read any number of times.
    let canReadAgain = files.allSatisfy {
      InputFile.isStream($0.name) || InputFile.isRegularFile($0.name)
    }
    let inferred = try await repeating(files, webs) {
      try await InferCommand.infer(
        files, sources, InferenceOptions(), again: canReadAgain ? sources : nil)
    }
    for line in inferred.summary { Console.complain("inferred: \(line)") }
    for notice in inferred.notices { Console.complain("notice: \(notice)") }
    var inputs: [Input] = []
    var allRoots: [InferredModel.Root] = []
    for (index, file) in files.enumerated() {
      let roots = try roots(of: file, inferred.roots[index], in: inferred, webs[index])
      allRoots += roots
      // The model is inferred from the first page.
      let web = webs[index]
      let source =
        web.given == nil ? sources[index] : try Input.source(file.name, file.request, web)
      inputs.append(
        Input(
          name: file.name, source: source,
          roots: roots.map(\.importRoot),
          settings: arguments.files[index].settings, arguments))
    }
    return (try inferred.graphModel(importing: allRoots), inputs)
  }

  /// Returns the places of a file's objects: the operand's, or else the inferred ones.
  ///
  /// - Throws: ``FileError`` if there are no objects.
  private static func roots(
    of file: InferArguments.File, _ root: InferredModel.Root?, in model: InferredModel,
    _ web: WebSettings
  ) throws -> [InferredModel.Root] {
    if !file.roots.isEmpty { return file.roots }
    guard let root else {
      throw FileError(
        file: file.label, error: InferenceError("no objects were found; nothing can be imported"))
    }
    guard web.isList, let list = model.onlyList(in: root) else { return [root] }
    Console.complain(
      "notice: the objects of each page are those of its list, as with \(list.entity)@\(list.path)=\(file.label)"
    )
    return [list]
  }

  /// Infers a model, and repeats the inference after a failed request if the options allow it.
  private static func repeating(
    _ files: [InferArguments.File], _ webs: [WebSettings],
    _ infer: () async throws -> InferredModel
  ) async throws -> InferredModel {
    let start = ContinuousClock.now
    for tries in 1... {
      do {
        let model = try await infer()
        try await Task.sleep(for: webs.map(\.interval).max() ?? .zero)
        return model
      } catch let error as FileError {
        guard let index = files.firstIndex(where: { $0.label == error.file }),
          let request = try Input.request(files[index].name, files[index].request),
          let delay = webs[index].delay(
            after: error.error, tries: tries, since: start, of: request)
        else { throw error }
        try await Task.sleep(for: delay)
      }
    }
    throw CancellationError()
  }

  /// Returns a source that can be read twice; a stream is kept in memory.
  ///
  /// - Throws: ``UsageError`` if that is too much, ``FileError`` if it cannot be read.
  private static func source(
    of file: InferArguments.File, _ web: WebSettings
  ) throws -> ImportSource {
    let name = file.name
    if let request = try Input.request(name, file.request) {
      return web.firstSource(of: request).decompressing(.zstd)
    }
    guard InputFile.isStream(name) else { return try Input.source(name, file.request) }
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
