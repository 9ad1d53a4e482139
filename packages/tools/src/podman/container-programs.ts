/*
 * The programs that run in a container, for any POSIX shell. They use builtins, sleep, setsid, cat, cp and chmod.
 *
 * PID 1 and the guard run as `GUARD_USER`. Commands and their wrapper shell run as the configured user, which is
 * never root. So no command can signal the guard or PID 1, change their limits or open their memory.
 */

export const SHELL = "/bin/sh";

/** Fixed, because an image's `PATH` could include the workspace, where a command can put its own programs. */
const TRUSTED_PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Root with the capability to kill and no other. */
export const GUARD_USER = "0:0";

/** A tmpfs that only the guard can write to. */
export const GUARD_DIRECTORY = "/run/wink";

/**
 * A copy of the shell that commands can execute but not read. The kernel makes a process that runs such a file
 * undumpable, so another process of the same user can read neither its memory nor its environment.
 */
export const CLOSED_SHELL: string = `${GUARD_DIRECTORY}/sh`;

/** The variable that passes the marks to the wrapper shell. */
export const MARKS_VARIABLE = "WINK_MARKS";

/**
 * PID 1: exits after the given number of seconds and reaps orphans until then.
 *
 * A plain `sleep` would not reap zombies, and they would use up the process limit. The clock is read without starting
 * a process. `kill -9 -1` in the container ends the `sleep` but not this loop.
 */
export const INIT = `
${TRUSTED_PATH}
read -r now rest </proc/uptime
end=$(( \${now%%.*} + $1 ))
while read -r now rest </proc/uptime; left=$(( end - \${now%%.*} )); [ "$left" -gt 0 ]; do
  sleep "$left" & wait
done`.trim();

/**
 * Creates the closed shell. Then it kills every process of the commands each time it reads a line.
 *
 * It answers with the number of processes that are still alive after the last try; 0 means that nothing can write to
 * the workspace. `kill -9 -1` spares only the caller and PID 1. It is atomic in the kernel, so no process can evade it
 * by forking. A process in a system call dies a little later, so the guard checks again until each process has
 * disappeared or is a zombie without other threads. The loop starts no process, so it also works when the process
 * limit is reached.
 */
export const GUARD = `
${TRUSTED_PATH}
command -v sleep >/dev/null || exit 1
cp ${SHELL} ${CLOSED_SHELL} && chmod 0111 ${CLOSED_SHELL} || exit 1
echo ready
while read -r request; do
  tries=0 left=1
  while [ "$left" -gt 0 ] && [ "$tries" -lt 1000 ]; do
    kill -9 -1 2>/dev/null
    tries=$((tries + 1)) left=0
    for status in /proc/[0-9]*/status; do
      uid= state= threads=
      while read -r name value rest; do
        case $name in State:) state=$value;; Uid:) uid=$value;; Threads:) threads=$value;; esac
      done 2>/dev/null <"$status"
      case $uid:$state:$threads in
        0:*|*:[ZX]:[01]) ;;
        :*) [ ! -e "$status" ] || left=$((left + 1));;
        *) left=$((left + 1));;
      esac
    done 2>/dev/null
  done
  echo "left $left"
done`.trim();

/**
 * Runs every command. It writes random marks to stderr when the command begins and when it ends, with its exit code,
 * and exits with the same code. So the command's exit code is never confused with the engine's.
 *
 * - The marks are passed in a variable, because any process can read another process's arguments.
 * - The two marks differ, because a command can read the first one back from the pipe.
 * - Remaining processes are killed before the end mark is written, so that none can read or replace it. Only the
 *   guard's later kill is reliable.
 * - The command's variables are set for the command only: a `PATH` or `LD_PRELOAD` would make this shell run other code.
 * - Unread input is read to its end, because a client whose stdin pipe breaks may drop the output.
 */
export const WRAPPER = `
began=\${${MARKS_VARIABLE}%% *} ended=\${${MARKS_VARIABLE}#* }
unset ${MARKS_VARIABLE}
directory=$1 keep=$2 input=$3
shift 3
run() {
  while [ "$1" != -- ]; do export "$1"; shift; done
  shift
  exec setsid "$@"
}
printf '%s' "$began" >&2
if cd -- "$directory" 2>/dev/null; then (run "$@"); code=$?; else code=cwd; fi
[ "$keep" = keep ] || kill -9 -1 2>/dev/null
printf '%s%s' "$ended" "$code" >&2
[ "$input" = none ] || cat >/dev/null
[ "$code" = cwd ] || exit "$code"`.trim();

/** Checks the container from inside. Prints one line per check. */
export const PROBE = `
while read -r name value rest; do
  case $name in
    CapInh:|CapPrm:|CapEff:|CapAmb:) echo "capabilities $value";;
    CapBnd:) echo "bounding-set $value";;
    NoNewPrivs:) echo "no-new-privileges $value";;
    Uid:) echo "uid $value";;
    Seccomp:) echo "seccomp $value";;
  esac
done </proc/self/status
for file in /proc/1/mem /proc/$$/mem /proc/$$/environ; do
  if [ -r "$file" ] || [ -w "$file" ]; then echo "memory open"; else echo "memory closed"; fi
done
while read -r device rest; do
  case $device in *:*) echo "network \${device%%:*}";; esac
done </proc/net/dev
root=unknown
while read -r device target type options rest; do
  [ "$target" = / ] && case ",$options," in *,ro,*) root=read-only;; *) root=writable;; esac
done </proc/mounts
echo "root $root"
if [ -w "$1" ] && [ -e "$1/$2" ]; then echo "workspace shared"; else echo "workspace foreign"; fi
for name in setsid cat; do command -v "$name" >/dev/null 2>&1 || echo "missing $name"; done
for name in python3 git; do command -v "$name" >/dev/null 2>&1 && echo "has $name"; done
for file in /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max; do
  [ -r "$file" ] && read -r value rest <"$file" && echo "memory-limit $value"
done
for file in /sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/pids.max; do
  [ -r "$file" ] && read -r value rest <"$file" && echo "pids-limit $value"
done
for file in /sys/fs/cgroup/cpu/cpu.cfs_quota_us /sys/fs/cgroup/cpu.max; do
  [ -r "$file" ] && read -r value rest <"$file" && echo "cpu-limit $value"
done
echo done`.trim();
