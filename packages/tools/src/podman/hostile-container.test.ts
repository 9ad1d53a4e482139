/** Tests the host's tools against hostile files in the shared workspace. container-attack.test.ts tests races. */
import { readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SECRET } from "./container-attacker.test.support.js";
import { hasPodman, makeFolder, type OpenSandbox, openSandbox } from "./sandbox.test.support.js";

const LINKS = `
ln -s /etc/shadow shadow
ln -s / root
ln -s ../../../../../../../../../../.. up
ln -s OUTSIDE/secret.txt canary
ln -s OUTSIDE outside
mkdir -p deep && ln -s /proc/self/root deep/proc
ln -s loop loop
ln -s /dev/zero endless`;

describe.runIf(hasPodman)("hostile files of a container", () => {
  it("that are links neither lead a tool out of the workspace nor reveal anything (SB-12, H198)", async () => {
    const { box, outside } = await plant(LINKS);
    const paths = [
      ...["shadow", "root/etc/shadow", "root/etc/passwd", "up/etc/passwd", "canary"],
      ...["outside/secret.txt", "deep/proc/etc/shadow", "loop", "endless"],
    ];
    for (const file_path of paths) {
      for (const [tool, input] of [
        ["read_file", { file_path }],
        ["write_file", { file_path, content: "x", mode: "overwrite" }],
        ["edit_file", { file_path, old_string: "root", new_string: "x" }],
        ["copy", { from: file_path, to: "copied" }],
      ] as const) {
        const { result, text } = await box.call(tool, input);
        expect({ tool, file_path, success: result.success }).toMatchObject({ success: false });
        expect(text).not.toMatch(/root:|canary-of/);
      }
    }
    for (const [tool, input] of [
      ["ls", { path: "." }],
      ["ls", { path: "root" }],
      ["ls", { path: "outside" }],
      ["glob", { pattern: "**" }],
      ["grep", { pattern: "r[o]ot:|wink-c[a]nary" }],
    ] as const)
      expect(await box.ask(tool, input)).not.toMatch(/secret\.txt|root:|canary-of|passwd/);
    // A snapshot saves and restores links as links.
    const snapshot = await box.filesystem.snapshot();
    await box.run("rm -rf /workspace/*");
    await box.filesystem.restore(snapshot);
    expect(await box.print("readlink shadow")).toBe("/etc/shadow\n");
    expect(readlinkSync(join(box.filesystem.root, "outside"))).toBe(outside);
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe(SECRET);
    await box.section.close();
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe(SECRET);
  });

  it("that are FIFOs, sockets or devices do not block any tool (SB-12, H200)", async () => {
    const { box } = await plant(`
mkfifo pipe && mkdir -p d && mkfifo d/pipe
python3 -c "import socket; socket.socket(socket.AF_UNIX).bind('socket')"
mknod zero c 1 5 2>/dev/null; true`);
    for (const file_path of ["pipe", "d/pipe", "socket", "zero"]) {
      const { result } = await box.call("read_file", { file_path });
      expect({ file_path, success: result.success }).toMatchObject({ success: false });
    }
    expect(await box.ask("grep", { pattern: "x" })).toMatch(/No match|no match|0 match/i);
    await box.filesystem.write("good.txt", "good");
    const snapshot = await box.filesystem.snapshot();
    await box.filesystem.restore(snapshot);
    expect(await box.print("cat good.txt")).toBe("good");
    expect((await box.filesystem.stat("good.txt")).isFile).toBe(true);
    await box.section.close();
  });

  it("that are setuid files or hard links affect nothing outside of the container (SB-12, H201, H202)", async () => {
    const { box, outside } = await plant("cp /usr/bin/id setuid; chmod 6755 setuid; touch own");
    const { root } = box.filesystem;
    // Only the owner can enter the workspace, and a setuid file gives only the rights of an unprivileged user.
    expect(statSync(join(root, "..")).mode & 0o077).toBe(0);
    expect(statSync(join(root, "setuid")).uid).not.toBe(0);
    const snapshot = await box.filesystem.snapshot();
    await box.run("rm setuid");
    await box.filesystem.restore(snapshot);
    expect(statSync(join(root, "setuid")).mode & 0o6000).toBe(0);
    const linked = await box.run(
      "ln /etc/hostname hard; ln /bin/busybox hard2; ln /proc/self/exe hard3",
    );
    expect(linked).toMatchObject({ exitCode: 1, changed: [] });
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe(SECRET);
    await box.section.close();
  });

  it("with unusual names are shown safely and rolled back exactly (SB-12)", async () => {
    const { box } = await plant(`
touch -- '-rf' '--help' '..hidden' 'a b' 'new
line' '*' '\\$HOME' '🙂' 'back\\\\slash'
printf x > "$(printf 'bad\\377name')"`);
    const snapshot = await box.filesystem.snapshot();
    const before = await box.print("ls -A | sort | od -c");
    const listing = await box.ask("ls", { path: "." });
    expect(listing).toContain("--help");
    await box.run("rm -rf -- /workspace/* /workspace/.[!.]* /workspace/..?*");
    await box.filesystem.restore(snapshot);
    expect(await box.print("ls -A | sort | od -c")).toBe(before);
    await box.section.close();
  });

  it("in a very deep or very wide tree are still rolled back and removed (SB-12, H212)", async () => {
    const { box } = await plant("");
    const snapshot = await box.filesystem.snapshot();
    const deep =
      "import os\nfor i in range(1500):\n    os.mkdir('dir%d' % i)\n    os.chdir('dir%d' % i)\n";
    await box.print(["python3", "-c", deep]);
    await box.print("mkdir wide && cd wide && seq 1 5000 | xargs touch");
    await box.filesystem.restore(snapshot);
    expect(await box.print("ls -A")).toBe("");
    await box.print(["python3", "-c", deep]);
    await box.section.close();
    expect(() => statSync(box.filesystem.root)).toThrow("ENOENT");
  });
});

async function plant(script: string): Promise<{ box: OpenSandbox; outside: string }> {
  const outside = await makeFolder();
  writeFileSync(join(outside, "secret.txt"), SECRET);
  const box = await openSandbox();
  await box.print(script === "" ? "true" : script.replaceAll("OUTSIDE", outside));
  return { box, outside };
}
