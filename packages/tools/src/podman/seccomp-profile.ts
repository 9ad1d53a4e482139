import { readFileSync } from "node:fs";

/** System calls for namespaces, mounts and other processes' memory, and kernel features that no test, linter or build needs. */
const DENIED = new Set([
  ...[
    "unshare",
    "setns",
    "mount",
    "umount",
    "umount2",
    "pivot_root",
    "mount_setattr",
    "move_mount",
  ],
  ...["open_tree", "fsopen", "fsconfig", "fsmount", "fspick", "keyctl", "add_key", "request_key"],
  ...["bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter"],
  ...["io_uring_register", "clone", "clone3"],
  ...["ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp"],
]);

/** All `clone` flags that create a namespace. */
const NAMESPACE_FLAGS = 0x7e02_0000;
const ENOSYS = 38;

interface Rule {
  readonly names: readonly string[];
}

/**
 * The engine's seccomp profile without the calls in `DENIED`, which give unprivileged processes more access to the
 * kernel. `undefined` if the profile cannot be read; then the engine uses its default.
 */
export function closedProfile(path: string | undefined): string | undefined {
  const profile = path === undefined ? undefined : readProfile(path);
  if (profile === undefined) return undefined;
  const rules = profile.syscalls
    .map((rule) => ({ ...rule, names: rule.names.filter((name) => !DENIED.has(name)) }))
    .filter(({ names }) => names.length > 0);
  const flags = { index: 0, value: NAMESPACE_FLAGS, valueTwo: 0, op: "SCMP_CMP_MASKED_EQ" };
  return JSON.stringify({
    ...profile,
    syscalls: [
      ...rules,
      { names: ["clone"], action: "SCMP_ACT_ALLOW", args: [flags] },
      // The flags of `clone3` are in memory that a filter cannot read. With ENOSYS, libraries fall back to `clone`.
      { names: ["clone3"], action: "SCMP_ACT_ERRNO", errnoRet: ENOSYS, args: [] },
    ],
  });
}

function readProfile(path: string): { readonly syscalls: readonly Rule[] } | undefined {
  try {
    const profile: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isProfile(profile) ? profile : undefined;
  } catch {
    return undefined;
  }
}

function isProfile(value: unknown): value is { readonly syscalls: readonly Rule[] } {
  if (typeof value !== "object" || value === null || !("syscalls" in value)) return false;
  const { syscalls } = value;
  return (
    Array.isArray(syscalls) &&
    syscalls.every((rule: unknown) => {
      return (
        typeof rule === "object" && rule !== null && "names" in rule && Array.isArray(rule.names)
      );
    })
  );
}
