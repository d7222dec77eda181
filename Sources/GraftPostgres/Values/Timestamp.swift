import Foundation
import Graft
import GraftDatabase

/// A date as Postgres sends it.
struct Timestamp {
  /// Microseconds since 2000-01-01 in UTC.
  let microseconds: Int64

  /// 2000-01-01 in seconds since 1970.
  private static let start: Int64 = 946_684_800
  /// 4713-11-24 BC and the end of 294276, in microseconds since 2000.
  private static let range: Range<Int64> = -211_813_488_000_000_000..<9_223_371_331_200_000_000

  init(microseconds: Int64) { self.microseconds = microseconds }

  /// Creates the timestamp of a date, rounded to the microsecond.
  ///
  /// - Throws: ``PostgresValueError`` for what is not a date or beyond those of Postgres.
  init(_ date: Date) throws(PostgresValueError) {
    guard let (seconds, fraction) = EpochSeconds.microseconds(of: date.timeIntervalSince1970),
      case (let scaled, let overflow) = (seconds &- Self.start).multipliedReportingOverflow(
        by: 1_000_000),
      !overflow, Self.range.contains(scaled &+ fraction), scaled < Int64.max - 1_000_000
    else {
      throw PostgresValueError(
        "the date \(date.timeIntervalSince1970) (seconds since 1970) is not one of Postgres, which has those from"
          + " 4713 BC to 294276; leave it out, or let the attribute be Double")
    }
    microseconds = scaled + fraction
  }

  /// Returns whether a date is before or after all dates that a column can hold.
  static func isBeyond(_ date: Date) -> Bool {
    !date.timeIntervalSinceReferenceDate.isNaN && (try? Timestamp(date)) == nil
  }

  /// Returns why a column cannot hold a date; nil if it can.
  static func fault(of value: RawValue) -> String? {
    do throws(PostgresValueError) {
      _ = try Timestamp(Date(timeIntervalSinceReferenceDate: value.double))
      return nil
    } catch {
      return error.description
    }
  }

  /// The date; nil for the infinities.
  var date: Date? {
    guard Self.range.contains(microseconds) else { return nil }
    var (seconds, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    if fraction < 0 { (seconds, fraction) = (seconds - 1, fraction + 1_000_000) }
    return Date(
      timeIntervalSinceReferenceDate: EpochSeconds.referenceInterval(
        seconds: seconds + Self.start, fraction: fraction, fractionDigits: 6))
  }
}
