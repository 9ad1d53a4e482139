import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";

/** The top of the clone. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** The folder for files that checks create. Ignored by git, safe to delete. */
export const cacheFolder = path.join(root, ".cache");

/** The parts of a `package.json` that checks read. */
export interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly private?: boolean;
  readonly keywords?: readonly string[];
  readonly homepage?: string;
  readonly bugs?: string;
  readonly repository?: { readonly url?: string; readonly directory?: string };
  readonly type?: string;
  readonly sideEffects?: unknown;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly imports?: Readonly<Record<string, unknown>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** A workspace package: anything with a `package.json` one level below the folders that hold them. */
export interface Project {
  /** Path from the root with forward slashes, such as `packages/session`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

export function readManifest(folder: string): Manifest {
  // npm defines the format; an invalid file already fails the install.
  return JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8")) as Manifest;
}

/** Every workspace package, or those under one of the top folders. */
export function listProjects(under?: "packages" | "apps" | "examples"): readonly Project[] {
  const folders = ["packages", "apps", "examples"].filter(
    (top) => under === undefined || top === under,
  );
  return [...folders.flatMap(childrenOf), ...(under === undefined ? ["benchmarks"] : [])]
    .filter((folder) => existsSync(path.join(root, folder, "package.json")))
    .map((folder) => ({ folder, manifest: readManifest(folder) }));
}

/** Tracked and untracked files that git does not ignore, by their path from the root, without deleted ones. */
export async function listFiles(): Promise<readonly string[]> {
  const { stdout } = await execa(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    { cwd: root },
  );
  const files = new Set(stdout.split("\0").filter((file) => file !== ""));
  return [...files].filter((file) => existsSync(path.join(root, file))).sort();
}

export function readText(file: string): string {
  return readFileSync(path.join(root, file), "utf8");
}

function childrenOf(top: string): string[] {
  const folder = path.join(root, top);
  return existsSync(folder) ? readdirSync(folder).map((name) => `${top}/${name}`) : [];
}
