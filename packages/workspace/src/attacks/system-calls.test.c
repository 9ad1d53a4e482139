/*
 * The functions of the C library through which Node, libuv and libstdc++ reach files. Each one calls the interposer
 * first. Their headers are not included, because the declarations differ between C libraries.
 */
#define _GNU_SOURCE
#include "interposer.test.h"
#include <asm/unistd.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>

#define FD_CWD (-100)
#define O_WRITES 03    /* O_WRONLY | O_RDWR */
#define O_CREATES 0100 /* O_CREAT */
#define EMPTY_PATH 0x1000
#define FICLONE_REQUEST 0x40049409UL

typedef long (*function)(long, long, long, long, long, long);

static long call(function *real, const char *name, long a, long b, long c, long d, long e, long f) {
  if (*real == NULL) *real = (function)dlsym(RTLD_NEXT, name);
  if (*real != NULL) return (*real)(a, b, c, d, e, f);
  errno = ENOSYS;
  return -1;
}

#define REFUSE(error, failure)                                                                     \
  do {                                                                                             \
    int refused = (error);                                                                         \
    if (refused) {                                                                                 \
      errno = refused;                                                                             \
      return failure;                                                                              \
    }                                                                                              \
  } while (0)
#define FORWARD(type, name, ...)                                                                   \
  static function real;                                                                            \
  return (type)call(&real, #name, __VA_ARGS__)

#define PATH(type, name, traits, failure)                                                          \
  type name(const char *path, long b, long c, long d) {                                            \
    REFUSE(before_path(#name, traits, FD_CWD, path), failure);                                     \
    FORWARD(type, name, (long)path, b, c, d, 0, 0);                                                \
  }
#define TWO_PATHS(name)                                                                            \
  int name(const char *from, const char *to) {                                                     \
    REFUSE(before_two_paths(#name, CHANGES, from, to), -1);                                        \
    FORWARD(int, name, (long)from, (long)to, 0, 0, 0, 0);                                          \
  }
#define PATH_AT(name, traits)                                                                      \
  int name(int fd, const char *path, long c, long d, long e) {                                     \
    REFUSE(before_path(#name, traits, fd, path), -1);                                              \
    FORWARD(int, name, fd, (long)path, c, d, e, 0);                                                \
  }
#define DESCRIPTOR(type, name, traits)                                                             \
  type name(int fd, long b, long c, long d) {                                                      \
    REFUSE(before_descriptor(#name, traits, fd), -1);                                              \
    FORWARD(type, name, fd, b, c, d, 0, 0);                                                        \
  }

static int traits_of_open(int flags) {
  return flags & (O_WRITES | O_CREATES) ? OPENS | CHANGES : OPENS;
}

#define OPEN_MODE(flags)                                                                           \
  va_list more;                                                                                    \
  va_start(more, flags);                                                                           \
  long mode = flags & O_CREATES ? va_arg(more, int) : 0;                                           \
  va_end(more)
#define OPEN(name)                                                                                 \
  int name(const char *path, int flags, ...) {                                                     \
    OPEN_MODE(flags);                                                                              \
    REFUSE(before_path(#name, traits_of_open(flags), FD_CWD, path), -1);                           \
    FORWARD(int, name, (long)path, flags, mode, 0, 0, 0);                                          \
  }
#define OPEN_AT(name)                                                                              \
  int name(int fd, const char *path, int flags, ...) {                                             \
    OPEN_MODE(flags);                                                                              \
    REFUSE(before_path(#name, traits_of_open(flags), fd, path), -1);                               \
    FORWARD(int, name, fd, (long)path, flags, mode, 0, 0);                                         \
  }

OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)

PATH(int, stat, 0, -1)
PATH(int, stat64, 0, -1)
PATH(int, lstat, 0, -1)
PATH(int, lstat64, 0, -1)
PATH(int, access, 0, -1)
PATH(int, statfs64, 0, -1)
PATH(long, readlink, 0, -1)
PATH(char *, realpath, 0, NULL)
PATH(int, scandir64, OPENS, -1)
PATH(void *, opendir, OPENS, NULL)
PATH(int, mkdir, CHANGES, -1)
PATH(char *, mkdtemp, CHANGES, NULL)
PATH(int, rmdir, CHANGES, -1)
PATH(int, unlink, CHANGES, -1)
PATH(int, chmod, CHANGES, -1)
PATH(int, chown, CHANGES, -1)
PATH(int, lchown, CHANGES, -1)

TWO_PATHS(rename)
TWO_PATHS(link)
TWO_PATHS(symlink)

PATH_AT(fstatat, 0)
PATH_AT(fstatat64, 0)
PATH_AT(statx, 0)
PATH_AT(unlinkat, CHANGES)
PATH_AT(mkdirat, CHANGES)
PATH_AT(fchmodat, CHANGES)
PATH_AT(utimensat, CHANGES)
PATH_AT(renameat, CHANGES)
PATH_AT(renameat2, CHANGES)

DESCRIPTOR(int, fstat, SEES_NAMES)
DESCRIPTOR(int, fstat64, SEES_NAMES)
DESCRIPTOR(int, fstatfs64, 0)
DESCRIPTOR(long, read, 0)
DESCRIPTOR(long, readv, 0)
DESCRIPTOR(long, pread64, 0)
DESCRIPTOR(long, preadv64, 0)
DESCRIPTOR(int, fchmod, CHANGES)
DESCRIPTOR(int, fchown, CHANGES)
DESCRIPTOR(int, futimens, CHANGES)
DESCRIPTOR(int, ftruncate, WRITES)
DESCRIPTOR(int, ftruncate64, WRITES)
DESCRIPTOR(int, fsync, WRITES)
DESCRIPTOR(int, fdatasync, WRITES)
DESCRIPTOR(long, write, WRITES)
DESCRIPTOR(long, writev, WRITES)
DESCRIPTOR(long, pwrite64, WRITES)
DESCRIPTOR(long, pwritev64, WRITES)
DESCRIPTOR(long, sendfile64, WRITES)

/* The kernel closes a descriptor even if `close` fails. */
int close(int fd) {
  int refusal = before_descriptor("close", 0, fd);
  static function real;
  long closed = call(&real, "close", fd, 0, 0, 0, 0, 0);
  REFUSE(refusal, -1);
  return closed;
}

int ioctl(int fd, unsigned long request, long argument) {
  if (request == FICLONE_REQUEST) REFUSE(before_descriptor("ioctl", WRITES, fd), -1);
  FORWARD(int, ioctl, fd, (long)request, argument, 0, 0, 0);
}

long copy_file_range(int from, long b, int to, long d, long e, long f) {
  REFUSE(before_descriptor("copy_file_range", WRITES, to), -1);
  FORWARD(long, copy_file_range, from, b, to, d, e, f);
}

/* libuv makes some calls by number. */
long syscall(long number, long a, long b, long c, long d, long e, long f) {
  int refusal = 0;
  if (number == __NR_statx && (c & EMPTY_PATH) && *(char *)b == 0)
    refusal = before_descriptor("statx", SEES_NAMES, a);
  else if (number == __NR_statx)
    refusal = before_path("statx", 0, a, (char *)b);
  else if (number == __NR_copy_file_range)
    refusal = before_descriptor("copy_file_range", WRITES, c);
  else if (number == __NR_renameat2)
    refusal = before_path("renameat2", CHANGES, c, (char *)d);
  else if (number == __NR_getdents64)
    refusal = before_descriptor("getdents64", SEES_NAMES, a);
  REFUSE(refusal, -1);
  return raw(number, a, b, c, d, e, f);
}
