import { readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { SnapshotError } from "../../snapshots/snapshot-error.js";
import { tolerating } from "../process/from-node-error.js";
import { readIfThere } from "../process/store-io.js";
import { type ObjectFormat, SHA1, SHA256 } from "./object-format.js";

/** The directories of a user's repository. */
export interface RepositoryLayout {
  /** The root of the working tree. */
  readonly workTree: string;
  /** The data of this working tree alone. */
  readonly gitDirectory: string;
  /** The data that all working trees of the repository share: objects and references. */
  readonly commonDirectory: string;
  readonly format: ObjectFormat;
  /** Object directories of other repositories that this one uses. */
  readonly alternates: readonly string[];
}

/** Repository extensions that this code supports or can ignore. */
const KNOWN_EXTENSIONS = new Set([
  "noop",
  "objectformat",
  "partialclone",
  "preciousobjects",
  "worktreeconfig",
  "relativeworktrees",
  "refstorage",
]);

/** Detects the kind of repository by reading its files, without git. @throws SnapshotError `INVALID_STORE` */
export function readRepositoryLayout(directory: string): RepositoryLayout {
  const workTree = realpathSync(directory);
  const gitDirectory = findGitDirectory(workTree);
  const shared = readIfThere(join(gitDirectory, "commondir"))?.toString().trim();
  const commonDirectory = shared === undefined ? gitDirectory : resolve(gitDirectory, shared);
  const config = readConfig(join(commonDirectory, "config"));
  return {
    workTree,
    gitDirectory,
    commonDirectory,
    format: formatOf(config),
    alternates: readAlternates(join(commonDirectory, "objects")),
  };
}

function findGitDirectory(workTree: string): string {
  const path = join(workTree, ".git");
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return path;
  if (stat?.isFile()) {
    const target = /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1];
    const found = target === undefined ? undefined : resolve(workTree, target);
    if (found !== undefined && statSync(found, { throwIfNoEntry: false })?.isDirectory())
      return found;
  }
  const isBare = ["HEAD", "objects", "refs"].every(
    (name) => statSync(join(workTree, name), { throwIfNoEntry: false }) !== undefined,
  );
  throw refused(
    isBare ? "a bare repository has no working tree" : "the directory is not a git repository",
  );
}

/** Reads the few settings that describe the repository format. Includes are not followed, and no command is run. */
function readConfig(path: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  const text = readIfThere(path)?.toString() ?? "";
  let section = "";
  for (const each of text.split("\n")) {
    const line = each.trim();
    const header = /^\[([\w.-]+)\](.*)$/.exec(line);
    if (header !== null) section = header[1]?.toLowerCase() ?? "";
    else if (line.startsWith("[")) section = "other";
    const setting = header?.[2]?.trim() || line;
    const equals = setting.indexOf("=");
    const name = equals < 0 ? setting : setting.slice(0, equals).trimEnd();
    const value = equals < 0 ? "true" : setting.slice(equals + 1).trim();
    if (/^[\w-]+$/.test(name) && section !== "")
      settings.set(`${section}.${name.toLowerCase()}`, value);
  }
  return settings;
}

function formatOf(config: ReadonlyMap<string, string>): ObjectFormat {
  const version = Number(config.get("core.repositoryformatversion") ?? 0);
  if (version > 1) throw refused("the format version of the repository is not supported");
  for (const key of config.keys()) {
    const extension = /^extensions\.(.*)$/.exec(key)?.[1];
    if (version === 1 && extension !== undefined && !KNOWN_EXTENSIONS.has(extension))
      throw refused(`the repository uses the extension ${extension}, which is not supported`);
  }
  if (config.get("extensions.refstorage") === "reftable")
    throw refused("the repository stores its references in reftables, which are not supported");
  const name = config.get("extensions.objectformat") ?? "sha1";
  if (name !== "sha1" && name !== "sha256")
    throw refused("the hash algorithm of the repository is not supported");
  return name === "sha1" ? SHA1 : SHA256;
}

function readAlternates(objects: string): readonly string[] {
  const text = readIfThere(join(objects, "info", "alternates"))?.toString() ?? "";
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => (isAbsolute(line) ? line : resolve(objects, line)))
    .filter((path) => tolerating(["ENOENT"], () => statSync(path).isDirectory(), false));
}

function refused(reason: string): SnapshotError {
  return new SnapshotError("INVALID_STORE", { reason });
}
