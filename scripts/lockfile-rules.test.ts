import { expect, it } from "vitest";
import { findAddresses, findPlatformFamilies } from "./lockfile-rules.js";

const platforms = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64"];

it("findPlatformFamilies finds a package with binaries for every platform", () => {
  expect(findPlatformFamilies(lockfile(platforms))).toEqual([
    {
      id: "tool@1.0.0",
      members: platforms.map((name) => `@tool/${name}@1.0.0`),
      missingPlatforms: [],
    },
  ]);
});

it("findPlatformFamilies names the platforms that are missing in a lockfile from Linux", () => {
  const [family] = findPlatformFamilies(lockfile(["linux-x64", "linux-arm64"]));
  expect(family?.missingPlatforms).toEqual(["darwin-x64", "darwin-arm64", "win32-x64"]);
});

it("findPlatformFamilies ignores a package that exists for one system only", () => {
  expect(findPlatformFamilies(lockfile(["darwin-arm64"]))).toEqual([]);
});

it("findPlatformFamilies reads every document of a lockfile", () => {
  const documents = `---\n${lockfile(platforms)}---\n${lockfile(platforms)}`;
  expect(findPlatformFamilies(documents)).toHaveLength(2);
});

it("findAddresses finds the lines with an address", () => {
  const text =
    "a:\n  resolution: {integrity: x}\n  resolution: {tarball: https://example.org/a.tgz}\n";
  expect(findAddresses(text)).toEqual([3]);
});

function lockfile(members: readonly string[]): string {
  const packages = members.map((name) => {
    const [os, cpu] = name.split("-");
    return `  '@tool/${name}@1.0.0':\n    cpu: [${cpu}]\n    os: [${os}]\n`;
  });
  const optional = members.map((name) => `      '@tool/${name}': 1.0.0\n`);
  return [
    "packages:\n  tool@1.0.0:\n    resolution: {integrity: x}\n",
    ...packages,
    "snapshots:\n  tool@1.0.0(peer@2.0.0):\n    optionalDependencies:\n",
    ...optional,
  ].join("");
}
