import { parseAllDocuments } from "yaml";

/** The platforms that a clone must install on. */
const PLATFORMS = [
  { os: "linux", cpu: "x64" },
  { os: "linux", cpu: "arm64" },
  { os: "darwin", cpu: "x64" },
  { os: "darwin", cpu: "arm64" },
  { os: "win32", cpu: "x64" },
] as const;

/** The entry of a package in the lockfile. */
interface LockedPackage {
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

interface LockfileDocument {
  readonly packages?: Readonly<Record<string, LockedPackage>>;
  readonly snapshots?: Readonly<Record<string, LockedSnapshot>>;
}

interface LockedSnapshot {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** A package that ships its binary as one optional package for each platform. */
export interface PlatformFamily {
  /** `esbuild@0.28.2` */
  readonly id: string;
  /** `@esbuild/linux-x64@0.28.2` and the other members in the lockfile. */
  readonly members: readonly string[];
  /** Platforms without a member. */
  readonly missingPlatforms: readonly string[];
}

/** The families of a lockfile. One is recognised by a member made for Linux. */
export function findPlatformFamilies(lockfile: string): readonly PlatformFamily[] {
  // Since version 11 pnpm lists its own packages in a separate document, before the project's.
  const documents = parseAllDocuments(lockfile).map(
    // pnpm's format, in the version that the lockfile names.
    (document) => document.toJS() as LockfileDocument,
  );
  return documents.flatMap(({ packages = {}, snapshots = {} }) => {
    const families = new Map<string, PlatformFamily>();
    for (const [key, { optionalDependencies = {} }] of Object.entries(snapshots)) {
      const id = withoutPeers(key);
      const members = Object.entries(optionalDependencies).map(
        ([name, version]) => `${name}@${withoutPeers(version)}`,
      );
      const locked = members.flatMap((member) => packages[member] ?? []);
      if (!locked.some(({ os }) => os?.includes("linux"))) continue;
      const missingPlatforms = PLATFORMS.filter(
        ({ os, cpu }) => !locked.some((each) => fits(each.os, os) && fits(each.cpu, cpu)),
      ).map(({ os, cpu }) => `${os}-${cpu}`);
      families.set(id, { id, members, missingPlatforms });
    }
    return [...families.values()];
  });
}

/** Lines that name a place to download from: a lockfile must install from any registry. */
export function findAddresses(lockfile: string): readonly number[] {
  return lockfile
    .split("\n")
    .flatMap((line, index) => (/\btarball:|\w+:\/\//.test(line) ? [index + 1] : []));
}

function fits(allowed: readonly string[] | undefined, wanted: string): boolean {
  return allowed === undefined || allowed.includes(wanted);
}

function withoutPeers(key: string): string {
  return key.replace(/\(.*$/, "");
}
