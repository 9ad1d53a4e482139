import { fstatSync, readlinkSync } from "node:fs";
import { type DriverEntry, paths, type VirtualPath } from "@wink/filesystem";
import {
  DirectoryStack,
  errorCode,
  type HostRoot,
  type PinnedDirectory,
  tolerating,
} from "@wink/filesystem/host";
import type { HostPlace } from "./allowed-roots.js";
import type { IgnoreRules } from "./gitignore-rules.js";
import type { LeftOutReason } from "./host-mount.js";
import { NO_RULES, ruleNames, rulesAround, rulesIn } from "./ignore-chain.js";
import { staysInside } from "./link-target.js";
import type { MountCopy } from "./mount-copy.js";
import { isNamedSecret } from "./secret-names.js";
import { type TrackedFiles, trackedFiles } from "./tracked-files.js";

interface MountFrame {
  readonly path: VirtualPath;
  /** `undefined` after it was closed. */
  directory: PinnedDirectory | undefined;
  /** The path of the directory relative to the mount. */
  readonly below: VirtualPath;
  readonly entries: readonly DriverEntry[];
  readonly rules: IgnoreRules | undefined;
  /** The tracked files of the repository around it. */
  readonly repository: Repository | undefined;
  /** Whether a rule ignores the directory. Then only its tracked files are copied. */
  readonly isIgnored: boolean;
  next: number;
}

interface Repository {
  readonly path: VirtualPath;
  readonly tracked: TrackedFiles;
}

/** Copies the file or directory of a mount. */
export async function walkMount(copy: MountCopy, place: HostPlace): Promise<void> {
  const { root } = place.root;
  const isDirectory =
    place.path === "" ||
    root.inParent(place.path, (parent, leaf) => parent.stat(leaf))?.isDirectory();
  const rules = copy.mount.gitignore
    ? rulesAround(root, place.path, isDirectory ?? false)
    : undefined;
  if (rules === "ignored") copy.leaveOut(paths.ROOT, "ignored", isDirectory ?? false);
  else if (isDirectory) await walkDirectory(copy, place, paths.ROOT, rules, []);
  else root.inParent(place.path, (parent, leaf) => copyFile(copy, place, parent, leaf, paths.ROOT));
}

/** `trail` has the identities of the directories on the path here that links were followed from or to, to detect loops. */
async function walkDirectory(
  copy: MountCopy,
  place: HostPlace,
  base: VirtualPath,
  outer: IgnoreRules | undefined,
  trail: readonly string[],
): Promise<void> {
  const { root } = place.root;
  const stack = new DirectoryStack<MountFrame>(root);
  const frameOf = (
    directory: PinnedDirectory,
    path: VirtualPath,
    below: VirtualPath,
    rules: IgnoreRules | undefined,
    outer?: MountFrame,
    isIgnored = false,
  ): MountFrame =>
    root.orLeave(directory, () => {
      // Before the entries are listed: a later change of the directory is then noticed.
      copy.entered(below, directory);
      const entries = directory.entries().sort((a, b) => paths.compareBytes(a.name, b.name));
      const onRule = (file: string) => copy.ruledBy(file);
      const names = copy.mount.gitignore ? ruleNames(entries) : NO_RULES;
      return {
        path,
        below,
        directory,
        entries,
        rules: rulesIn(root, directory, path, rules, { names, onRule }),
        repository: names.has(".git") ? repositoryAt(root, path, onRule) : outer?.repository,
        isIgnored,
        next: 0,
      };
    });
  try {
    stack.push(frameOf(root.enter(place.path), place.path, base, outer));
    if (base !== "" || copy.filter.keepsDirectories) copy.directory(base);
    for (let frame = stack.top; frame !== undefined; frame = stack.top) {
      const entry = frame.entries[frame.next++];
      if (entry === undefined) {
        stack.pop();
        continue;
      }
      if (copy.isPauseDue) await copy.pause();
      root.requireOpen();
      const below = paths.joinPath(frame.below, entry.name);
      const path = paths.joinPath(frame.path, entry.name);
      if (!copy.wants(below, entry.kind === "directory")) continue;
      if (entry.kind === "symlink") {
        await visitLink(copy, { root: place.root, path }, below, frame, [
          ...trail,
          identityOf(stack.current()),
        ]);
        continue;
      }
      const reason = reasonAgainst(copy, frame, entry, { root: place.root, path }, below);
      if (reason !== undefined) copy.leaveOut(below, reason, entry.kind === "directory");
      else if (entry.kind === "file")
        copyFile(copy, { root: place.root, path }, stack.current(), entry.name, below);
      else {
        const child = openChild(copy, place, stack.current(), entry.name, below);
        if (child === undefined) continue;
        const isIgnored = frame.isIgnored || (frame.rules?.ignores(path, true) ?? false);
        stack.push(frameOf(child, path, below, frame.rules, frame, isIgnored));
        if (copy.filter.keepsDirectories) copy.directory(below);
      }
    }
  } finally {
    stack.close();
  }
}

function reasonAgainst(
  copy: MountCopy,
  frame: MountFrame,
  { name, kind }: DriverEntry,
  place: HostPlace,
  below: VirtualPath,
): LeftOutReason | undefined {
  const isDirectory = kind === "directory";
  const reason = isDirectory ? copy.filter.directory(below, name) : copy.filter.file(below, name);
  if (reason !== undefined) return reason;
  const isIgnored = frame.isIgnored || frame.rules?.ignores(place.path, isDirectory);
  if (isIgnored && !isTracked(frame.repository, place.path)) return "ignored";
  if (kind === "special") return "special";
  // Temporary files of an apply that is in progress.
  if (/^\.wink-(?:tmp|backup)-/.test(name)) return "excluded";
  return undefined;
}

function isTracked(repository: Repository | undefined, path: VirtualPath): boolean {
  if (repository === undefined) return false;
  const { path: top, tracked } = repository;
  return tracked.has(top === "" ? path : path.slice(top.length + 1));
}

function repositoryAt(
  root: HostRoot,
  path: VirtualPath,
  onRule: (path: string) => void,
): Repository {
  return { path, tracked: trackedFiles(root, path, onRule) };
}

function copyFile(
  copy: MountCopy,
  place: HostPlace,
  parent: PinnedDirectory,
  name: string,
  below: VirtualPath,
): void {
  copy.file(place.root.root, parent, name, below, hostPathOf(place));
}

/** The absolute host path, because the secret rules also look at the directories above the mount. */
function hostPathOf({ root: { canonical }, path }: HostPlace): string {
  if (path === "") return canonical;
  return canonical === "/" ? `/${path}` : `${canonical}/${path}`;
}

function openChild(
  copy: MountCopy,
  { root }: HostPlace,
  parent: PinnedDirectory,
  name: string,
  below: VirtualPath,
): PinnedDirectory | undefined {
  try {
    return root.root.openDirectory(parent, name);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return undefined;
    if (code === "ELOOP") copy.leaveOut(below, "symlink", false);
    else if (code === "EACCES" || code === "EPERM") copy.leaveOut(below, "unreadable", true);
    else throw error;
    return undefined;
  }
}

async function visitLink(
  copy: MountCopy,
  link: HostPlace,
  below: VirtualPath,
  frame: MountFrame,
  trail: readonly string[],
): Promise<void> {
  const name = paths.baseName(link.path);
  const reason = reasonAgainst(copy, frame, { name, kind: "file" }, link, below);
  if (reason !== undefined && reason !== "not-included") return copy.leaveOut(below, reason, false);
  if (!copy.mount.includeSecrets && isNamedSecret(hostPathOf(link)))
    return copy.leaveOut(below, "secret", false);
  if (!copy.mount.followSymlinks)
    return reason === undefined ? copyLink(copy, link, below) : copy.leaveOut(below, reason, false);
  const target = copy.roots.resolveLinks(link);
  const { root } = target?.root ?? link.root;
  const stat =
    target &&
    (target.path === ""
      ? fstatSync(root.directory.fd)
      : root.inParent(target.path, (parent, leaf) => parent.stat(leaf)));
  if (target === undefined || stat === undefined) return copy.leaveOut(below, "link-out", false);
  // A link may point into `.git`.
  if (paths.isInGit(target.path)) return copy.leaveOut(below, "git", false);
  if (stat.isFile() && reason === undefined)
    root.inParent(target.path, (parent, leaf) => copyFile(copy, target, parent, leaf, below));
  else if (!stat.isDirectory()) copy.leaveOut(below, reason ?? "special", false);
  else {
    const open = root.enter(target.path);
    const identity = root.orLeave(open, () => identityOf(open));
    root.leave(open);
    // A link to a directory that contains it would never end.
    const isLoop = trail.includes(identity) || trail.length > MAX_LINKS || isAround(frame, target);
    if (isLoop) copy.leaveOut(below, "link-out", true);
    else await walkDirectory(copy, target, below, frame.rules, [...trail, identity]);
  }
}

/** Copies a link as a link, unless its target is outside of the mount: then it would only show a path of the host. */
function copyLink(copy: MountCopy, { root: { root }, path }: HostPlace, below: VirtualPath): void {
  const read = () =>
    root.inParent(path, (parent, leaf) => {
      const stat = parent.stat(leaf);
      const target = stat?.isSymbolicLink() ? readLink(parent.pathOf(leaf)) : undefined;
      return stat && target && { stat, target };
    });
  // Another process may have moved or replaced the directory of the link.
  const link = tolerating(["ENOENT", "ENOTDIR", "ELOOP"], read, undefined);
  if (link === undefined) return;
  const { stat, target } = link;
  if (staysInside(target.toString("latin1"), below)) copy.link(target, below, stat);
  else copy.leaveOut(below, "symlink", false);
}

/** `undefined` if another process replaced or deleted the link. */
function readLink(path: string | Buffer): Buffer | undefined {
  try {
    return readlinkSync(path, { encoding: "buffer" });
  } catch (error) {
    if (errorCode(error) === "EINVAL" || errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

const MAX_LINKS = 40;

function isAround(frame: MountFrame, target: HostPlace): boolean {
  return (
    target.path === "" || frame.path === target.path || frame.path.startsWith(`${target.path}/`)
  );
}

function identityOf({ fd }: PinnedDirectory): string {
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return `${dev}:${ino}`;
}
