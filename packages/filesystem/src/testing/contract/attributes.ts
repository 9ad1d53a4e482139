import assert from "node:assert/strict";
import { defineArea, eachRow } from "./contract-case.js";
import { expectFailure } from "./expect-failure.js";

export const modes = defineArea("modes", {
  ...eachRow(
    [0o600, 0o644, 0o755, 0o444, 0o640, 0o700],
    (mode) => `of a file can be set to ${mode.toString(8)} (FS-107)`,
    (mode) => async (open) => {
      const fs = await open();
      const { revision } = await fs.write("a", "1");
      await fs.chmod("a", mode);
      const stat = await fs.stat("a");
      assert.deepEqual([stat.mode, stat.revision, stat.sizeBytes], [mode, revision, 1]);
      assert.equal((await fs.read("a")).content, "1");
    },
  ),
  "of a directory can be set, but its owner keeps all permissions (FS-107)": async (open) => {
    const fs = await open();
    await fs.write("d/a", "1");
    await fs.chmod("d", 0o750);
    assert.equal((await fs.stat("d")).mode, 0o750);
    await fs.chmod("d", 0o055);
    assert.equal((await fs.stat("d")).mode, 0o755);
    assert.equal((await fs.read("d/a")).content, "1");
  },
  "stay when the file is written (FS-107)": async (open) => {
    const fs = await open();
    await fs.write("a", "1");
    await fs.chmod("a", 0o600);
    await fs.write("a", "2");
    await fs.write("a", "3", { mode: "append" });
    await fs.writeBytes("a", Uint8Array.of(0x34));
    const writer = await fs.openWrite("a");
    await writer.write("5");
    await writer.close();
    assert.equal((await fs.stat("a")).mode, 0o600);
    await fs.write("a", "6", { executable: true });
    assert.equal((await fs.stat("a")).mode, 0o700);
  },
  "are copied and moved (FS-30)": async (open) => {
    const fs = await open();
    await fs.write("d/a", "1");
    await fs.chmod("d/a", 0o440);
    await fs.chmod("d", 0o711);
    await fs.copy("d", "e");
    await fs.move("d", "f");
    await fs.copy("f/a", "g");
    const found = await Promise.all(["e", "e/a", "f", "f/a", "g"].map((path) => fs.stat(path)));
    assert.deepEqual(
      found.map(({ mode }) => mode),
      [0o711, 0o440, 0o711, 0o440, 0o440],
    );
  },
  ...eachRow(
    [-1, 0o1000, 0.5, Number.NaN, "600"],
    (mode) => `refuse ${String(mode)} (FS-107)`,
    (mode) => async (open) => {
      const fs = await open();
      await fs.write("a", "1");
      // An untyped caller may pass anything.
      await expectFailure(fs.chmod("a", mode as number), "EINVAL", { operation: "chmod" });
      assert.equal((await fs.stat("a")).mode, 0o644);
    },
  ),
  ...eachRow(
    [
      { path: "missing", code: "ENOENT" },
      { path: "a/b", code: "ENOTDIR" },
      { path: "../a", code: "EACCES" },
      { path: ".", code: "EACCES" },
      { path: ".git", code: "EACCES" },
    ] as const,
    ({ path, code }) => `of ${path} are ${code} (FS-107)`,
    ({ path, code }) =>
      async (open) => {
        const fs = await open();
        await fs.write("a", "1");
        await expectFailure(fs.chmod(path, 0o600), code, { operation: "chmod", path });
      },
  ),
  "are refused by a read-only filesystem (FS-63)": async (open) => {
    const fs = await open({ readOnly: true });
    await expectFailure(fs.chmod("a", 0o600), "EROFS");
  },
});

const THEN = "2001-02-03T04:05:06.789Z";

export const times = defineArea("times", {
  ...eachRow(
    [THEN, new Date("2030-01-01T00:00:00.001Z"), "1970-01-01T00:00:00.000Z"],
    (time) => `of a file can be set to ${new Date(time).toISOString()} (FS-108)`,
    (time) => async (open) => {
      const fs = await open();
      const { revision } = await fs.write("a", "1");
      await fs.utimes("a", time);
      const stat = await fs.stat("a");
      assert.deepEqual(
        [stat.modifiedAt, stat.revision, stat.mode],
        [new Date(time).toISOString(), revision, 0o644],
      );
    },
  ),
  "of a directory can be set (FS-108)": async (open) => {
    const fs = await open();
    await fs.write("d/a", "1");
    await fs.utimes("d", THEN);
    assert.equal((await fs.stat("d")).modifiedAt, THEN);
    assert.equal((await fs.read("d/a")).content, "1");
  },
  "change with the content and stay when the mode changes (FS-108)": async (open) => {
    const fs = await open();
    await fs.write("a", "1");
    await fs.utimes("a", THEN);
    await fs.write("b", "1");
    assert.equal((await fs.stat("a")).modifiedAt, THEN);
    await fs.write("a", "2");
    assert.notEqual((await fs.stat("a")).modifiedAt, THEN);
  },
  "are copied and moved (FS-108)": async (open) => {
    const fs = await open();
    await fs.write("d/a", "1");
    await fs.utimes("d/a", THEN);
    await fs.utimes("d", THEN);
    await fs.copy("d", "e");
    await fs.move("d", "f");
    await fs.copy("f/a", "g");
    const found = await Promise.all(["e", "e/a", "f", "f/a", "g"].map((path) => fs.stat(path)));
    assert.deepEqual(
      found.map(({ modifiedAt }) => modifiedAt),
      [THEN, THEN, THEN, THEN, THEN],
    );
  },
  ...eachRow(
    ["soon", new Date(Number.NaN), 7, "1969-12-31T23:59:59Z", "9999-01-01"],
    (time) => `refuse ${String(time)} (FS-108)`,
    (time) => async (open) => {
      const fs = await open();
      await fs.write("a", "1");
      // An untyped caller may pass anything.
      await expectFailure(fs.utimes("a", time as string), "EINVAL", { operation: "utimes" });
    },
  ),
  "of a missing path and of the root are refused (FS-108)": async (open) => {
    const fs = await open();
    await expectFailure(fs.utimes("missing", THEN), "ENOENT");
    await expectFailure(fs.utimes(".", THEN), "EACCES");
    await expectFailure(fs.utimes("../x", THEN), "EACCES");
  },
  "are refused by a read-only filesystem (FS-63)": async (open) => {
    const fs = await open({ readOnly: true });
    await expectFailure(fs.utimes("a", THEN), "EROFS");
  },
});
