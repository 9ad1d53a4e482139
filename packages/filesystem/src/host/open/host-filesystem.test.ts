import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isFilesystemError } from "../../protocol/filesystem-error.js";
import { makePlaces, openDescriptors } from "../driver/host-fixture.test.setup.js";
import type { HostFilesystemOptions } from "../driver/host-options.js";
import { temporaryName } from "../process/temporary-name.js";
import { HostFilesystem } from "./host-filesystem.js";

const WRONG: readonly { options: HostFilesystemOptions; message: string }[] = [
  {
    options: { mountPoint: "workspace" },
    message: "EINVAL: open '.': mountPoint must be an absolute path such as /workspace.",
  },
  {
    options: { limits: { maxReadBytes: -1 } },
    message: "EINVAL: open '.': limits.maxReadBytes must be a whole number of at least 0.",
  },
  {
    options: { quotas: { maxTotalBytes: 0.5 } },
    message: "EINVAL: open '.': quotas.maxTotalBytes must be a whole number of at least 0.",
  },
];

describe("opening with an invalid option", () => {
  it.each(WRONG)("is refused before the disk is accessed: $message (FS-73)", async (wrong) => {
    const { root, outside } = makePlaces();
    const dead = spawnSync(process.execPath, ["-e", ""]).pid;
    const abandoned = temporaryName().replace(`-${process.pid}-`, `-${dead}-`);
    writeFileSync(join(root, abandoned), "");
    const storeDirectory = join(root, "../store");
    const before = openDescriptors();
    for (const place of [root, join(outside, "nowhere")]) {
      const opening = HostFilesystem.open(place, { ...wrong.options, storeDirectory });
      await expect(opening).rejects.toThrow(wrong.message);
      const error: unknown = await opening.catch((reason) => reason);
      expect(isFilesystemError(error, "EINVAL")).toBe(true);
    }
    expect(readdirSync(root)).toEqual([abandoned]);
    expect(existsSync(storeDirectory)).toBe(false);
    expect(openDescriptors()).toBe(before);
  });

  it("does not prevent opening with valid options (FS-73)", async () => {
    const { root } = makePlaces();
    mkdirSync(join(root, "a"));
    const limits = { maxReadBytes: 10 };
    await using fs = await HostFilesystem.open(root, { mountPoint: "/workspace", limits });
    expect([fs.mountPoint, fs.limits.maxReadBytes]).toEqual(["/workspace", 10]);
  });
});
