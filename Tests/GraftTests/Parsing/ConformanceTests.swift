import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// One file of JSONTestSuite: `y_` must be accepted, `n_` rejected, `i_` is for the parser
/// to decide.
struct ConformanceFile: CustomTestStringConvertible {
  let url: URL
  var testDescription: String { url.lastPathComponent }

  static let folder = PeerModels.folder.appending(path: "jsontestsuite")

  static let all: [ConformanceFile] = {
    let urls = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (urls ?? []).filter { $0.pathExtension == "json" }.map { ConformanceFile(url: $0) }
  }()
}

/// Files that RFC 8259 leaves open and that Graft accepts; it refuses all other `i_` files.
private let accepted: [String: String] = [
  "i_number_double_huge_neg_exp.json": "numbers are kept as written; their conversion decides",
  "i_number_huge_exp.json": "numbers are kept as written; their conversion decides",
  "i_number_neg_int_huge_exp.json": "numbers are kept as written; their conversion decides",
  "i_number_pos_double_huge_exp.json": "numbers are kept as written; their conversion decides",
  "i_number_real_neg_overflow.json": "numbers are kept as written; their conversion decides",
  "i_number_real_pos_overflow.json": "numbers are kept as written; their conversion decides",
  "i_number_real_underflow.json": "numbers are kept as written; their conversion decides",
  "i_number_too_big_neg_int.json": "numbers are kept as written; their conversion decides",
  "i_number_too_big_pos_int.json": "numbers are kept as written; their conversion decides",
  "i_number_very_big_negative_int.json": "numbers are kept as written; their conversion decides",
  "i_structure_500_nested_arrays.json": "the limit is 1,000 by default",
  "i_structure_UTF-8_BOM_empty_object.json": "a byte order mark is skipped, as DESIGN says",
]

/// Why the other `i_` files are refused, and with which kind of error.
private let refused: [String: (kind: ParsingError.Kind, reason: String)] = [
  "i_object_key_lone_2nd_surrogate.json": (.encoding, "half a pair is no character"),
  "i_string_1st_surrogate_but_2nd_missing.json": (.encoding, "half a pair is no character"),
  "i_string_1st_valid_surrogate_2nd_invalid.json": (.encoding, "half a pair is no character"),
  "i_string_incomplete_surrogate_and_escape_valid.json": (.encoding, "half a pair"),
  "i_string_incomplete_surrogate_pair.json": (.encoding, "half a pair is no character"),
  "i_string_incomplete_surrogates_escape_valid.json": (.encoding, "half a pair"),
  "i_string_invalid_lonely_surrogate.json": (.encoding, "half a pair is no character"),
  "i_string_invalid_surrogate.json": (.encoding, "half a pair is no character"),
  "i_string_inverted_surrogates_U+1D11E.json": (.encoding, "the halves are in the wrong order"),
  "i_string_lone_second_surrogate.json": (.encoding, "half a pair is no character"),
  "i_string_UTF-16LE_with_BOM.json": (.encoding, "RFC 8259 demands UTF-8"),
  "i_string_utf16BE_no_BOM.json": (.encoding, "RFC 8259 demands UTF-8"),
  "i_string_utf16LE_no_BOM.json": (.encoding, "RFC 8259 demands UTF-8"),
  "i_string_UTF-8_invalid_sequence.json": (.encoding, "not UTF-8"),
  "i_string_UTF8_surrogate_U+D800.json": (.encoding, "surrogates are not UTF-8"),
  "i_string_invalid_utf-8.json": (.encoding, "not UTF-8"),
  "i_string_iso_latin_1.json": (.encoding, "not UTF-8"),
  "i_string_lone_utf8_continuation_byte.json": (.encoding, "not UTF-8"),
  "i_string_not_in_unicode_range.json": (.encoding, "beyond U+10FFFF"),
  "i_string_overlong_sequence_2_bytes.json": (.encoding, "overlong forms hide characters"),
  "i_string_overlong_sequence_6_bytes.json": (.encoding, "overlong forms hide characters"),
  "i_string_overlong_sequence_6_bytes_null.json": (.encoding, "overlong forms hide characters"),
  "i_string_truncated-utf-8.json": (.encoding, "not UTF-8"),
]

@Suite(
  .enabled(
    if: !ConformanceFile.all.isEmpty, "JSONTestSuite is not there: ../shared/peers/jsontestsuite"))
struct `JSONTestSuite` {
  @Test(arguments: ConformanceFile.all)
  func `every file is judged as its name says, and the same for every chunk size`(
    _ file: ConformanceFile
  ) throws {
    let text = [UInt8](try Data(contentsOf: file.url))
    let whole = try Reading(text)
    let name = file.url.lastPathComponent
    switch name.prefix(2) {
    case "y_": #expect(whole.error == nil)
    case "n_": #expect(whole.error != nil)
    default:
      #expect((accepted[name] != nil) != (refused[name] != nil), "undecided: \(name)")
      #expect(whole.error?.kind == refused[name]?.kind)
    }
    // A hundred thousand levels say nothing that a thousand do not.
    for size in [1, 2, 3, 7] where text.count < 50_000 {
      #expect(try Reading(text, chunk: size) == whole, "chunks of \(size)")
    }
  }
}
