/* What runs in a container, in the words of every POSIX shell. Nothing but builtins, sleep and setsid. */

/**
 * PID 1: ends after as many seconds as it is told, whoever watches, and buries orphans meanwhile.
 *
 * A mere `sleep` would leave zombies until no process can be started. The clock is read without a
 * process of its own, and `kill -9 -1` in the container ends the `sleep` but not this loop.
 */
export const INIT = `
read -r now rest </proc/uptime
end=$(( \${now%%.*} + $1 ))
while read -r now rest </proc/uptime; left=$(( end - \${now%%.*} )); [ "$left" -gt 0 ]; do
  sleep "$left" & wait
done`.trim();

/**
 * Around every command: says on standard error, between marks that nobody could know before, that it
 * began and how it ended. So the command's exit code is never taken for the engine's.
 *
 * `kill -9 -1` spares only the one who calls it and PID 1, and the kernel does it in one step, so
 * that nothing can fork its way around it. The command's variables are for the command alone: a `PATH`
 * or an `LD_PRELOAD` would put another program in the place of this one. An input that the command did
 * not read is read to its end: a client whose input breaks off may forget to hand over the output.
 */
export const WRAPPER = `
mark=$1 directory=$2 keep=$3 input=$4
shift 4
run() {
  while [ "$1" != -- ]; do export "$1"; shift; done
  shift
  exec setsid "$@"
}
printf '%s<' "$mark" >&2
if cd -- "$directory" 2>/dev/null; then (run "$@"); code=$?; else code=cwd; fi
[ "$keep" = keep ] || kill -9 -1 2>/dev/null
printf '%s>%s' "$mark" "$code" >&2
[ "$input" = none ] || cat >/dev/null`.trim();

/** Ends everything but PID 1, and says what is left: itself, PID 1 and perhaps its `sleep`. */
export const KILL_ALL = `
kill -9 -1 2>/dev/null
set -- /proc/[0-9]*
echo "left $#"`.trim();

/** Looks at the container from inside. One line for each thing looked at. */
export const PROBE = `
while read -r name value rest; do
  case $name in
    CapInh:|CapPrm:|CapEff:|CapBnd:|CapAmb:) echo "capabilities $value";;
    NoNewPrivs:) echo "no-new-privileges $value";;
    Uid:) echo "uid $value";;
    Seccomp:) echo "seccomp $value";;
  esac
done </proc/self/status
while read -r device rest; do
  case $device in *:*) echo "network \${device%%:*}";; esac
done </proc/net/dev
root=unknown
while read -r device target type options rest; do
  [ "$target" = / ] && case ",$options," in *,ro,*) root=read-only;; *) root=writable;; esac
done </proc/mounts
echo "root $root"
if [ -w "$1" ] && [ -e "$1/$2" ]; then echo "workspace shared"; else echo "workspace foreign"; fi
for name in sleep setsid; do command -v "$name" >/dev/null 2>&1 || echo "missing $name"; done
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
