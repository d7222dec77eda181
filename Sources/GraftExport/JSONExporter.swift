public import Foundation
import Graft

/// Writes objects of a graph as JSON, by the same mapping that imports read.
///
/// ```swift
/// let exporter = try JSONExporter(model: store.model)
/// let text = try exporter.data(.entity("Tweet", of: store.graph))
/// ```
///
/// Paths make nested objects, transformers and date formats are reversed, and properties without a
/// place in JSON are left out and reported. Of several paths, the first one that can be written is
/// used: a path without a wildcard that does not lead through another property's value.
///
/// - Related objects are nested, written as their identities, or left out, as `JSONExport` and the
///   ``ExportOptions`` say. An object that is met inside itself is written as its identity, or left
///   out if it has none. Elsewhere an object is written each time that it is met
///   (``ExportOptions/repeats``).
/// - The relationship back to the owner under which an object is written is left out, because the
///   owner's relationship already implies it. If the way back is ordered and has more than one
///   member, it is written as identities.
/// - An identity of one attribute is written as a bare value. Another one is an object with all
///   that an import needs: the identity, required attributes, and the sub-entity's discriminator. A
///   stub is never more than that.
/// - Members of a to-many relationship without order are in order of entity and insertion. If the
///   relationship's path ends with `.*`, the members are written under keys. A key is the attribute
///   at `@key`, which each member must have and no two may share, or else the identity.
/// - An object whose identity is its key is written as its identity if it has no key.
/// - Numbers and booleans of an attribute that is ``Graft/Policies/writtenAs`` a string are strings.
/// - Values that a mapping cannot express are listed in the ``ExportReport``.
public struct JSONExporter: Sendable {
  /// The options of the exporter.
  public let options: ExportOptions
  private let plan: ExportPlan
  private let model: GraphModel

  /// Creates an exporter, and compiles the model's mapping for it.
  ///
  /// - Parameters:
  ///   - model: The model of the graphs whose objects will be written: their store's own. An equal model is compiled
  ///     anew for each text.
  ///   - options: The options for writing them.
  /// - Throws: ``ExportError`` if the options name what the model does not have, or too many
  ///   objects share one JSON object; ``Graft/ModelError`` if the mapping does not fit the model.
  /// - Complexity: O(*n*) in the number of properties, inherited ones counted for each entity that
  ///   has them.
  public init(model: GraphModel, options: ExportOptions = ExportOptions()) throws {
    self.model = model
    self.options = options
    plan = try ExportPlan(model.schema, options)
  }

  /// Writes objects to a consumer, chunk by chunk.
  ///
  /// - Parameters:
  ///   - content: The objects.
  ///   - output: Takes the bytes as they come, some tens of thousands at a time; they are valid
  ///     only while it runs.
  /// - Returns: The report of values that could not be written.
  /// - Throws: ``ExportError`` if an object cannot be written, ``Graft/StoreError`` for an unknown
  ///   entity, what a sequence or `output` throws; what was handed over is then cut short.
  /// - Complexity: O(*n*) in the size of the output. Memory is needed for one chunk, for the
  ///   largest value, and for the open objects with the keys of their members. An object with an entity mapper is
  ///   held as text. If repetitions are avoided, each object takes one bit.
  @discardableResult
  public func write(
    _ content: ExportContent, to output: (RawSpan) throws -> Void
  ) throws -> ExportReport {
    try withoutActuallyEscaping(output) { output in
      let start = content.anyGraph ?? Graph(emptyOf: model)
      guard start.schema === model.schema else {
        guard start.model == model else {
          throw ExportError(
            .model,
            "the objects follow another model than the exporter was made for; make one for it")
        }
        // The graph of another store with an equal model, which numbers its properties for itself.
        return try JSONExporter(model: start.model, options: options).write(content, to: output)
      }
      guard start.current == nil else {
        throw ExportError(
          StoreError(
            .notRead,
            "objects are read one by one here, as a deletion scope asks for them; export them outside of it"
          ))
      }
      return try UnreadNotes.catching { _ in
        var writer = try ContentWriter(plan: plan, graph: start, to: output)
        return try writer.write(content)
      }
    }
  }
}

extension JSONExporter {
  /// Writes objects into memory.
  ///
  /// - Parameter content: The objects.
  /// - Returns: The text, in UTF-8.
  /// - Throws: ``ExportError``, or ``Graft/StoreError`` for an unknown entity.
  /// - Complexity: O(*n*) in the size of the text, in memory too.
  public func data(_ content: ExportContent) throws -> Data {
    var report = ExportReport()
    return try data(content, report: &report)
  }

  /// Writes objects into memory, with a report of values that could not be written.
  ///
  /// - Parameters:
  ///   - content: The objects.
  ///   - report: Becomes the report of this export.
  /// - Returns: The text, in UTF-8.
  /// - Throws: ``ExportError``, or ``Graft/StoreError`` for an unknown entity.
  /// - Complexity: O(*n*) in the size of the text, in memory too.
  public func data(_ content: ExportContent, report: inout ExportReport) throws -> Data {
    var data = Data()
    report = try write(content) { chunk in
      chunk.withBorrowed { data.append(contentsOf: $0) }
    }
    return data
  }

  /// Writes objects to a file.
  ///
  /// The objects are written to a second file in the same directory, which at the end replaces the
  /// first and takes its mode and owner. A reader of the file finds either all of the export or
  /// nothing of it. If the file is a symbolic link, its target is replaced. A file that is not
  /// regular, such as a FIFO or `/dev/stdout`, is written directly.
  ///
  /// - Parameters:
  ///   - content: The objects.
  ///   - file: The file, which is replaced if it exists.
  /// - Returns: The report of values that could not be written.
  /// - Throws: ``ExportError``, ``Graft/StoreError`` for an unknown entity, or `CocoaError` if the file
  ///   cannot be written, which names the path and the reason and has the POSIX error under it. The
  ///   file is then as it was.
  @discardableResult
  public func write(_ content: ExportContent, to file: URL) throws -> ExportReport {
    var output = try OutputFile(for: file)
    let report = try write(content) { try output.write($0) }
    try output.finish()
    return report
  }
}
