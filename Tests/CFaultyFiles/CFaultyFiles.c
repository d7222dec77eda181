// Each file is one of the machine's file system behind a header of our own, as usual for a shim. For a loss of
// power, what a call overwrites is kept, in the order of the calls; a sync of a file forgets what was kept of it.
// A sync itself does nothing: no machine loses power while a test runs, and syncs are slow.
//
// Memory that is mapped is the index of the write-ahead log only, which SQLite makes anew after a crash.
//
// An import has two connections, each on a thread of its own: calls are counted atomically, and what is kept has a lock.

#include "CFaultyFiles.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// What a part of a file was before it was overwritten.
struct undo {
  struct undo *next;  // the one before
  char *path;
  sqlite3_int64 offset;
  sqlite3_int64 size;  // of the whole file
  int is_deletion;
  size_t count;
  char *bytes;
};

struct faulty_files {
  sqlite3_vfs vfs;
  sqlite3_vfs *base;
  enum faulty_files_mode mode;
  long call;
  _Atomic long count;
  _Atomic long open_count;
  pthread_mutex_t lock;  // of the undos
  struct undo *undos;
};

struct file {
  sqlite3_file header;
  struct faulty_files *files;
  char *path;
  int syncs_folder;    // the first sync of a new journal is one of its folder too, as on the machine
  sqlite3_file *base;  // behind this structure
};

static struct file *file_of(sqlite3_file *f) { return (struct file *)f; }

static void *allocate(size_t count) {
  void *memory = malloc(count ? count : 1);
  if (!memory) abort();
  return memory;
}

static char *copy(const char *text) {
  size_t count = strlen(text) + 1;
  return memcpy(allocate(count), text, count);
}

/// Whether a call must fail that writes or reads.
static int fails(struct faulty_files *files, int is_read) {
  int is_over = files->count >= files->call;
  switch (files->mode) {
    case FAULTY_FILES_READ_ONLY:
    case FAULTY_FILES_READ_ONLY_FOLDER: return 0;
    case FAULTY_FILES_READ_ONCE: return is_read && ++files->count == files->call;
    case FAULTY_FILES_ONCE: return !is_read && ++files->count == files->call;
    case FAULTY_FILES_FROM:
    case FAULTY_FILES_POWER_LOSS:
      if (is_read) return is_over;
      return ++files->count >= files->call;
  }
  return 0;
}

// Undoing.

static void push(struct faulty_files *files, struct undo *undo) {
  pthread_mutex_lock(&files->lock);
  undo->next = files->undos;
  files->undos = undo;
  pthread_mutex_unlock(&files->lock);
}

static void keep(
    struct faulty_files *files, const char *path, sqlite3_file *f, sqlite3_int64 offset, sqlite3_int64 count) {
  if (files->mode != FAULTY_FILES_POWER_LOSS) return;
  sqlite3_int64 size = 0;
  f->pMethods->xFileSize(f, &size);
  if (count > size - offset) count = size - offset;
  if (count < 0) count = 0;
  struct undo *undo = allocate(sizeof *undo);
  undo->path = copy(path);
  undo->offset = offset;
  undo->size = size;
  undo->is_deletion = 0;
  undo->count = (size_t)count;
  undo->bytes = allocate((size_t)count);
  if (count > 0) f->pMethods->xRead(f, undo->bytes, (int)count, offset);
  push(files, undo);
}

/// Keeps a whole file that is deleted.
static void keep_deleted(struct faulty_files *files, const char *path) {
  if (files->mode != FAULTY_FILES_POWER_LOSS) return;
  int descriptor = open(path, O_RDONLY);
  if (descriptor < 0) return;
  struct undo *undo = allocate(sizeof *undo);
  undo->path = copy(path);
  undo->offset = 0;
  undo->size = lseek(descriptor, 0, SEEK_END);
  undo->is_deletion = 1;
  undo->count = (size_t)undo->size;
  undo->bytes = allocate(undo->count);
  if (pread(descriptor, undo->bytes, undo->count, 0) != (ssize_t)undo->count) abort();
  close(descriptor);
  push(files, undo);
}

static void release(struct undo *undo) {
  free(undo->path);
  free(undo->bytes);
  free(undo);
}

/// Forgets what was kept of a file, or of all where the path is null.
static void forget(struct faulty_files *files, const char *path, int is_folder_synced) {
  pthread_mutex_lock(&files->lock);
  struct undo **place = &files->undos;
  while (*place) {
    struct undo *undo = *place;
    if (path && strcmp(undo->path, path) != 0 && !(is_folder_synced && undo->is_deletion)) {
      place = &undo->next;
      continue;
    }
    *place = undo->next;
    release(undo);
  }
  pthread_mutex_unlock(&files->lock);
}

static void take_back(const struct undo *undo) {
  int descriptor = open(undo->path, O_RDWR | O_CREAT, 0644);
  if (descriptor < 0) abort();
  if (pwrite(descriptor, undo->bytes, undo->count, undo->offset) != (ssize_t)undo->count) abort();
  if (ftruncate(descriptor, undo->size) != 0) abort();
  close(descriptor);
}

// The methods of a file.

static int close_file(sqlite3_file *f) {
  struct file *file = file_of(f);
  int code = file->base->pMethods->xClose(file->base);
  file->files->open_count--;
  free(file->path);
  return code;
}

static int read_file(sqlite3_file *f, void *bytes, int count, sqlite3_int64 offset) {
  struct file *file = file_of(f);
  if (fails(file->files, 1)) return SQLITE_IOERR_READ;
  return file->base->pMethods->xRead(file->base, bytes, count, offset);
}

static int write_file(sqlite3_file *f, const void *bytes, int count, sqlite3_int64 offset) {
  struct file *file = file_of(f);
  // A disk is full now and then, and works again after something was removed.
  if (fails(file->files, 0)) return file->files->call % 2 ? SQLITE_FULL : SQLITE_IOERR_WRITE;
  keep(file->files, file->path, file->base, offset, count);
  return file->base->pMethods->xWrite(file->base, bytes, count, offset);
}

static int truncate_file(sqlite3_file *f, sqlite3_int64 size) {
  struct file *file = file_of(f);
  if (fails(file->files, 0)) return SQLITE_IOERR_TRUNCATE;
  sqlite3_int64 present = 0;
  file->base->pMethods->xFileSize(file->base, &present);
  keep(file->files, file->path, file->base, size, present - size);
  return file->base->pMethods->xTruncate(file->base, size);
}

static int sync_file(sqlite3_file *f, int flags) {
  (void)flags;
  struct file *file = file_of(f);
  if (fails(file->files, 0)) return SQLITE_IOERR_FSYNC;
  forget(file->files, file->path, file->syncs_folder);
  file->syncs_folder = 0;
  return SQLITE_OK;
}

static int file_size(sqlite3_file *f, sqlite3_int64 *size) {
  sqlite3_file *base = file_of(f)->base;
  return base->pMethods->xFileSize(base, size);
}

static int lock_file(sqlite3_file *f, int lock) {
  sqlite3_file *base = file_of(f)->base;
  return base->pMethods->xLock(base, lock);
}

static int unlock_file(sqlite3_file *f, int lock) {
  sqlite3_file *base = file_of(f)->base;
  return base->pMethods->xUnlock(base, lock);
}

static int check_lock(sqlite3_file *f, int *result) {
  sqlite3_file *base = file_of(f)->base;
  return base->pMethods->xCheckReservedLock(base, result);
}

static int control_file(sqlite3_file *f, int operation, void *argument) {
  sqlite3_file *base = file_of(f)->base;
  return base->pMethods->xFileControl(base, operation, argument);
}

static int sector_size(sqlite3_file *f) {
  sqlite3_file *base = file_of(f)->base;
  return base->pMethods->xSectorSize(base);
}

static int characteristics(sqlite3_file *f) {
  sqlite3_file *base = file_of(f)->base;
  return base->pMethods->xDeviceCharacteristics(base);
}

static int shm_map(sqlite3_file *f, int page, int size, int extends, void volatile **memory) {
  sqlite3_file *base = file_of(f)->base;
  return base->pMethods->xShmMap(base, page, size, extends, memory);
}

static int shm_lock(sqlite3_file *f, int offset, int count, int flags) {
  sqlite3_file *base = file_of(f)->base;
  return base->pMethods->xShmLock(base, offset, count, flags);
}

static void shm_barrier(sqlite3_file *f) {
  sqlite3_file *base = file_of(f)->base;
  base->pMethods->xShmBarrier(base);
}

static int shm_unmap(sqlite3_file *f, int deletes) {
  sqlite3_file *base = file_of(f)->base;
  return base->pMethods->xShmUnmap(base, deletes);
}

// Version 2 maps no parts of the database itself into memory, where no call would be seen.
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = file_size,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_lock,
    .xFileControl = control_file,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
    .xShmMap = shm_map,
    .xShmLock = shm_lock,
    .xShmBarrier = shm_barrier,
    .xShmUnmap = shm_unmap,
};

// The methods of the file system.

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out) {
  struct faulty_files *files = vfs->pAppData;
  struct file *file = file_of(f);
  memset(file, 0, sizeof *file);
  if (fails(files, 0)) return SQLITE_CANTOPEN;
  int is_main = (flags & SQLITE_OPEN_MAIN_DB) != 0;
  if (!is_main && files->mode == FAULTY_FILES_READ_ONLY_FOLDER) return SQLITE_CANTOPEN;
  if (is_main && (files->mode == FAULTY_FILES_READ_ONLY || files->mode == FAULTY_FILES_READ_ONLY_FOLDER)) {
    flags = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
  }
  sqlite3_file *base = (sqlite3_file *)(file + 1);
  int code = files->base->xOpen(files->base, name, base, flags, out);
  if (code != SQLITE_OK) {
    if (base->pMethods) base->pMethods->xClose(base);
    return code;
  }
  file->files = files;
  file->path = copy(name ? name : "");
  file->syncs_folder =
      (flags & SQLITE_OPEN_CREATE) && (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL));
  file->base = base;
  file->header.pMethods = &methods;
  files->open_count++;
  return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int syncs) {
  struct faulty_files *files = vfs->pAppData;
  if (fails(files, 0)) return SQLITE_IOERR_DELETE;
  if (syncs) {
    forget(files, name, 1);
  } else {
    keep_deleted(files, name);
  }
  return files->base->xDelete(files->base, name, syncs);
}

static int access_file(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  struct faulty_files *files = vfs->pAppData;
  return files->base->xAccess(files->base, name, flags, result);
}

static int full_path(sqlite3_vfs *vfs, const char *name, int count, char *out) {
  struct faulty_files *files = vfs->pAppData;
  return files->base->xFullPathname(files->base, name, count, out);
}

struct faulty_files *faulty_files_make(const char *name, enum faulty_files_mode mode, long call) {
  sqlite3_initialize();
  struct faulty_files *files = allocate(sizeof *files);
  memset(files, 0, sizeof *files);
  files->base = sqlite3_vfs_find(NULL);
  files->mode = mode;
  files->call = call;
  pthread_mutex_init(&files->lock, NULL);
  // What is not replaced here, such as the clock, works without the file system of the machine.
  files->vfs = *files->base;
  files->vfs.pNext = NULL;
  files->vfs.zName = copy(name);
  files->vfs.pAppData = files;
  files->vfs.szOsFile = (int)sizeof(struct file) + files->base->szOsFile;
  files->vfs.xOpen = open_file;
  files->vfs.xDelete = delete_file;
  files->vfs.xAccess = access_file;
  files->vfs.xFullPathname = full_path;
  if (sqlite3_vfs_register(&files->vfs, 0) != SQLITE_OK) abort();
  return files;
}

long faulty_files_count(const struct faulty_files *files) { return files->count; }

long faulty_files_open_count(const struct faulty_files *files) { return files->open_count; }

void faulty_files_end(struct faulty_files *files) {
  sqlite3_vfs_unregister(&files->vfs);
  if (files->mode == FAULTY_FILES_POWER_LOSS && files->count >= files->call) {
    for (const struct undo *undo = files->undos; undo; undo = undo->next) take_back(undo);
  }
  forget(files, NULL, 0);
  pthread_mutex_destroy(&files->lock);
  free((char *)files->vfs.zName);
  free(files);
}
