#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The functions of the C library that the store uses, so that one file knows its names.
enum CLibrary {
  static func isEqual(
    _ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer, byteCount: Int
  ) -> Bool {
    memcmp(lhs, rhs, byteCount) == 0
  }

  /// Compares bytes by value; shorter runs come before longer ones that begin with them.
  ///
  /// - Returns: Less than 0 if the first comes first, more than 0 if it comes last.
  static func compare(
    _ lhs: UnsafeBufferPointer<UInt8>, _ rhs: UnsafeBufferPointer<UInt8>
  ) -> Int {
    if let one = lhs.baseAddress, let other = rhs.baseAddress {
      let order = memcmp(one, other, min(lhs.count, rhs.count))
      if order != 0 { return Int(order) }
    }
    return lhs.count - rhs.count
  }

  /// Allocates memory that reads as zero; large blocks cost nothing until they are touched.
  static func allocateZeroed(byteCount: Int) -> UnsafeMutableRawPointer {
    guard let memory = calloc(1, byteCount) else { fatalError("out of memory") }
    return memory
  }

  static func deallocate(_ memory: UnsafeMutableRawPointer) { free(memory) }

  /// A number that no other living thread has, and that is never 0.
  static var currentThread: UInt {
    #if canImport(Glibc)
      pthread_self()
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}
