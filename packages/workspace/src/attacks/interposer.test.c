/*
 * Decides what happens before a system call: nothing, a swap, an error or the end of the process.
 *
 * Loaded with LD_PRELOAD. The tests control it through a file that both sides map (see interposer.test.h).
 * Only calls on files below `place` count, and only while a mode is set.
 */
#define _GNU_SOURCE
#include "interposer.test.h"
#include <dlfcn.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct control *control;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long (*real_syscall)(long, ...);
/* The parent directory of each target. It stays open from the first call on, because an attacker can hold such descriptors. */
static int held[MAX_MOVES];
static uint32_t held_for;

long raw(long number, long a, long b, long c, long d, long e, long f) {
  return real_syscall(number, a, b, c, d, e, f);
}

__attribute__((constructor)) static void start(void) {
  real_syscall = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  const char *path = getenv("WINK_INTERPOSER_CONTROL");
  if (path == NULL) return;
  int fd = raw(SYS_openat, AT_FDCWD, (long)path, O_RDWR | O_CLOEXEC, 0, 0, 0);
  if (fd < 0) return;
  void *shared = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  raw(SYS_close, fd, 0, 0, 0, 0, 0);
  if (shared != MAP_FAILED) control = shared;
}

static int is_inside(const char *path) {
  size_t length = strlen(control->place);
  return strncmp(path, control->place, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/*
 * Returns 0 for a path outside of the place, 1 for one that no attacker can change, and 2 for one in a directory that an
 * attacker shares.
 */
static int kind_of(const char *path) {
  static const char *private_names[] = {"store", "state", "tmp"};
  if (!is_inside(path)) return 0;
  const char *name = path + strlen(control->place);
  for (int each = 0; each < 3; each++) {
    size_t length = strlen(private_names[each]);
    if (*name == '/' && strncmp(name + 1, private_names[each], length) == 0 &&
        (name[length + 1] == '/' || name[length + 1] == 0))
      return 1;
  }
  return 2;
}

static int kind_of_descriptor(int fd) {
  char name[64], path[4096];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  long length = raw(SYS_readlinkat, AT_FDCWD, (long)name, (long)path, sizeof path - 1, 0, 0);
  if (length < 0) return 0;
  path[length] = 0;
  return kind_of(path);
}

static int kind_of_path(int at_fd, const char *path) {
  if (path == NULL || path[0] != '/') return at_fd >= 0 ? kind_of_descriptor(at_fd) : 0;
  int skipped = 0, fd = -1;
  if (sscanf(path, "/proc/self/fd/%d", &fd) == 1) return kind_of_descriptor(fd);
  if (sscanf(path, "/proc/%d/fd/%d", &skipped, &fd) == 2) return kind_of_descriptor(fd);
  return kind_of(path);
}

static int exchange(int from_fd, const char *from, const char *to, unsigned flags) {
  return raw(SYS_renameat2, from_fd, (long)from, AT_FDCWD, (long)to, flags, 0);
}

/* Splits a path into its parent and its last segment. */
static const char *leaf_of(const char *path, char *parent) {
  const char *leaf = strrchr(path, '/') + 1;
  memcpy(parent, path, leaf - path - 1);
  parent[leaf - path - 1] = 0;
  return leaf;
}

/* The path of a target. A last segment that ends in `*` means the first entry with that prefix. */
static int find_target(const char *pattern, char *found) {
  char parent[PATH_BYTES];
  size_t length = strlen(pattern);
  if (pattern[length - 1] != '*') return strcpy(found, pattern) != NULL;
  const char *prefix = leaf_of(pattern, parent);
  size_t prefix_length = strlen(prefix) - 1;
  int fd = raw(SYS_openat, AT_FDCWD, (long)parent, O_RDONLY | O_DIRECTORY, 0, 0, 0);
  if (fd < 0) return 0;
  char buffer[8192];
  long read, is_found = 0;
  while (!is_found && (read = raw(SYS_getdents64, fd, (long)buffer, sizeof buffer, 0, 0, 0)) > 0)
    for (long at = 0; at < read && !is_found;) {
      struct dirent64 *entry = (struct dirent64 *)(buffer + at);
      is_found = strncmp(entry->d_name, prefix, prefix_length) == 0;
      if (is_found) snprintf(found, PATH_BYTES * 2, "%s/%s", parent, entry->d_name);
      at += entry->d_reclen;
    }
  raw(SYS_close, fd, 0, 0, 0, 0, 0);
  return is_found;
}

/* A bait of "" removes the target from the workspace. Otherwise the two are swapped, even if the target was moved. */
static void swap(int number) {
  struct move *move = &control->moves[number];
  char target[PATH_BYTES * 2], parent[PATH_BYTES], removed[PATH_BYTES + 32];
  if (!find_target(move->target, target)) return;
  const char *leaf = leaf_of(move->target, parent);
  if (move->bait[0] == 0) {
    snprintf(removed, sizeof removed, "%s/bait/removed-%d", control->place, number);
    if (exchange(AT_FDCWD, target, removed, 0) != 0) exchange(held[number], leaf, removed, 0);
    return;
  }
  if (exchange(AT_FDCWD, target, move->bait, RENAME_EXCHANGE) == 0) return;
  if (exchange(held[number], leaf, move->bait, RENAME_EXCHANGE) == 0) return;
  exchange(AT_FDCWD, move->bait, target, RENAME_NOREPLACE);
}

static void hold_parents(void) {
  char parent[PATH_BYTES];
  for (uint32_t number = 0; number < MAX_MOVES; number++) {
    if (held_for != 0 && held[number] >= 0) raw(SYS_close, held[number], 0, 0, 0, 0, 0);
    held[number] = -1;
    if (number >= control->move_count) continue;
    leaf_of(control->moves[number].target, parent);
    int fd = raw(SYS_openat, AT_FDCWD, (long)parent, O_PATH | O_DIRECTORY | O_CLOEXEC, 0, 0, 0);
    if (fd < 0) continue;
    /* A high number, so that the descriptor numbers of the operation do not change. */
    held[number] = raw(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 600, 0, 0, 0);
    raw(SYS_close, fd, 0, 0, 0, 0, 0);
  }
  held_for = control->arming;
}

static int decide(const char *name, int traits) {
  if (control->traits != 0 && (control->traits & traits) == 0) return 0;
  if (held_for != control->arming) hold_parents();
  uint32_t number = ++control->counter;
  if (control->limit != 0 && number > control->limit) {
    control->endless = 1;
    raw(SYS_exit_group, 97, 0, 0, 0, 0, 0);
  }
  if (control->mode == COUNT || number < control->at) return 0;
  int is_over = control->until != 0 && number >= control->until;
  if (control->mode == SWAP ? number == control->at || number == control->until : !is_over) {
    if (control->fired++ == 0) snprintf(control->hit, sizeof control->hit, "%s", name);
    if (control->mode == KILL) raw(SYS_kill, getpid(), SIGKILL, 0, 0, 0, 0);
    if (control->mode == FAIL) return control->error;
    for (uint32_t each = 0; each < control->move_count; each++) swap(each);
  }
  return 0;
}

static int is_idle(void) {
  return control == NULL || __atomic_load_n(&control->mode, __ATOMIC_ACQUIRE) == IDLE;
}

/*
 * A swap changes names only. So a swap before a call that sees no names in a shared directory has the same effect as
 * a swap before the next call that does, and only those count as moments.
 */
static int before(const char *name, int traits, int kind) {
  if (kind == 0) return 0;
  if (kind == 2 && (traits & (BY_NAME | SEES_NAMES))) traits |= MOMENT;
  int error = 0;
  pthread_mutex_lock(&lock);
  if (control->mode != IDLE) error = decide(name, traits);
  pthread_mutex_unlock(&lock);
  return error;
}

int before_path(const char *name, int traits, int at_fd, const char *path) {
  if (is_idle()) return 0;
  int saved = errno, error = before(name, traits | BY_NAME, kind_of_path(at_fd, path));
  errno = saved;
  return error;
}

/* Only a call with its second path inside counts. It is a moment if one of the paths is shared. */
int before_two_paths(const char *name, int traits, const char *from, const char *to) {
  if (is_idle()) return 0;
  int saved = errno, kind = kind_of_path(AT_FDCWD, to);
  if (kind == 1 && kind_of_path(AT_FDCWD, from) == 2) kind = 2;
  int error = before(name, traits | BY_NAME, kind);
  errno = saved;
  return error;
}

int before_descriptor(const char *name, int traits, int fd) {
  if (is_idle()) return 0;
  int saved = errno, error = before(name, traits, kind_of_descriptor(fd));
  errno = saved;
  return error;
}
