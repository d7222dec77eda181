// Holds each scanner of CScan.h against a reference that looks at one byte after the other.
//
// Compiled and run by Scripts/check-scanner, with the sanitizers and for other processors too. The arrays of
// the window come from malloc and have just the room that the header promises, so that the address sanitizer
// sees a write behind them; texts end where a page begins that must not be read.

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CScan.h"

// MARK: - The reference

/// What the scan of a text should find.
typedef struct {
  uint16_t offsets[CSCAN_WINDOW];
  uint8_t kinds[CSCAN_WINDOW];
  uint64_t backslashes[CSCAN_WINDOW / 64];
  size_t count;
  size_t scanned;
  /// Where the first byte is that is no part of plain text: of whole characters, without vertical tab, form feed
  /// and a backslash before a `u`.
  size_t plain_end;
  /// One bit for each byte before that: whether a character begins there; and one for that itself.
  uint64_t starts[CSCAN_WINDOW / 64 + 1];
} expectation;

/// The value of four hexadecimal digits; -1 where one is none, -2 where the text ends before.
static long unit(const uint8_t *text, size_t index, size_t count) {
  char digits[5] = {0, 0, 0, 0, 0};
  for (size_t place = 0; place < 4; place++) {
    if (index + place >= count) return -2;
    uint8_t byte = text[index + place];
    if (byte == 0 || strchr("0123456789abcdefABCDEF", byte) == NULL) return -1;
    digits[place] = (char)byte;
  }
  return strtol(digits, NULL, 16);
}

/// Whether the escape whose second byte is at an index is right; `is_second_half` where it is announced by
/// the first half of a surrogate pair.
static bool escape_is_right(
    const uint8_t *text, size_t index, size_t count, bool replaces_surrogates,
    bool is_second_half, bool *is_first_half) {
  *is_first_half = false;
  if (text[index] != 'u') return text[index] != 0 && strchr("\"\\/bfnrt", text[index]) != NULL;
  long value = unit(text, index + 1, count);
  if (value < 0) return value == -2;
  if (replaces_surrogates || value < 0xD800 || value > 0xDFFF) return true;
  if (value >= 0xDC00) return is_second_half;
  if (index + 5 >= count) return true;
  if (text[index + 5] != '\\') return false;
  if (index + 6 >= count) return true;
  if (text[index + 6] != 'u') return false;
  long second = unit(text, index + 7, count);
  if (second == -2) return true;
  *is_first_half = true;
  return second >= 0xDC00 && second <= 0xDFFF;
}

/// How many bytes after the first a character has, with the range of the second, which is empty where no
/// character begins with the first.
static int following(uint8_t first, uint8_t *least, uint8_t *most) {
  *least = 0x80;
  *most = 0xBF;
  if (first == 0xE0) *least = 0xA0;
  if (first == 0xED) *most = 0x9F;
  if (first == 0xF0) *least = 0x90;
  if (first == 0xF4) *most = 0x8F;
  if (first < 0xC2 || first > 0xF4) *most = 0;
  return first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
}

/// The index of the first byte at which something is wrong; SIZE_MAX where nothing is.
///
/// Of an escape, that is its second byte; of UTF-8, the byte that may not be where it is, and after a byte that
/// begins no character no byte may. Where the text ends inside a block, the rest of the block is spaces, which
/// complete no character.
static size_t reference(
    const uint8_t *text, size_t count, bool replaces_surrogates, expectation *expected) {
  bool in_string = false, in_word = false, is_escaped = false, is_second_half = false;
  size_t second_half = 0;
  int missing = 0;
  uint8_t least = 0, most = 0;
  expected->count = 0;
  memset(expected->backslashes, 0, sizeof expected->backslashes);
  for (size_t index = 0; index < count; index++) {
    uint8_t byte = text[index];
    if (byte == '\\') expected->backslashes[index / 64] |= 1ULL << (index % 64);
    if (missing > 0) {
      if (byte < least || byte > most) return index;
      missing--;
      least = 0x80;
      most = 0xBF;
    } else if (byte >= 0x80) {
      if (byte < 0xC0) return index;
      missing = following(byte, &least, &most);
    }
    if (in_string) {
      if (byte < 0x20) return index;
      if (is_escaped) {
        bool announced = is_second_half && second_half == index;
        bool is_first_half;
        if (!escape_is_right(text, index, count, replaces_surrogates, announced, &is_first_half))
          return index;
        if (is_first_half) {
          is_second_half = true;
          second_half = index + 6;
        }
        is_escaped = false;
        continue;
      }
      if (byte == '\\') is_escaped = true;
      if (byte != '"') continue;
      in_string = false;
    } else {
      bool is_space = byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
      bool is_structure = byte != 0 && strchr("{}[],:", byte) != NULL;
      bool is_quote = byte == '"';
      if (byte >= 0x80 || byte == '\\' || (byte < 0x20 && !is_space)) return index;
      bool was_in_word = in_word;
      in_word = !is_space && !is_structure && !is_quote;
      if (is_quote) in_string = true;
      if (is_space || (in_word && was_in_word)) continue;
    }
    expected->offsets[expected->count] = (uint16_t)index;
    expected->kinds[expected->count++] = byte;
  }
  return missing > 0 && count % 64 != 0 ? count : SIZE_MAX;
}

/// Finds how far a text is plain, and where its characters begin.
static void expect_plain(const uint8_t *text, size_t count, expectation *expected) {
  memset(expected->starts, 0, sizeof expected->starts);
  size_t index = 0;
  while (true) {
    expected->starts[index / 64] |= 1ULL << (index % 64);
    expected->plain_end = index;
    if (index >= count) return;
    uint8_t byte = text[index], least, most;
    if (byte == '\v' || byte == '\f') return;
    if (byte == '\\' && index + 1 < count && text[index + 1] == 'u') return;
    int missing = byte < 0x80 ? 0 : byte < 0xC0 ? 4 : following(byte, &least, &most);
    if (missing == 4 || index + (size_t)missing >= count) return;
    for (index++; missing > 0; index++, missing--) {
      if (text[index] < least || text[index] > most) return;
      least = 0x80;
      most = 0xBF;
    }
  }
}

/// Finds what a scan should find: all before the block in which something is wrong.
static void expect(
    const uint8_t *text, size_t count, bool replaces_surrogates, expectation *expected) {
  expect_plain(text, count, expected);
  size_t wrong = reference(text, count, replaces_surrogates, expected);
  expected->scanned = wrong == SIZE_MAX ? count : wrong / 64 * 64;
  while (expected->count > 0 && expected->offsets[expected->count - 1] >= expected->scanned)
    expected->count--;
}

// MARK: - Comparing

static const char *const names[] = {"portable", "neon", "avx2", "avx512"};

static cscan_window window;
static expectation expected;
/// Memory for the longest text, before a page that must not be read.
static uint8_t *page_end;
static unsigned long long comparison_count;

static void fail(const char *what, cscan_instructions instructions, const uint8_t *text, size_t count) {
  fprintf(stderr, "%s: %s, in %zu bytes:\n", names[instructions], what, count);
  for (size_t index = 0; index < count; index++) fprintf(stderr, "%02x", text[index]);
  fprintf(
      stderr, "\nscanned %u of %zu, %u tokens of %zu\n", (unsigned)window.scanned,
      expected.scanned, (unsigned)window.count, expected.count);
  exit(1);
}

/// Compares all scanners at one address.
static void compare_at(const uint8_t *text, size_t count, bool replaces_surrogates) {
  for (int number = cscan_portable; number <= cscan_avx512; number++) {
    cscan_instructions instructions = (cscan_instructions)number;
    if (!cscan_supports(instructions)) continue;
    // What an earlier scan has left must not pass for this one's.
    memset(window.offsets, 0xFF, (count + 1) * sizeof(uint16_t));
    memset(window.kinds, 0xFF, count + 1);
    cscan_scan(instructions, text, count, replaces_surrogates, &window);
    comparison_count++;
    size_t blocks = (expected.scanned + 63) / 64;
    if (window.scanned != expected.scanned)
      fail("another end", instructions, text, count);
    if (window.count != expected.count)
      fail("another number of tokens", instructions, text, count);
    if (memcmp(window.offsets, expected.offsets, expected.count * sizeof(uint16_t)) != 0)
      fail("other offsets", instructions, text, count);
    if (memcmp(window.kinds, expected.kinds, expected.count) != 0 ||
        window.kinds[expected.count] != 0)
      fail("other kinds", instructions, text, count);
    if (memcmp(window.backslashes, expected.backslashes, blocks * sizeof(uint64_t)) != 0)
      fail("other backslashes", instructions, text, count);
    size_t line_feeds = 0;
    for (size_t index = 0; index < count; index++) line_feeds += text[index] == '\n';
    if (cscan_line_feeds(instructions, text, count) != line_feeds)
      fail("another number of line feeds", instructions, text, count);
    size_t plain_end = cscan_plain_end(instructions, text, count);
    if (plain_end > expected.plain_end) fail("not plain", instructions, text, count);
    if ((expected.starts[plain_end / 64] >> plain_end % 64 & 1) == 0)
      fail("plain up to the middle of a character", instructions, text, count);
    // Of the last block no more is known than that it is the last.
    size_t last = count == 0 ? 0 : (count - 1) / 64 * 64;
    size_t blocks_end = expected.plain_end < last ? expected.plain_end / 64 * 64 : last;
    if (instructions != cscan_portable && plain_end + 3 < blocks_end)
      fail("plain, and not taken for that", instructions, text, count);
  }
}

/// Compares all scanners at the end of the page, with half surrogate pairs refused and replaced.
static void compare(const uint8_t *text, size_t count) {
  uint8_t *address = page_end - count;
  memcpy(address, text, count);
  for (int replaces = 0; replaces < 2; replaces++) {
    expect(address, count, replaces == 1, &expected);
    compare_at(address, count, replaces == 1);
  }
}

// MARK: - Texts

static uint64_t random_state = 0x9E3779B97F4A7C15ULL;

static uint32_t random_below(uint32_t end) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)((random_state >> 32) * end >> 32);
}

static const char *const pieces[] = {
    "{", "}", "[", "]", ":", ",", " ", "\n", "\r\n\t", "    ", "\"", "\"", "\"key\"", "\"\"", "12", "-0.5e+7",
    "true", "null", "\\\"", "\\\\", "\\n", "\\u00e9", "\\ud83d\\ude00", "\"\\\\\"", "\xC3\xA9", "\xE6\x9D\xB1",
    "\xF0\x9F\x98\x80", "\"\xC3\xA9\xE6\x9D\xB1\xF0\x9F\x98\x80\"", "plain text of some length",
};

/// What is wrong, at the latest with the two spaces at its end.
static const char *const faults[] = {
    "\x01", "\x1F", "\x0B", "\\x", "\\u12g4", "\\u", "\\ud83d", "\\ud83d\\n", "\\ud83dx", "\\ud83d\\u0041",
    "\\ude00", "\\ud83d\\ud83d\\ude00", "\\ude00\\ud83d", "\x80", "\xBF\xBF", "\xC0\x80", "\xC1\xBF", "\xC3",
    "\xC3\xC3\xA9", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xE6\x9D", "\xE6\x9D\x41", "\xE6", "\xF0\x8F\x80\x80",
    "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xF0\x9F\x98", "\xF0\x9F", "\xF0", "\xFF", "\xFE\x80",
    "\xC3\xA9\xA9", "\xE6\x9D\xB1\xB1", "\xF0\x9F\x98\x80\x80", "\xF8\x88\x80\x80\x80",
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/// Fills a text with pieces, and a few random bytes where `damages`.
static void fill(uint8_t *text, size_t count, bool in_string, bool damages) {
  size_t index = 0;
  if (in_string && count > 0) text[index++] = '"';
  while (index < count) {
    // Inside strings, the pieces from the first escape on.
    uint32_t first = in_string ? 18 : 0;
    const char *piece = pieces[first + random_below((uint32_t)COUNT(pieces) - first)];
    if (in_string && piece[0] == '"') continue;
    for (; *piece != 0 && index < count; piece++) text[index++] = (uint8_t)*piece;
  }
  if (damages && count > 0)
    for (uint32_t times = random_below(3); times > 0; times--)
      text[random_below((uint32_t)count)] = (uint8_t)random_below(256);
}

static uint8_t text[CSCAN_WINDOW];

static void all_lengths(void) {
  for (size_t count = 0; count <= 400; count++)
    for (int round = 0; round < 250; round++) {
      if (round % 10 == 9) {
        for (size_t index = 0; index < count; index++) text[index] = (uint8_t)random_below(256);
      } else if (round % 10 == 8) {
        for (size_t index = 0; index < count; index++)
          text[index] = (uint8_t)"\\\\\\\\\"\"{}[]:, \n1u0dD8eE"[random_below(23)];
      } else {
        fill(text, count, round % 2 == 0, round % 5 == 0);
      }
      compare(text, count);
    }
}

static void all_alignments(void) {
  for (size_t alignment = 0; alignment < 64; alignment++)
    for (size_t count = 1; count <= 400; count += 1 + random_below(12)) {
      // Of its own, so that the address sanitizer sees a read behind it.
      uint8_t *memory = malloc(alignment + count);
      if (memory == NULL) abort();
      uint8_t *start = memory + alignment;
      fill(start, count, count % 2 == 0, count % 3 == 0);
      expect(start, count, false, &expected);
      compare_at(start, count, false);
      free(memory);
    }
}

/// The longest texts: a token at each byte, none at all, and all that is between.
static void whole_windows(void) {
  const char *const bytes = "{,\"1 ";
  for (size_t count = CSCAN_WINDOW - 130; count <= CSCAN_WINDOW; count++) {
    bool is_near_end = count + 2 > CSCAN_WINDOW || count % 64 == 0;
    for (size_t number = 0; number < 5 && is_near_end; number++) {
      memset(text, bytes[number], count);
      compare(text, count);
    }
    fill(text, count, count % 2 == 0, false);
    compare(text, count);
  }
}

/// Each fault at each place, inside and outside of strings.
static void faults_everywhere(void) {
  for (size_t number = 0; number < COUNT(faults); number++)
    for (size_t place = 1; place < 132; place++)
      for (int kind = 0; kind < 3; kind++) {
        size_t length = strlen(faults[number]);
        memset(text, kind == 1 ? ' ' : 'x', place + length + 70);
        text[0] = kind == 1 ? '[' : '"';
        memcpy(text + place, faults[number], length);
        // With nothing behind, with a little, and with blocks behind.
        compare(text, place + length);
        compare(text, place + length + 2);
        if (kind == 2) text[place + length] = '"';
        compare(text, place + length + 70);
      }
}

/// All pairs of bytes of which the first is no ASCII, in a string, with what may follow them, where vectors and
/// blocks begin.
static void all_pairs_of_bytes(void) {
  const size_t places[] = {14, 15, 30, 31, 47, 61, 62, 63};
  const uint8_t thirds[] = {0x80, 0xBF, 0x41, 0xC3};
  for (unsigned pair = 0x8000; pair < 0x10000; pair++)
    for (size_t which = 0; which < COUNT(places); which++) {
      size_t place = places[which];
      memset(text, 'x', 80);
      text[0] = '"';
      text[place] = (uint8_t)(pair >> 8);
      text[place + 1] = (uint8_t)pair;
      text[place + 2] = thirds[pair % COUNT(thirds)];
      text[place + 3] = 0x80;
      compare(text, place + 5);
      compare(text, place + 4 - pair % 3);
    }
}

/// Each escape and character at each place, and cut everywhere.
static void cuts_everywhere(void) {
  const char *const rights[] = {
      "\\n", "\\\\\\\"", "\\u00e9", "\\uFFFF", "\\ud83d\\uDE00", "\\ud83d\\ude00\\ud83d\\ude00", "\\\\u12g4",
      "\\\\\\\\\\\\\\\\\\\"", "\xC3\xA9", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEF\xBF\xBF", "\xF0\x90\x80\x80",
      "\xF4\x8F\xBF\xBF",
  };
  for (size_t number = 0; number < COUNT(rights); number++)
    for (size_t place = 1; place < 132; place++) {
      size_t length = strlen(rights[number]);
      memset(text, 'x', place + length + 2);
      text[0] = '"';
      memcpy(text + place, rights[number], length);
      text[place + length] = '"';
      for (size_t count = place; count <= place + length + 2; count++) compare(text, count);
    }
  // At the end of the longest window, which no block follows.
  for (size_t number = 0; number < COUNT(rights); number++) {
    size_t length = strlen(rights[number]);
    for (size_t kept = 1; kept <= length; kept++) {
      memset(text, 'x', CSCAN_WINDOW);
      text[0] = '"';
      memcpy(text + CSCAN_WINDOW - kept, rights[number], kept);
      compare(text, CSCAN_WINDOW);
    }
  }
}

/// Backslashes in runs of all lengths, at all places.
static void runs_of_backslashes(void) {
  for (size_t length = 1; length <= 140; length++)
    for (size_t place = 1; place <= 70; place++) {
      memset(text, 'n', place + length + 4);
      text[0] = '"';
      memset(text + place, '\\', length);
      text[place + length] = '"';
      compare(text, place + length + 4);
    }
}

int main(void) {
  size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
  size_t size = (CSCAN_WINDOW + page_size - 1) / page_size * page_size;
  uint8_t *pages =
      mmap(NULL, size + page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || mprotect(pages + size, page_size, PROT_NONE) != 0) {
    perror("no page that must not be read");
    return 2;
  }
  page_end = pages + size;
  window.offsets = malloc(CSCAN_ROOM * sizeof(uint16_t));
  window.kinds = malloc(CSCAN_ROOM);
  window.backslashes = malloc(CSCAN_WINDOW / 64 * sizeof(uint64_t));
  if (window.offsets == NULL || window.kinds == NULL || window.backslashes == NULL) return 2;

  static void (*const tests[])(void) = {
      all_lengths, all_alignments, whole_windows, faults_everywhere, all_pairs_of_bytes,
      cuts_everywhere, runs_of_backslashes,
  };
  for (size_t number = 0; number < COUNT(tests); number++) tests[number]();

  printf("%llu scans as expected:", comparison_count);
  for (int number = cscan_portable; number <= cscan_avx512; number++)
    if (cscan_supports((cscan_instructions)number)) printf(" %s", names[number]);
  printf("\n");
  free(window.offsets);
  free(window.kinds);
  free(window.backslashes);
  munmap(pages, size + page_size);
  return 0;
}
