import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { findAddresses, findPlatformFamilies, type PlatformFamily } from "../lockfile-rules.js";
import { type Check, outcomeOf } from "../outcome.js";
import { readText, root } from "../repository.js";

const STORE = path.join(root, "node_modules", ".pnpm");

export const lockfile: Check = {
  name: "lockfile",
  promise: "pnpm-lock.yaml installs on Linux, macOS and Windows, from any registry",
  usualSeconds: 1,

  async run() {
    const text = readText("pnpm-lock.yaml");
    return outcomeOf([
      ...findPlatformFamilies(text).map((family) => ({ problems: checkFamily(family) })),
      {
        problems: findAddresses(text).map(
          (line) => `pnpm-lock.yaml:${line} names a place to download from.`,
        ),
      },
    ]);
  },
};

function checkFamily({ id, members, missingPlatforms }: PlatformFamily): readonly string[] {
  const dropped = declaredMembers(id).filter((member) => !members.includes(member));
  return [
    ...missingPlatforms.map(
      (platform) => `pnpm-lock.yaml has no package of ${id} for ${platform}.`,
    ),
    ...dropped.map(
      (member) => `pnpm-lock.yaml lacks ${member}, which ${id} needs on its platform.`,
    ),
  ];
}

/**
 * The packages for other platforms that the package itself declares.
 *
 * pnpm silently omits an optional package from the lockfile if the registry does not have it, so
 * the lockfile alone cannot show the missing ones.
 */
function declaredMembers(id: string): readonly string[] {
  const name = id.slice(0, id.lastIndexOf("@"));
  const manifest = path.join(STORE, id.replaceAll("/", "+"), "node_modules", name, "package.json");
  // Not installed here, because it is made for another platform.
  if (!existsSync(manifest)) return [];
  const { optionalDependencies = {} } = JSON.parse(readFileSync(manifest, "utf8")) as {
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  };
  // Exact versions only: these come from the same release as the package, others may float.
  return (
    Object.entries(optionalDependencies)
      .filter(([, version]) => /^\d/.test(version))
      // WebAssembly is the fallback for platforms without a native package; all three systems have one.
      .filter(([member]) => !member.includes("wasm32"))
      .map(([member, version]) => `${member}@${version}`)
  );
}
