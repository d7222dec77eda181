import Foundation

/// Says in words why XML is not well-formed.
enum XMLFault {
  /// The reason that a parser's error gives, where its code is one of the common ones.
  static func text(of error: (any Error)?) -> String {
    switch (error as NSError?)?.code {
    case 4: "the document is empty"
    case 5, 77: "the document ends too early"
    case 26: "an entity is not known"
    case 39, 40: "an attribute's value is not quoted"
    case 41: "an attribute has no value"
    case 42: "an attribute occurs twice"
    case 65: "white space is missing"
    case 68: "a name is missing"
    case 73: "a \">\" is missing"
    case 76: "the tags do not match"
    case 9: "a character is not allowed"
    case let code?: "code \(code) of the XML parser"
    case nil: "the document ends too early"
    }
  }
}
