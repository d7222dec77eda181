// The English names of months and weekdays that dates in JSON use. Three letters tell them apart,
// and are compared as one number, because a date is read for almost every object.

extension TextCursor {
  /// Reads a month's name of three letters, in any case.
  ///
  /// - Returns: The month, from 1; nil, and nothing read, where no such name stands here.
  @inline(__always)
  mutating func shortMonth() -> Int? {
    let month: Int
    switch threeLetters {
    case 0x6A_61_6E: month = 1
    case 0x66_65_62: month = 2
    case 0x6D_61_72: month = 3
    case 0x61_70_72: month = 4
    case 0x6D_61_79: month = 5
    case 0x6A_75_6E: month = 6
    case 0x6A_75_6C: month = 7
    case 0x61_75_67: month = 8
    case 0x73_65_70: month = 9
    case 0x6F_63_74: month = 10
    case 0x6E_6F_76: month = 11
    case 0x64_65_63: month = 12
    default: return nil
    }
    position += 3
    return month
  }

  /// Reads a weekday's name of three letters, in any case.
  @inline(__always)
  mutating func shortWeekday() -> Bool {
    switch threeLetters {
    case 0x6D_6F_6E, 0x74_75_65, 0x77_65_64, 0x74_68_75, 0x66_72_69, 0x73_61_74, 0x73_75_6E:
      position += 3
      return true
    default: return false
    }
  }

  /// Reads a month's full name, in any case.
  mutating func month() -> Int? {
    let names: [StaticString] = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    for (index, name) in names.enumerated() where take(name) { return index + 1 }
    return nil
  }

  /// Reads a weekday's full name, in any case.
  mutating func weekday() -> Bool {
    let names: [StaticString] = [
      "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    return names.contains { take($0) }
  }

  /// The next three letters in lower case as one number; 0 where fewer are left.
  @inline(__always)
  private var threeLetters: UInt32 {
    guard position + 3 <= text.count else { return 0 }
    let letters =
      UInt32(text[position]) << 16 | UInt32(text[position + 1]) << 8 | UInt32(text[position + 2])
    return letters | 0x20_20_20
  }
}
