import Foundation

/// One text as other programs have compressed it.
enum PackedSamples {
  /// 40 objects in an array.
  static let text: String = {
    let objects = (0..<40).map { index in
      #"{"id":\#(index),"name":"n\#(index * 7919 % 100)","text":"\#("lorem ipsum dolor".prefix(index % 17))"}"#
    }
    return "[" + objects.joined(separator: ",") + "]"
  }()

  /// By Python's `gzip`.
  static let gzip = data(
    """
    H4sIAAAAAAACA42UzWoDMQwGX6X4vAdL8o+cVyk9BLKHQJKWNoVCybu3ULC+ZOXd3hY8LLJm8PN3OB7CLk7hsj/PYRcuMUzhOn9df7/D\
    bfo7JjumZuenDrABogC8dkKMyBWJ944kQ2q5Q+bOZGNavmfOHSowbnqAnjpVYWZ5pI4dUxicF9hb5xpMT0vuw5YJy27RIT8NhcU3j7Q7\
    EyhgdVm7OoGNVH34YDSIKWVAm2kCR5pHuLVDoCsNcfg/iGPxagVlib1cCWQVcntlsKTRD5ZRTxsUyyCGdJQsgxGpw2YZVOQyjpbBQc0r\
    1TIsv6W1bBnWTrKaLYMA4fVuGVRk2uhWQEqNW90K6NG22a2AKN3OVsAY1390K+AuFadbAWkle90K2NLkv7P4rPnZCuhhHmQr4CXRItuX\
    H6pbAac5BgAA
    """)
  /// By Python's `zlib`.
  static let zlib = data(
    """
    eNqNlM1qAzEMBl+l+LwHS/KPnFcpPQSyh0CSljaFQsm7t1CwvmTl3d4WPCyyZvDzdzgewi5O4bI/z2EXLjFM4Tp/XX+/w236OyY7pmbn\
    pw6wAaIAvHZCjMgVifeOJENquUPmzmRjWr5nzh0qMG56gJ46VWFmeaSOHVMYnBfYW+caTE9L7sOWCctu0SE/DYXFN4+0OxMoYHVZuzqB\
    jVR9+GA0iCllQJtpAkeaR7i1Q6ArDXH4P4hj8WoFZYm9XAlkFXJ7ZbCk0Q+WUU8bFMsghnSULIMRqcNmGVTkMo6WwUHNK9UyLL+ltWwZ\
    1k6ymi2DAOH1bhlUZNroVkBKjVvdCujRttmtgCjdzlbAGNd/dCvgLhWnWwFpJXvdCtjS5L+z+Kz52QroYR5kK+Al0SLblx/HhdPd
    """)
  /// By `zstd -19 --check`.
  static let zstd = data(
    """
    KLUv/QRoLQgAkosfFoBNGySeDYatcsBgnnpld/cmBkMZ2FWFYd/Pd3vIeql5inj7O/412wkrnGX/xz/bY+tz85r4vTvb320XWLhp25Hv\
    26Aqydmo4rF4AP9LmyS0YJBtO09O7hZA0yU7EV18Nq9R+K60WVCtNaxoQqIVLIFZw0IWg1mBMKwjWRQRX6gRkPn9PwMgJ9w8ElAQqEEN\
    CCGEEIKYUkUkSZJ0dFKDD1sMQ3pcNsgQ8RCRkXbVf1F1Deszl68W4AqF51YTqrYaYarVQUsrDI5ZVbBkZQKINYULauf9SB55kZRB6ZeA\
    KzDdEK2Xwcizfkop0/tIIpCgpkUOsqyMSPolYonGqikgAKwKCw+30Q==
    """)

  private static func data(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }
}
