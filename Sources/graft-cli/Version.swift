/// The version of the package that the program was built from.
enum Version {
  static let current = "0.1.0"
}
