// A virtual file system of SQLite for tests, over the one of the machine: it fails at a chosen call, or loses what
// was not synced, as a machine does that loses power.
#ifndef CFAULTYFILES_H
#define CFAULTYFILES_H

#include <stddef.h>

/// What a file system does wrong.
enum faulty_files_mode {
  /// One call fails, and those after it work.
  FAULTY_FILES_ONCE,
  /// All calls from one on fail.
  FAULTY_FILES_FROM,
  /// All calls from one on fail, and what was written after the last sync of each file is lost.
  FAULTY_FILES_POWER_LOSS,
  /// One call that reads fails; those that write work, and are not counted.
  FAULTY_FILES_READ_ONCE,
  /// No call fails, but the database cannot be written.
  FAULTY_FILES_READ_ONLY,
  /// The same, and no other file can be opened or made.
  FAULTY_FILES_READ_ONLY_FOLDER
};

struct faulty_files;

/// Makes a file system. Calls that write, sync, truncate, open and delete are counted from 1.
///
/// - Parameters:
///   - name: How connections name it; it is copied.
///   - call: The number of the call that fails first.
struct faulty_files *_Nonnull faulty_files_make(
    const char *_Nonnull name, enum faulty_files_mode mode, long call);

/// How many calls there were.
long faulty_files_count(const struct faulty_files *_Nonnull files);

/// How many files are open.
long faulty_files_open_count(const struct faulty_files *_Nonnull files);

/// Takes back what a loss of power takes, if it has come to one, and frees the file system. All files must be closed.
void faulty_files_end(struct faulty_files *_Nonnull files);

#endif
