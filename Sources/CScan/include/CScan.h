// Finds the tokens of JSON, 64 bytes at a time.
//
// A block of 64 bytes becomes bitmaps, one bit for each byte: quotes, backslashes, structure, white space,
// control characters. Arithmetic on the bitmaps tells which quotes are escaped, what is inside a string
// (a prefix xor over the quotes), and where a token begins. The tokens of a window of up to 16 KiB are
// written to two arrays, their offsets and their first bytes; both quotes of a string are tokens. Of
//
//   {"id": 7, "ok": true}
//
// the tokens are `{ " " : 7 , " " : t }` at the offsets 0, 1, 4, 5, 7, 8, 10, 13, 14, 16 and 20.
//
// What is inside strings is checked in full: control characters, escapes with their surrogates, UTF-8. A
// block in which anything is wrong ends the scan before it. What is wrong, and where exactly, is found
// byte by byte by the caller, so that errors are made in one place only.
//
// Sources: G. Langdale and D. Lemire, "Parsing gigabytes of JSON per second", The VLDB Journal 28, 2019, for
// the bitmaps; J. Keiser and D. Lemire, "Validating UTF-8 in less than one instruction per byte", Software:
// Practice and Experience 51, 2021, for UTF-8.
//
// Raw memory. Invariants
// - Of `bytes` nothing is read at or behind `bytes + count`: the last block of fewer than 64 bytes is copied.
// - The arrays of a window have room for a token at each byte, and for the whole vectors that are stored.

#ifndef CSCAN_H
#define CSCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/// The most bytes that are scanned at once; small enough that they and their tokens fit the first-level
/// cache.
#define CSCAN_WINDOW 16384

/// How many tokens the arrays of a window have room for.
#define CSCAN_ROOM (CSCAN_WINDOW + 128)

/// The tokens of a window, in arrays that the caller owns.
typedef struct {
  /// Where each token begins, counted from the beginning of the window; `CSCAN_ROOM` elements.
  uint16_t *offsets;
  /// The first byte of each token; a 0 follows the last one; `CSCAN_ROOM` elements.
  uint8_t *kinds;
  /// One bit for each byte: whether it is a backslash; an element for each 64 bytes.
  uint64_t *backslashes;
  /// The number of tokens.
  uint32_t count;
  /// How many bytes have been scanned: all of them, or those before the block in which something is wrong.
  uint32_t scanned;
} cscan_window;

/// The sets of instructions for which there is a scanner.
typedef enum {
  cscan_portable,
  cscan_neon,
  cscan_avx2,
  cscan_avx512,
} cscan_instructions;

// MARK: - A block, whatever the instructions

/// The bitmaps of a block; bit 0 is its first byte.
typedef struct {
  uint64_t quotes;
  uint64_t backslashes;
  /// Space, tab, line feed, carriage return.
  uint64_t spaces;
  /// Brackets, braces, colon, comma; perhaps control characters as well.
  uint64_t structure;
  /// Bytes below 0x20.
  uint64_t controls;
  /// Bytes from 0x80.
  uint64_t others;
} cscan_block;

/// A scan of a window, and what a block leaves for the next one.
typedef struct {
  const uint8_t *bytes;
  size_t count;
  bool replaces_surrogates;
  cscan_window *window;
  /// Where the block begins.
  size_t base;
  /// How many tokens have been found.
  uint32_t token_count;
  /// Whether the first byte is escaped.
  uint64_t is_escaped;
  /// All ones inside a string.
  uint64_t in_string;
  /// Whether the last byte belonged to a number or word.
  uint64_t in_word;
  /// Where the second half of a surrogate pair has its `u`, which has been checked with the first half.
  size_t second_half;
  /// The last block, filled up with spaces.
  uint8_t last[64];
} cscan_scan_state;

static inline __attribute__((always_inline)) void cscan_begin(
    cscan_scan_state *scan, const uint8_t *bytes, size_t count, bool replaces_surrogates,
    cscan_window *window) {
  scan->bytes = bytes;
  scan->count = count;
  scan->replaces_surrogates = replaces_surrogates;
  scan->window = window;
  scan->base = 0;
  scan->token_count = 0;
  scan->is_escaped = 0;
  scan->in_string = 0;
  scan->in_word = 0;
  scan->second_half = SIZE_MAX;
}

/// The address of 64 bytes that may be read.
static inline __attribute__((always_inline)) const uint8_t *cscan_source(cscan_scan_state *scan) {
  const uint8_t *source = scan->bytes + scan->base;
  size_t left = scan->count - scan->base;
  if (left >= 64) return source;
  memset(scan->last, ' ', 64);
  memcpy(scan->last, source, left);
  return scan->last;
}

static inline __attribute__((always_inline)) void cscan_end(cscan_scan_state *scan) {
  scan->window->kinds[scan->token_count] = 0;
  scan->window->count = scan->token_count;
  bool is_whole = scan->base >= scan->count;
  scan->window->scanned = (uint32_t)(is_whole ? scan->count : scan->base);
}

/// Which bytes are escaped, by the parity of the backslashes before them.
static inline __attribute__((always_inline)) uint64_t cscan_escaped(
    uint64_t backslashes, cscan_scan_state *scan) {
  const uint64_t odd = 0xAAAAAAAAAAAAAAAAULL;
  if (backslashes == 0) {
    uint64_t escaped = scan->is_escaped;
    scan->is_escaped = 0;
    return escaped;
  }
  uint64_t possible = backslashes & ~scan->is_escaped;
  uint64_t codes = (((possible << 1) | odd) - possible) ^ odd;
  uint64_t escaped = codes ^ (backslashes | scan->is_escaped);
  scan->is_escaped = (codes & backslashes) >> 63;
  return escaped;
}

/// What four hexadecimal digits are.
typedef enum { cscan_wrong = -1, cscan_cut = -2 } cscan_no_unit;

/// The value of four hexadecimal digits that begin at an index; negative where one is none, or where the
/// bytes end before.
static inline __attribute__((always_inline)) int32_t cscan_unit(
    const uint8_t *bytes, size_t index, size_t count) {
  int32_t value = 0;
  for (size_t end = index + 4; index < end; index++) {
    if (index >= count) return cscan_cut;
    uint8_t digit = (uint8_t)(bytes[index] - '0');
    uint8_t letter = (uint8_t)((bytes[index] | 0x20) - 'a');
    if (digit > 9) {
      if (letter > 5) return cscan_wrong;
      digit = (uint8_t)(letter + 10);
    }
    value = value << 4 | digit;
  }
  return value;
}

/// Whether all escapes of a block are allowed; one that the end of the bytes cuts is, as its string is
/// not complete.
static inline __attribute__((always_inline)) bool cscan_escapes_are_valid(
    cscan_scan_state *scan, uint64_t escaped) {
  const uint8_t *bytes = scan->bytes;
  size_t count = scan->count;
  while (escaped != 0) {
    size_t index = scan->base + (size_t)__builtin_ctzll(escaped);
    escaped &= escaped - 1;
    if (index >= count) return true;
    switch (bytes[index]) {
      case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
        break;
      case 'u': {
        int32_t unit = cscan_unit(bytes, index + 1, count);
        if (unit == cscan_cut) return true;
        if (unit == cscan_wrong) return false;
        if (scan->replaces_surrogates || (unit & 0xF800) != 0xD800) break;
        if (unit >= 0xDC00) {
          if (scan->second_half != index) return false;
          break;
        }
        for (size_t next = index + 5; next < index + 7; next++) {
          if (next >= count) return true;
          if (bytes[next] != (next == index + 5 ? '\\' : 'u')) return false;
        }
        int32_t second = cscan_unit(bytes, index + 7, count);
        if (second == cscan_cut) return true;
        if (second < 0 || (second & 0xFC00) != 0xDC00) return false;
        scan->second_half = index + 6;
        break;
      }
      default:
        return false;
    }
  }
  return true;
}

/// Finds the tokens of a block.
///
/// `block.quotes` are those that are not escaped, and `parity` gives each bit the parity of their number up
/// to it. False where something is wrong in the block.
static inline __attribute__((always_inline)) bool cscan_find_tokens(
    cscan_scan_state *scan, cscan_block block, uint64_t escaped, uint64_t parity,
    uint64_t *tokens) {
  // Opening quotes are inside, closing ones outside.
  uint64_t inside = parity ^ scan->in_string;
  scan->in_string = (uint64_t)((int64_t)inside >> 63);
  uint64_t words = ~(block.structure | block.spaces | block.quotes | inside);
  uint64_t starts = words & ~(words << 1 | scan->in_word);
  scan->in_word = words >> 63;
  *tokens = (block.structure & ~inside) | block.quotes | starts;
  uint64_t wrong = (block.controls & (inside | ~block.spaces)) |
                   ((block.others | block.backslashes) & ~inside);
  if (scan->count - scan->base < 64) {
    uint64_t real = ~0ULL >> (64 - (scan->count - scan->base));
    scan->in_word = (words & real) >> (scan->count - scan->base - 1);
    *tokens &= real;
    wrong &= real;
  }
  scan->window->backslashes[scan->base / 64] = block.backslashes;
  return wrong == 0 && (escaped == 0 || cscan_escapes_are_valid(scan, escaped));
}

// MARK: - Portable

/// The high bit of each byte that is zero.
static inline __attribute__((always_inline)) uint64_t cscan_zeros(uint64_t word) {
  const uint64_t low = 0x7F7F7F7F7F7F7F7FULL;
  return ~(((word & low) + low) | word | low);
}

static inline __attribute__((always_inline)) uint64_t cscan_equal(uint64_t word, uint8_t byte) {
  return cscan_zeros(word ^ (0x0101010101010101ULL * byte));
}

/// The high bits of eight bytes as eight bits, the first byte's first.
static inline __attribute__((always_inline)) uint64_t cscan_gather(uint64_t high_bits) {
  return ((high_bits >> 7) * 0x0102040810204080ULL) >> 56;
}

static inline __attribute__((always_inline)) uint64_t cscan_prefix_xor_portable(uint64_t bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  return bits ^ bits << 32;
}

static inline __attribute__((always_inline)) cscan_block cscan_block_portable(
    const uint8_t *bytes) {
  cscan_block block = {0, 0, 0, 0, 0, 0};
  for (int index = 0; index < 8; index++) {
    uint64_t word;
    memcpy(&word, bytes + 8 * index, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    int shift = 8 * index;
    // Braces are brackets with this bit.
    uint64_t curly = word | 0x2020202020202020ULL;
    uint64_t spaces = cscan_equal(word, ' ') | cscan_equal(word, '\t') | cscan_equal(word, '\n') |
                      cscan_equal(word, '\r');
    uint64_t structure = cscan_equal(curly, '{') | cscan_equal(curly, '}') |
                         cscan_equal(word, ',') | cscan_equal(word, ':');
    block.quotes |= cscan_gather(cscan_equal(word, '"')) << shift;
    block.backslashes |= cscan_gather(cscan_equal(word, '\\')) << shift;
    block.spaces |= cscan_gather(spaces) << shift;
    block.structure |= cscan_gather(structure) << shift;
    block.controls |= cscan_gather(cscan_zeros(word & 0xE0E0E0E0E0E0E0E0ULL)) << shift;
    block.others |= cscan_gather(word & 0x8080808080808080ULL) << shift;
  }
  return block;
}

/// How many bytes of a character are still to come after each block, and in which range the next one is.
typedef struct {
  uint8_t missing;
  uint8_t least;
  uint8_t most;
} cscan_utf8_portable;

/// Whether a block is UTF-8.
static inline bool cscan_utf8_is_valid_portable(
    const uint8_t *bytes, uint64_t others, cscan_utf8_portable *state) {
  if (others == 0 && state->missing == 0) return true;
  cscan_utf8_portable now = *state;
  for (int index = 0; index < 64; index++) {
    uint8_t byte = bytes[index];
    if (now.missing != 0) {
      if (byte < now.least || byte > now.most) return false;
      now.missing--;
      now.least = 0x80;
      now.most = 0xBF;
    } else if (byte >= 0x80) {
      if (byte < 0xC0) return false;
      now.missing = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
      now.least = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
      now.most = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
      // Nothing is right after a byte that begins no character. It is the byte after it that is found
      // wrong, as by look-up, so that all scans end before the same block.
      if (byte < 0xC2 || byte > 0xF4) now.most = 0;
    }
  }
  *state = now;
  return true;
}

/// Writes the tokens of a block one by one.
static inline __attribute__((always_inline)) void cscan_write_tokens(
    cscan_scan_state *scan, uint64_t tokens, const uint8_t *block) {
  uint16_t *offsets = scan->window->offsets + scan->token_count;
  uint8_t *kinds = scan->window->kinds + scan->token_count;
  scan->token_count += (uint32_t)__builtin_popcountll(tokens);
  // Eight at a time without a look at how many there are; what is too much is overwritten.
  while (tokens != 0) {
    for (int index = 0; index < 8; index++) {
      // Without bits left, any place in the block will do.
      size_t bit = (size_t)__builtin_ctzll(tokens | 0x8000000000000000ULL);
      offsets[index] = (uint16_t)(scan->base + bit);
      kinds[index] = block[bit];
      tokens &= tokens - 1;
    }
    offsets += 8;
    kinds += 8;
  }
}

/// Scans a window with nothing but words of 64 bits.
static inline void cscan_scan_portable(
    const uint8_t *bytes, size_t count, bool replaces_surrogates, cscan_window *window) {
  cscan_scan_state scan;
  cscan_begin(&scan, bytes, count, replaces_surrogates, window);
  cscan_utf8_portable utf8 = {0, 0, 0};
  for (; scan.base < count; scan.base += 64) {
    const uint8_t *source = cscan_source(&scan);
    cscan_block block = cscan_block_portable(source);
    uint64_t escaped = cscan_escaped(block.backslashes, &scan);
    block.quotes &= ~escaped;
    uint64_t tokens;
    if (!cscan_find_tokens(
            &scan, block, escaped, cscan_prefix_xor_portable(block.quotes), &tokens))
      break;
    if (!cscan_utf8_is_valid_portable(source, block.others, &utf8)) break;
    cscan_write_tokens(&scan, tokens, source);
  }
  cscan_end(&scan);
}

// MARK: - UTF-8 by look-up
//
// Three tables, looked up by the halves of two bytes that follow each other, give eight bits, of which each
// means one mistake; it is one where all three tables say so.

#define CSCAN_TOO_SHORT 0x01
#define CSCAN_TOO_LONG 0x02
#define CSCAN_OVERLONG_3 0x04
#define CSCAN_TOO_LARGE 0x08
#define CSCAN_SURROGATE 0x10
#define CSCAN_OVERLONG_2 0x20
#define CSCAN_TOO_LARGE_1000 0x40
#define CSCAN_OVERLONG_4 0x40
#define CSCAN_TWO_CONTINUATIONS 0x80
#define CSCAN_CARRY (CSCAN_TOO_SHORT | CSCAN_TOO_LONG | CSCAN_TWO_CONTINUATIONS)

/// By the high half of the first byte.
#define CSCAN_FIRST_HIGH                                                                           \
  CSCAN_TOO_LONG, CSCAN_TOO_LONG, CSCAN_TOO_LONG, CSCAN_TOO_LONG, CSCAN_TOO_LONG, CSCAN_TOO_LONG,   \
      CSCAN_TOO_LONG, CSCAN_TOO_LONG, (char)CSCAN_TWO_CONTINUATIONS,                               \
      (char)CSCAN_TWO_CONTINUATIONS, (char)CSCAN_TWO_CONTINUATIONS, (char)CSCAN_TWO_CONTINUATIONS,  \
      CSCAN_TOO_SHORT | CSCAN_OVERLONG_2, CSCAN_TOO_SHORT,                                         \
      CSCAN_TOO_SHORT | CSCAN_OVERLONG_3 | CSCAN_SURROGATE,                                        \
      CSCAN_TOO_SHORT | CSCAN_TOO_LARGE | CSCAN_TOO_LARGE_1000 | CSCAN_OVERLONG_4

#define CSCAN_LARGE (char)(CSCAN_CARRY | CSCAN_TOO_LARGE | CSCAN_TOO_LARGE_1000)

/// By the low half of the first byte.
#define CSCAN_FIRST_LOW                                                                            \
  (char)(CSCAN_CARRY | CSCAN_OVERLONG_2 | CSCAN_OVERLONG_3 | CSCAN_OVERLONG_4),                    \
      (char)(CSCAN_CARRY | CSCAN_OVERLONG_2), (char)CSCAN_CARRY, (char)CSCAN_CARRY,                \
      (char)(CSCAN_CARRY | CSCAN_TOO_LARGE), CSCAN_LARGE, CSCAN_LARGE, CSCAN_LARGE, CSCAN_LARGE,   \
      CSCAN_LARGE, CSCAN_LARGE, CSCAN_LARGE, CSCAN_LARGE,                                          \
      (char)(CSCAN_CARRY | CSCAN_TOO_LARGE | CSCAN_TOO_LARGE_1000 | CSCAN_SURROGATE), CSCAN_LARGE, \
      CSCAN_LARGE

#define CSCAN_CONTINUED (CSCAN_TOO_LONG | CSCAN_OVERLONG_2 | CSCAN_TWO_CONTINUATIONS)

/// By the high half of the second byte.
#define CSCAN_SECOND_HIGH                                                                          \
  CSCAN_TOO_SHORT, CSCAN_TOO_SHORT, CSCAN_TOO_SHORT, CSCAN_TOO_SHORT, CSCAN_TOO_SHORT,             \
      CSCAN_TOO_SHORT, CSCAN_TOO_SHORT, CSCAN_TOO_SHORT,                                           \
      (char)(CSCAN_CONTINUED | CSCAN_OVERLONG_3 | CSCAN_TOO_LARGE_1000 | CSCAN_OVERLONG_4),        \
      (char)(CSCAN_CONTINUED | CSCAN_OVERLONG_3 | CSCAN_TOO_LARGE),                                \
      (char)(CSCAN_CONTINUED | CSCAN_SURROGATE | CSCAN_TOO_LARGE),                                 \
      (char)(CSCAN_CONTINUED | CSCAN_SURROGATE | CSCAN_TOO_LARGE), CSCAN_TOO_SHORT,                \
      CSCAN_TOO_SHORT, CSCAN_TOO_SHORT, CSCAN_TOO_SHORT

/// By the low half of a byte: the white space with that low half, and a byte that is none elsewhere.
#define CSCAN_SPACES ' ', 100, 100, 100, 17, 100, 113, 2, 100, '\t', '\n', 112, 100, '\r', 100, 100

/// By the low half of a byte: the structure with that low half, brackets as braces.
#define CSCAN_STRUCTURE 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0

#if defined(__x86_64__)

// MARK: - AVX2

#define CSCAN_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,pclmul")))
#define CSCAN_INLINE_AVX2 __attribute__((always_inline, target("avx2,bmi,bmi2,lzcnt,popcnt,pclmul")))

/// The same sixteen bytes in both halves, as look-ups go by halves.
#define CSCAN_TABLE_AVX2(...) _mm256_setr_epi8(__VA_ARGS__, __VA_ARGS__)

typedef struct {
  __m256i low, high;
} cscan_bytes_avx2;

typedef struct {
  /// The last bytes before the block.
  __m256i previous;
  /// Not zero where a character is still to be completed.
  __m256i incomplete;
} cscan_utf8_avx2;

static inline CSCAN_INLINE_AVX2 uint64_t cscan_mask_avx2(__m256i low, __m256i high) {
  return (uint64_t)(uint32_t)_mm256_movemask_epi8(low) |
         (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

static inline CSCAN_INLINE_AVX2 uint64_t cscan_equal_avx2(cscan_bytes_avx2 bytes, char byte) {
  const __m256i wanted = _mm256_set1_epi8(byte);
  return cscan_mask_avx2(
      _mm256_cmpeq_epi8(bytes.low, wanted), _mm256_cmpeq_epi8(bytes.high, wanted));
}

static inline CSCAN_INLINE_AVX2 uint64_t cscan_prefix_xor_avx2(uint64_t bits) {
  // A product without carries with all ones adds up each bit's predecessors.
  const __m128i ones = _mm_set1_epi8((char)0xFF);
  return (uint64_t)_mm_cvtsi128_si64(
      _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)bits), ones, 0));
}

static inline CSCAN_INLINE_AVX2 cscan_block cscan_block_avx2(cscan_bytes_avx2 bytes) {
  const __m256i spaces = CSCAN_TABLE_AVX2(CSCAN_SPACES);
  const __m256i structure = CSCAN_TABLE_AVX2(CSCAN_STRUCTURE);
  const __m256i curly = _mm256_set1_epi8(0x20);
  const __m256i last_control = _mm256_set1_epi8(0x1F);
  cscan_block block;
  block.quotes = cscan_equal_avx2(bytes, '"');
  block.backslashes = cscan_equal_avx2(bytes, '\\');
  block.spaces = cscan_mask_avx2(
      _mm256_cmpeq_epi8(bytes.low, _mm256_shuffle_epi8(spaces, bytes.low)),
      _mm256_cmpeq_epi8(bytes.high, _mm256_shuffle_epi8(spaces, bytes.high)));
  block.structure = cscan_mask_avx2(
      _mm256_cmpeq_epi8(
          _mm256_or_si256(bytes.low, curly), _mm256_shuffle_epi8(structure, bytes.low)),
      _mm256_cmpeq_epi8(
          _mm256_or_si256(bytes.high, curly), _mm256_shuffle_epi8(structure, bytes.high)));
  block.controls = cscan_mask_avx2(
      _mm256_cmpeq_epi8(_mm256_max_epu8(bytes.low, last_control), last_control),
      _mm256_cmpeq_epi8(_mm256_max_epu8(bytes.high, last_control), last_control));
  block.others = cscan_mask_avx2(bytes.low, bytes.high);
  return block;
}

/// The bytes that stand `distance` places before those of `bytes`.
#define CSCAN_BEFORE_AVX2(bytes, previous, distance)                                               \
  _mm256_alignr_epi8(                                                                              \
      bytes, _mm256_permute2x128_si256(previous, bytes, 0x21), 16 - (distance))

/// Not zero where a byte is wrong after those before it.
static inline CSCAN_INLINE_AVX2 __m256i cscan_utf8_errors_avx2(__m256i bytes, __m256i previous) {
  const __m256i low_half = _mm256_set1_epi8(0x0F);
  const __m256i first_high = CSCAN_TABLE_AVX2(CSCAN_FIRST_HIGH);
  const __m256i first_low = CSCAN_TABLE_AVX2(CSCAN_FIRST_LOW);
  const __m256i second_high = CSCAN_TABLE_AVX2(CSCAN_SECOND_HIGH);
  __m256i before = CSCAN_BEFORE_AVX2(bytes, previous, 1);
  __m256i first = _mm256_shuffle_epi8(
      first_high, _mm256_and_si256(_mm256_srli_epi16(before, 4), low_half));
  __m256i second = _mm256_shuffle_epi8(first_low, _mm256_and_si256(before, low_half));
  __m256i third = _mm256_shuffle_epi8(
      second_high, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), low_half));
  __m256i special = _mm256_and_si256(_mm256_and_si256(first, second), third);
  // Two continuations are right where a character of three or four bytes began before them.
  __m256i of_three = _mm256_subs_epu8(
      CSCAN_BEFORE_AVX2(bytes, previous, 2), _mm256_set1_epi8((char)(0xE0 - 0x80)));
  __m256i of_four = _mm256_subs_epu8(
      CSCAN_BEFORE_AVX2(bytes, previous, 3), _mm256_set1_epi8((char)(0xF0 - 0x80)));
  __m256i expected =
      _mm256_and_si256(_mm256_or_si256(of_three, of_four), _mm256_set1_epi8((char)0x80));
  return _mm256_xor_si256(expected, special);
}

static inline CSCAN_INLINE_AVX2 bool cscan_utf8_is_valid_avx2(
    cscan_bytes_avx2 bytes, uint64_t others, cscan_utf8_avx2 *state) {
  if (others == 0) {
    bool is_valid = _mm256_testz_si256(state->incomplete, state->incomplete);
    state->previous = bytes.high;
    state->incomplete = _mm256_setzero_si256();
    return is_valid;
  }
  const __m256i last_bytes = _mm256_setr_epi8(
      -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
      -1, -1, -1, -1, -1, -1, (char)(0xF0 - 1), (char)(0xE0 - 1), (char)(0xC0 - 1));
  __m256i errors = _mm256_or_si256(
      cscan_utf8_errors_avx2(bytes.low, state->previous),
      cscan_utf8_errors_avx2(bytes.high, bytes.low));
  state->previous = bytes.high;
  state->incomplete = _mm256_subs_epu8(bytes.high, last_bytes);
  return _mm256_testz_si256(errors, errors);
}

/// Of a byte of bits: a bit's place, as the byte at its rank among those that are set.
#define CSCAN_PLACE(bits, place)                                                                   \
  ((uint64_t)((bits) >> (place) & 1) * (place)                                                     \
   << 8 * __builtin_popcount((bits) & ((1 << (place)) - 1)))
#define CSCAN_PLACES(bits)                                                                         \
  (CSCAN_PLACE(bits, 1) | CSCAN_PLACE(bits, 2) | CSCAN_PLACE(bits, 3) | CSCAN_PLACE(bits, 4) |     \
   CSCAN_PLACE(bits, 5) | CSCAN_PLACE(bits, 6) | CSCAN_PLACE(bits, 7))
#define CSCAN_PLACES_4(bits)                                                                       \
  CSCAN_PLACES(bits), CSCAN_PLACES((bits) + 1), CSCAN_PLACES((bits) + 2), CSCAN_PLACES((bits) + 3)
#define CSCAN_PLACES_16(bits)                                                                      \
  CSCAN_PLACES_4(bits), CSCAN_PLACES_4((bits) + 4), CSCAN_PLACES_4((bits) + 8),                    \
      CSCAN_PLACES_4((bits) + 12)
#define CSCAN_PLACES_64(bits)                                                                      \
  CSCAN_PLACES_16(bits), CSCAN_PLACES_16((bits) + 16), CSCAN_PLACES_16((bits) + 32),               \
      CSCAN_PLACES_16((bits) + 48)

/// Where the bits of a byte are, the lowest first; `0x050201` for `0b100110`.
static const uint64_t cscan_places[256] = {
    CSCAN_PLACES_64(0), CSCAN_PLACES_64(64), CSCAN_PLACES_64(128), CSCAN_PLACES_64(192)};

/// Writes the tokens of a block: of eight bytes at a time, by look-up, without a branch on how many there are.
static inline CSCAN_INLINE_AVX2 void cscan_write_tokens_avx2(
    cscan_scan_state *scan, uint64_t tokens, const uint8_t *block) {
  uint16_t *offsets = scan->window->offsets;
  uint8_t *kinds = scan->window->kinds;
  uint32_t count = scan->token_count;
  for (int start = 0; start < 64; start += 8) {
    uint8_t bits = (uint8_t)(tokens >> start);
    __m128i places = _mm_loadl_epi64((const __m128i *)&cscan_places[bits]);
    __m128i bytes = _mm_loadl_epi64((const __m128i *)(block + start));
    _mm_storel_epi64((__m128i *)(kinds + count), _mm_shuffle_epi8(bytes, places));
    _mm_storeu_si128(
        (__m128i *)(offsets + count),
        _mm_add_epi16(
            _mm_cvtepu8_epi16(places), _mm_set1_epi16((short)(scan->base + (size_t)start))));
    count += (uint32_t)_mm_popcnt_u32(bits);
  }
  scan->token_count = count;
}

/// Scans a window with AVX2.
static inline CSCAN_AVX2 void cscan_scan_avx2(
    const uint8_t *bytes, size_t count, bool replaces_surrogates, cscan_window *window) {
  cscan_scan_state scan;
  cscan_begin(&scan, bytes, count, replaces_surrogates, window);
  cscan_utf8_avx2 utf8;
  utf8.previous = _mm256_setzero_si256();
  utf8.incomplete = _mm256_setzero_si256();
  for (; scan.base < count; scan.base += 64) {
    const uint8_t *source = cscan_source(&scan);
    cscan_bytes_avx2 loaded;
    loaded.low = _mm256_loadu_si256((const __m256i *)source);
    loaded.high = _mm256_loadu_si256((const __m256i *)(source + 32));
    cscan_block block = cscan_block_avx2(loaded);
    uint64_t escaped = cscan_escaped(block.backslashes, &scan);
    block.quotes &= ~escaped;
    uint64_t tokens;
    if (!cscan_find_tokens(&scan, block, escaped, cscan_prefix_xor_avx2(block.quotes), &tokens))
      break;
    if (!cscan_utf8_is_valid_avx2(loaded, block.others, &utf8)) break;
    cscan_write_tokens_avx2(&scan, tokens, source);
  }
  cscan_end(&scan);
}

// MARK: - AVX-512

#define CSCAN_FEATURES_AVX512                                                                      \
  "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi,bmi2,lzcnt,popcnt,pclmul"
#define CSCAN_AVX512 __attribute__((target(CSCAN_FEATURES_AVX512)))
#define CSCAN_INLINE_AVX512 __attribute__((always_inline, target(CSCAN_FEATURES_AVX512)))

#define CSCAN_TABLE_AVX512(...) _mm512_broadcast_i32x4(_mm_setr_epi8(__VA_ARGS__))

typedef struct {
  __m512i previous;
  __m512i incomplete;
} cscan_utf8_avx512;

static inline CSCAN_INLINE_AVX512 cscan_block cscan_block_avx512(__m512i bytes) {
  const __m512i spaces = CSCAN_TABLE_AVX512(CSCAN_SPACES);
  const __m512i structure = CSCAN_TABLE_AVX512(CSCAN_STRUCTURE);
  cscan_block block;
  block.quotes = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('"'));
  block.backslashes = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\\'));
  block.spaces = _mm512_cmpeq_epi8_mask(bytes, _mm512_shuffle_epi8(spaces, bytes));
  block.structure = _mm512_cmpeq_epi8_mask(
      _mm512_or_si512(bytes, _mm512_set1_epi8(0x20)), _mm512_shuffle_epi8(structure, bytes));
  block.controls = _mm512_cmplt_epu8_mask(bytes, _mm512_set1_epi8(0x20));
  block.others = _mm512_movepi8_mask(bytes);
  return block;
}

/// The bytes that stand `distance` places before those of `bytes`.
#define CSCAN_BEFORE_AVX512(bytes, shifted, distance)                                              \
  _mm512_alignr_epi8(bytes, shifted, 16 - (distance))

static inline CSCAN_INLINE_AVX512 bool cscan_utf8_is_valid_avx512(
    __m512i bytes, uint64_t others, cscan_utf8_avx512 *state) {
  if (others == 0) {
    bool is_valid = _mm512_test_epi8_mask(state->incomplete, state->incomplete) == 0;
    state->previous = bytes;
    state->incomplete = _mm512_setzero_si512();
    return is_valid;
  }
  const __m512i low_half = _mm512_set1_epi8(0x0F);
  const __m512i first_high = CSCAN_TABLE_AVX512(CSCAN_FIRST_HIGH);
  const __m512i first_low = CSCAN_TABLE_AVX512(CSCAN_FIRST_LOW);
  const __m512i second_high = CSCAN_TABLE_AVX512(CSCAN_SECOND_HIGH);
  const __m512i quarters = _mm512_setr_epi64(6, 7, 8, 9, 10, 11, 12, 13);
  __m512i shifted = _mm512_permutex2var_epi64(state->previous, quarters, bytes);
  __m512i before = CSCAN_BEFORE_AVX512(bytes, shifted, 1);
  __m512i first = _mm512_shuffle_epi8(
      first_high, _mm512_and_si512(_mm512_srli_epi16(before, 4), low_half));
  __m512i second = _mm512_shuffle_epi8(first_low, _mm512_and_si512(before, low_half));
  __m512i third = _mm512_shuffle_epi8(
      second_high, _mm512_and_si512(_mm512_srli_epi16(bytes, 4), low_half));
  __m512i special = _mm512_and_si512(_mm512_and_si512(first, second), third);
  // Two continuations are right where a character of three or four bytes began before them.
  __m512i of_three = _mm512_subs_epu8(
      CSCAN_BEFORE_AVX512(bytes, shifted, 2), _mm512_set1_epi8((char)(0xE0 - 0x80)));
  __m512i of_four = _mm512_subs_epu8(
      CSCAN_BEFORE_AVX512(bytes, shifted, 3), _mm512_set1_epi8((char)(0xF0 - 0x80)));
  __m512i expected =
      _mm512_and_si512(_mm512_or_si512(of_three, of_four), _mm512_set1_epi8((char)0x80));
  __m512i errors = _mm512_xor_si512(expected, special);
  const __m512i last_bytes = _mm512_set_epi64(
      (long long)0xBFDFEFFFFFFFFFFFULL, -1, -1, -1, -1, -1, -1, -1);
  state->previous = bytes;
  state->incomplete = _mm512_subs_epu8(bytes, last_bytes);
  return _mm512_test_epi8_mask(errors, errors) == 0;
}

/// Writes the tokens of a block: offsets and bytes are moved together where the bits are set.
static inline CSCAN_INLINE_AVX512 void cscan_write_tokens_avx512(
    cscan_scan_state *scan, uint64_t tokens, __m512i bytes) {
  const __m512i indexes = _mm512_set_epi8(
      63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41,
      40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18,
      17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __m512i base = _mm512_set1_epi16((short)scan->base);
  uint16_t *offsets = scan->window->offsets + scan->token_count;
  uint32_t count = (uint32_t)_mm_popcnt_u64(tokens);
  __m512i found = _mm512_maskz_compress_epi8(tokens, indexes);
  _mm512_storeu_si512(
      scan->window->kinds + scan->token_count, _mm512_maskz_compress_epi8(tokens, bytes));
  _mm512_storeu_si512(
      offsets,
      _mm512_add_epi16(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(found)), base));
  if (count > 32)
    _mm512_storeu_si512(
        offsets + 32,
        _mm512_add_epi16(_mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(found, 1)), base));
  scan->token_count += count;
}

/// Scans a window with AVX-512.
static inline CSCAN_AVX512 void cscan_scan_avx512(
    const uint8_t *bytes, size_t count, bool replaces_surrogates, cscan_window *window) {
  cscan_scan_state scan;
  cscan_begin(&scan, bytes, count, replaces_surrogates, window);
  cscan_utf8_avx512 utf8;
  utf8.previous = _mm512_setzero_si512();
  utf8.incomplete = _mm512_setzero_si512();
  for (; scan.base < count; scan.base += 64) {
    const uint8_t *source = cscan_source(&scan);
    __m512i loaded = _mm512_loadu_si512(source);
    cscan_block block = cscan_block_avx512(loaded);
    uint64_t escaped = cscan_escaped(block.backslashes, &scan);
    block.quotes &= ~escaped;
    uint64_t tokens;
    if (!cscan_find_tokens(&scan, block, escaped, cscan_prefix_xor_avx2(block.quotes), &tokens))
      break;
    if (!cscan_utf8_is_valid_avx512(loaded, block.others, &utf8)) break;
    cscan_write_tokens_avx512(&scan, tokens, loaded);
  }
  cscan_end(&scan);
}

#elif defined(__aarch64__)

// MARK: - NEON

typedef struct {
  uint8x16_t part[4];
} cscan_bytes_neon;

typedef struct {
  uint8x16_t previous;
  uint8x16_t incomplete;
} cscan_utf8_neon;

/// One bit for each of 64 bytes that are all ones or zero.
static inline __attribute__((always_inline)) uint64_t cscan_mask_neon(
    uint8x16_t first, uint8x16_t second, uint8x16_t third, uint8x16_t fourth) {
  const uint8_t places[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t bits = vld1q_u8(places);
  uint8x16_t low = vpaddq_u8(vandq_u8(first, bits), vandq_u8(second, bits));
  uint8x16_t high = vpaddq_u8(vandq_u8(third, bits), vandq_u8(fourth, bits));
  low = vpaddq_u8(low, high);
  low = vpaddq_u8(low, low);
  return vgetq_lane_u64(vreinterpretq_u64_u8(low), 0);
}

#define CSCAN_MASK_NEON(expression)                                                                \
  ({                                                                                               \
    uint8x16_t masks[4];                                                                           \
    for (int index = 0; index < 4; index++) {                                                      \
      uint8x16_t part = bytes.part[index];                                                         \
      masks[index] = (expression);                                                                 \
    }                                                                                              \
    cscan_mask_neon(masks[0], masks[1], masks[2], masks[3]);                                       \
  })

static inline __attribute__((always_inline)) cscan_block cscan_block_neon(cscan_bytes_neon bytes) {
  const uint8_t space_bytes[16] = {CSCAN_SPACES};
  const uint8_t structure_bytes[16] = {CSCAN_STRUCTURE};
  const uint8x16_t spaces = vld1q_u8(space_bytes);
  const uint8x16_t structure = vld1q_u8(structure_bytes);
  // Unlike x86's, this look-up gives zero for an index of 16 or more, so the low half is taken out.
  const uint8x16_t low_half = vdupq_n_u8(0x0F);
  cscan_block block;
  block.quotes = CSCAN_MASK_NEON(vceqq_u8(part, vdupq_n_u8('"')));
  block.backslashes = CSCAN_MASK_NEON(vceqq_u8(part, vdupq_n_u8('\\')));
  block.spaces = CSCAN_MASK_NEON(vceqq_u8(part, vqtbl1q_u8(spaces, vandq_u8(part, low_half))));
  block.structure = CSCAN_MASK_NEON(vceqq_u8(
      vorrq_u8(part, vdupq_n_u8(0x20)), vqtbl1q_u8(structure, vandq_u8(part, low_half))));
  block.controls = CSCAN_MASK_NEON(vcltq_u8(part, vdupq_n_u8(0x20)));
  block.others = CSCAN_MASK_NEON(vcgeq_u8(part, vdupq_n_u8(0x80)));
  return block;
}

/// Not zero where a byte is wrong after those before it.
static inline __attribute__((always_inline)) uint8x16_t cscan_utf8_errors_neon(
    uint8x16_t bytes, uint8x16_t previous) {
  const char first_high[16] = {CSCAN_FIRST_HIGH};
  const char first_low[16] = {CSCAN_FIRST_LOW};
  const char second_high[16] = {CSCAN_SECOND_HIGH};
  uint8x16_t before = vextq_u8(previous, bytes, 15);
  uint8x16_t first = vqtbl1q_u8(vld1q_u8((const uint8_t *)first_high), vshrq_n_u8(before, 4));
  uint8x16_t second =
      vqtbl1q_u8(vld1q_u8((const uint8_t *)first_low), vandq_u8(before, vdupq_n_u8(0x0F)));
  uint8x16_t third = vqtbl1q_u8(vld1q_u8((const uint8_t *)second_high), vshrq_n_u8(bytes, 4));
  uint8x16_t special = vandq_u8(vandq_u8(first, second), third);
  // Two continuations are right where a character of three or four bytes began before them.
  uint8x16_t of_three = vqsubq_u8(vextq_u8(previous, bytes, 14), vdupq_n_u8(0xE0 - 0x80));
  uint8x16_t of_four = vqsubq_u8(vextq_u8(previous, bytes, 13), vdupq_n_u8(0xF0 - 0x80));
  uint8x16_t expected = vandq_u8(vorrq_u8(of_three, of_four), vdupq_n_u8(0x80));
  return veorq_u8(expected, special);
}

static inline __attribute__((always_inline)) bool cscan_utf8_is_valid_neon(
    cscan_bytes_neon bytes, uint64_t others, cscan_utf8_neon *state) {
  if (others == 0) {
    bool is_valid = vmaxvq_u8(state->incomplete) == 0;
    state->previous = bytes.part[3];
    state->incomplete = vdupq_n_u8(0);
    return is_valid;
  }
  const uint8_t last_bytes[16] = {255, 255, 255, 255, 255, 255,      255,      255,
                                  255, 255, 255, 255, 255, 0xF0 - 1, 0xE0 - 1, 0xC0 - 1};
  uint8x16_t errors = cscan_utf8_errors_neon(bytes.part[0], state->previous);
  for (int index = 1; index < 4; index++)
    errors = vorrq_u8(errors, cscan_utf8_errors_neon(bytes.part[index], bytes.part[index - 1]));
  state->previous = bytes.part[3];
  state->incomplete = vqsubq_u8(bytes.part[3], vld1q_u8(last_bytes));
  return vmaxvq_u8(errors) == 0;
}

/// Scans a window with NEON.
static inline void cscan_scan_neon(
    const uint8_t *bytes, size_t count, bool replaces_surrogates, cscan_window *window) {
  cscan_scan_state scan;
  cscan_begin(&scan, bytes, count, replaces_surrogates, window);
  cscan_utf8_neon utf8;
  utf8.previous = vdupq_n_u8(0);
  utf8.incomplete = vdupq_n_u8(0);
  for (; scan.base < count; scan.base += 64) {
    const uint8_t *source = cscan_source(&scan);
    cscan_bytes_neon loaded;
    for (int index = 0; index < 4; index++) loaded.part[index] = vld1q_u8(source + 16 * index);
    cscan_block block = cscan_block_neon(loaded);
    uint64_t escaped = cscan_escaped(block.backslashes, &scan);
    block.quotes &= ~escaped;
    uint64_t tokens;
    if (!cscan_find_tokens(&scan, block, escaped, cscan_prefix_xor_portable(block.quotes), &tokens))
      break;
    if (!cscan_utf8_is_valid_neon(loaded, block.others, &utf8)) break;
    cscan_write_tokens(&scan, tokens, source);
  }
  cscan_end(&scan);
}

#endif

// MARK: - Line feeds

static inline size_t cscan_line_feeds_portable(const uint8_t *bytes, size_t count) {
  size_t total = 0;
  size_t index = 0;
  for (; count - index >= 8; index += 8) {
    uint64_t word;
    memcpy(&word, bytes + index, 8);
    total += (size_t)__builtin_popcountll(cscan_equal(word, '\n'));
  }
  for (; index < count; index++) total += bytes[index] == '\n';
  return total;
}

#if defined(__x86_64__)

static inline CSCAN_AVX2 size_t cscan_line_feeds_avx2(const uint8_t *bytes, size_t count) {
  size_t total = 0;
  size_t index = 0;
  for (; count - index >= 64; index += 64) {
    cscan_bytes_avx2 loaded;
    loaded.low = _mm256_loadu_si256((const __m256i *)(bytes + index));
    loaded.high = _mm256_loadu_si256((const __m256i *)(bytes + index + 32));
    total += (size_t)_mm_popcnt_u64(cscan_equal_avx2(loaded, '\n'));
  }
  return total + cscan_line_feeds_portable(bytes + index, count - index);
}

#endif

// MARK: - Text that needs no second look

/// The offset at or before `end` at which a character begins, where what is before `end` is valid UTF-8 but
/// for a last character that may lack its end.
static inline size_t cscan_character_start(const uint8_t *bytes, size_t end) {
  if (end >= 1 && bytes[end - 1] >= 0xC0) return end - 1;
  if (end >= 2 && bytes[end - 2] >= 0xE0) return end - 2;
  if (end >= 3 && bytes[end - 3] >= 0xF0) return end - 3;
  return end;
}

static inline size_t cscan_plain_end_portable(const uint8_t *bytes, size_t count) {
  size_t index = 0;
  // Each word is looked at together with the byte behind it.
  for (; count - index > 8; index += 8) {
    uint64_t word;
    memcpy(&word, bytes + index, 8);
    uint64_t next;
    memcpy(&next, bytes + index + 1, 8);
    uint64_t escapes = cscan_equal(word, '\\') & cscan_equal(next, 'u');
    uint64_t others = word & 0x8080808080808080ULL;
    if ((others | escapes | cscan_equal(word, '\v') | cscan_equal(word, '\f')) != 0) break;
  }
  return index;
}

#if defined(__x86_64__)

static inline CSCAN_AVX2 size_t cscan_plain_end_avx2(const uint8_t *bytes, size_t count) {
  const __m256i backslash = _mm256_set1_epi8('\\');
  const __m256i letter = _mm256_set1_epi8('u');
  const __m256i vertical_tab = _mm256_set1_epi8('\v');
  const __m256i form_feed = _mm256_set1_epi8('\f');
  cscan_utf8_avx2 utf8;
  utf8.previous = _mm256_setzero_si256();
  utf8.incomplete = _mm256_setzero_si256();
  size_t base = 0;
  for (; count - base > 64; base += 64) {
    cscan_bytes_avx2 loaded;
    loaded.low = _mm256_loadu_si256((const __m256i *)(bytes + base));
    loaded.high = _mm256_loadu_si256((const __m256i *)(bytes + base + 32));
    __m256i low_next = _mm256_loadu_si256((const __m256i *)(bytes + base + 1));
    __m256i high_next = _mm256_loadu_si256((const __m256i *)(bytes + base + 33));
    __m256i escapes = _mm256_or_si256(
        _mm256_and_si256(
            _mm256_cmpeq_epi8(loaded.low, backslash), _mm256_cmpeq_epi8(low_next, letter)),
        _mm256_and_si256(
            _mm256_cmpeq_epi8(loaded.high, backslash), _mm256_cmpeq_epi8(high_next, letter)));
    __m256i low_spaces = _mm256_or_si256(
        _mm256_cmpeq_epi8(loaded.low, vertical_tab), _mm256_cmpeq_epi8(loaded.low, form_feed));
    __m256i high_spaces = _mm256_or_si256(
        _mm256_cmpeq_epi8(loaded.high, vertical_tab), _mm256_cmpeq_epi8(loaded.high, form_feed));
    __m256i found = _mm256_or_si256(escapes, _mm256_or_si256(low_spaces, high_spaces));
    if (!_mm256_testz_si256(found, found)) break;
    uint64_t others = cscan_mask_avx2(loaded.low, loaded.high);
    if (!cscan_utf8_is_valid_avx2(loaded, others, &utf8)) break;
  }
  return cscan_character_start(bytes, base);
}

#elif defined(__aarch64__)

static inline size_t cscan_plain_end_neon(const uint8_t *bytes, size_t count) {
  cscan_utf8_neon utf8;
  utf8.previous = vdupq_n_u8(0);
  utf8.incomplete = vdupq_n_u8(0);
  size_t base = 0;
  for (; count - base > 64; base += 64) {
    cscan_bytes_neon loaded;
    uint8x16_t found = vdupq_n_u8(0);
    uint8x16_t others = vdupq_n_u8(0);
    for (int index = 0; index < 4; index++) {
      uint8x16_t part = vld1q_u8(bytes + base + 16 * index);
      uint8x16_t next = vld1q_u8(bytes + base + 16 * index + 1);
      uint8x16_t escapes =
          vandq_u8(vceqq_u8(part, vdupq_n_u8('\\')), vceqq_u8(next, vdupq_n_u8('u')));
      uint8x16_t spaces =
          vorrq_u8(vceqq_u8(part, vdupq_n_u8('\v')), vceqq_u8(part, vdupq_n_u8('\f')));
      found = vorrq_u8(found, vorrq_u8(escapes, spaces));
      others = vorrq_u8(others, part);
      loaded.part[index] = part;
    }
    if (vmaxvq_u8(found) != 0) break;
    if (!cscan_utf8_is_valid_neon(loaded, vmaxvq_u8(others) >= 0x80, &utf8)) break;
  }
  return cscan_character_start(bytes, base);
}

#endif

// MARK: - The choice at run time

/// Whether this processor has the instructions.
static inline bool cscan_supports(cscan_instructions instructions) {
  switch (instructions) {
    case cscan_portable:
      return true;
#if defined(__x86_64__)
    case cscan_avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
             __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul");
    case cscan_avx512:
      return cscan_supports(cscan_avx2) && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
#elif defined(__aarch64__)
    case cscan_neon:
      return true;
#endif
    default:
      return false;
  }
}

/// The fastest instructions that this processor has.
static inline cscan_instructions cscan_best(void) {
  if (cscan_supports(cscan_avx512)) return cscan_avx512;
  if (cscan_supports(cscan_avx2)) return cscan_avx2;
  if (cscan_supports(cscan_neon)) return cscan_neon;
  return cscan_portable;
}

/// Scans a window: `count` bytes, at most `CSCAN_WINDOW`, that begin outside strings, numbers and words.
///
/// Where `replaces_surrogates`, half a surrogate pair is no error.
static inline void cscan_scan(
    cscan_instructions instructions, const uint8_t *bytes, size_t count, bool replaces_surrogates,
    cscan_window *window) {
  switch (instructions) {
#if defined(__x86_64__)
    case cscan_avx512:
      return cscan_scan_avx512(bytes, count, replaces_surrogates, window);
    case cscan_avx2:
      return cscan_scan_avx2(bytes, count, replaces_surrogates, window);
#elif defined(__aarch64__)
    case cscan_neon:
      return cscan_scan_neon(bytes, count, replaces_surrogates, window);
#endif
    default:
      return cscan_scan_portable(bytes, count, replaces_surrogates, window);
  }
}

/// How many line feeds there are.
static inline size_t cscan_line_feeds(
    cscan_instructions instructions, const uint8_t *bytes, size_t count) {
#if defined(__x86_64__)
  if (instructions == cscan_avx2 || instructions == cscan_avx512)
    return cscan_line_feeds_avx2(bytes, count);
#endif
  (void)instructions;
  return cscan_line_feeds_portable(bytes, count);
}

/// How far a text that begins with a character surely has nothing but whole characters of UTF-8, no vertical
/// tab, no form feed, and no backslash before a `u`.
///
/// What is there was not examined, or only in part: it may be fine as well.
static inline size_t cscan_plain_end(
    cscan_instructions instructions, const uint8_t *bytes, size_t count) {
#if defined(__x86_64__)
  if (instructions == cscan_avx2 || instructions == cscan_avx512)
    return cscan_plain_end_avx2(bytes, count);
#elif defined(__aarch64__)
  if (instructions == cscan_neon) return cscan_plain_end_neon(bytes, count);
#endif
  (void)instructions;
  return cscan_plain_end_portable(bytes, count);
}

#endif
