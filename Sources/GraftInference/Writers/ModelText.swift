public import Graft

extension GraphModel {
  /// The model as the file `contents` in an `.xcdatamodel` of Xcode, which reads back as an equal model.
  ///
  /// Code that entities mention is not part of a file.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  public var xcodeModelFile: String { XcodeModelWriter(entities, dialect: dialect).text }

  /// The parts of the model that ``xcodeModelFile`` lacks, because the format has no place for them; a line for each.
  public var xcodeModelOmissions: [String] {
    XcodeModelWriter(entities, dialect: dialect).omissions
  }

  /// The model as Swift source: a struct for each entity, which compiles with Graft.
  ///
  /// It is source for the dialect of Graft; annotations of others have no counterpart in types. Attributes
  /// that are kept as JSON have a Codable type, and code that entities mention is to be added by hand.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  public var swiftSource: String { SwiftSourceWriter(entities).text }

  /// The parts of the model that ``swiftSource`` lacks, because they are code or have no counterpart in types; a line
  /// for each.
  public var swiftSourceOmissions: [String] { SwiftSourceWriter(entities).omissions }

  /// The model as a drawing in the language of Graphviz: entities as tables, relationships as arrows.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  public var graphvizSource: String { DotWriter.text(of: entities) }
}
