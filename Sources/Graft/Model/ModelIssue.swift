/// Something wrong or doubtful in a model, with the place and the remedy.
public struct ModelIssue: Sendable, Hashable, CustomStringConvertible {
  /// A place in a model file or a mapping file.
  public struct Location: Sendable, Hashable, CustomStringConvertible {
    /// The path of the file.
    public let file: String
    /// The place in the file; nil for an issue of the file as a whole.
    public let position: SourceLocation?

    /// The file, the line and the column, such as `Model.json:12:7`.
    public var description: String { position.map { "\(file):\($0)" } ?? file }
  }

  /// The entity concerned; nil for an issue of the whole model.
  public let entity: String?
  /// The attribute or relationship concerned; nil for an issue of the whole entity.
  public let property: String?
  /// What was expected, what was found and what to do about it, in one line.
  public let message: String
  /// The place in the model's file; nil for a model made in code.
  public let location: Location?

  /// The issue in one line, for example `Model.xml:12:5: Hero.name: unknown attribute type "Sting",
  /// did you mean "String"?`.
  public var description: String {
    var text = location.map { "\($0): " } ?? ""
    if let entity { text += property.map { "\(entity).\($0): " } ?? "\(entity): " }
    return text + message
  }
}
