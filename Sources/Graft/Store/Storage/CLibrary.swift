#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// Raw memory: only borrowed bytes are compared, and never beyond their end. The caller owns memory
// that is allocated here.

/// The functions of the C library that the store uses; only this file knows their names.
enum CLibrary {
  /// Returns whether two runs of bytes are the same.
  static func isEqual(_ lhs: BorrowedBuffer<UInt8>, _ rhs: BorrowedBuffer<UInt8>) -> Bool {
    guard lhs.count == rhs.count, lhs.count > 0 else { return lhs.count == rhs.count }
    return unsafe lhs.withUnsafePointer { one in
      unsafe rhs.withUnsafePointer { unsafe memcmp(one, $0, lhs.count) == 0 }
    }
  }

  /// Compares bytes by value; shorter runs come before longer ones that begin with them.
  ///
  /// - Returns: Less than 0 if the first comes first, more than 0 if it comes last.
  static func compare(_ lhs: BorrowedBuffer<UInt8>, _ rhs: BorrowedBuffer<UInt8>) -> Int {
    let common = min(lhs.count, rhs.count)
    let order = unsafe lhs.withUnsafePointer { one in
      unsafe rhs.withUnsafePointer { unsafe memcmp(one, $0, common) }
    }
    return order != 0 ? Int(order) : lhs.count - rhs.count
  }

  /// Allocates memory that reads as zero; large blocks cost nothing until they are touched.
  @unsafe static func allocateZeroed(byteCount: Int) -> UnsafeMutableRawPointer {
    guard let memory = unsafe calloc(1, byteCount) else { fatalError("out of memory") }
    return unsafe memory
  }

  @unsafe static func deallocate(_ memory: UnsafeMutableRawPointer) { unsafe free(memory) }

  /// A number that no other living thread has, and that is never 0.
  static var currentThread: UInt {
    #if canImport(Glibc)
    pthread_self()
    #else
    UInt(bitPattern: pthread_self())
    #endif
  }
}
