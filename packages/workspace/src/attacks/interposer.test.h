/* The control file that the tests and the interposer share. interposer.test.support.ts writes the same layout. */
#ifndef WINK_INTERPOSER_H
#define WINK_INTERPOSER_H

#include <stdint.h>

enum mode { IDLE, COUNT, SWAP, FAIL, KILL };
/* What a call does. An error code is only injected into calls that can return it. */
enum trait { OPENS = 1, BY_NAME = 2, CHANGES = 4, WRITES = 8, SEES_NAMES = 16, MOMENT = 32 };

#define MAX_MOVES 6
#define PATH_BYTES 512

struct move {
  char target[PATH_BYTES];
  char bait[PATH_BYTES];
};

struct control {
  uint32_t mode;
  uint32_t at;      /* The number of the first call that is hit, from 1. */
  uint32_t until;   /* The number of the first call that is not hit any more, or before which the swap is reversed. 0: never. */
  uint32_t error;   /* FAIL: the errno. */
  uint32_t traits;  /* Only calls with one of these traits are counted. 0: all calls. */
  uint32_t limit;   /* An operation that makes more calls than this counts as endless, and the process exits. */
  uint32_t counter;
  uint32_t fired;   /* How many calls were hit. */
  uint32_t endless;
  uint32_t move_count;
  uint32_t arming;  /* Changes each time the tests arm the library. */
  char hit[32];     /* The name of the first call that was hit. */
  char place[PATH_BYTES];
  struct move moves[MAX_MOVES];
};

/* Called before each system call on a file. Returns the errno to fail with, or 0 to proceed. */
int before_path(const char *name, int traits, int at_fd, const char *path);
int before_two_paths(const char *name, int traits, const char *from, const char *to);
int before_descriptor(const char *name, int traits, int fd);
long raw(long number, long a, long b, long c, long d, long e, long f);

#endif
