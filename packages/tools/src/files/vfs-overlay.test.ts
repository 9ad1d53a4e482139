import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Session } from "@wink/session";
import { expect, it, onTestFinished } from "vitest";
import { VfsToolsSection, type VfsToolsSectionOptions } from "./vfs-tools-section.js";

const SECRET =
  "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1c7+9z5Pad7OejecsQ0bu3aozN\n-----END RSA PRIVATE KEY-----\n";
const FILES = {
  "src/a.ts": "let a = 1;\n",
  "src/b.ts": "let b = 1;\n",
  "README.md": "# Project\n",
  ".env": "API_KEY=sk-live-8f3kd83kd93kdk39dk39d\n",
  ".git/config": "[core]\n",
  ".gitignore": "dist/\n",
  "dist/out.js": "1;\n",
  "notes.txt": SECRET,
};

async function open(options: Partial<VfsToolsSectionOptions> = {}) {
  const root = mkdtempSync(path.join(tmpdir(), "wink-vfs-overlay-"));
  const state = mkdtempSync(path.join(tmpdir(), "wink-vfs-state-"));
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
  }
  const session = new Session();
  onTestFinished(async () => {
    await session.close();
    for (const each of [root, state]) rmSync(each, { recursive: true });
  });
  const given = { session, overlay: root, stateDirectory: state, ...options };
  const section = await VfsToolsSection.create(given as VfsToolsSectionOptions);
  const paths = async () => (await section.filesystem.glob("**")).map((match) => match.path);
  return { root, section, session, paths };
}

it("overlay shows a directory without .git and secrets, and changes it only by apply (TL-15)", async () => {
  const { root, section, paths } = await open();
  expect(section.template.source).toContain("- `/`: .gitignore, README.md, dist/, notes.txt, src/");
  const { filesystem } = section;
  expect(await paths()).toEqual([
    ".gitignore",
    "README.md",
    "dist/out.js",
    "notes.txt",
    "src/a.ts",
    "src/b.ts",
  ]);
  await expect(filesystem.read(".env")).rejects.toMatchObject({ code: "ENOENT" });
  await expect(filesystem.read("notes.txt")).rejects.toMatchObject({ code: "EACCES" });
  await filesystem.write("src/a.ts", "let a = 2;\n");
  await filesystem.delete("src/b.ts");
  await filesystem.write("src/new/c.ts", "let c = 1;\n");
  expect(readFileSync(path.join(root, "src/a.ts"), "utf8")).toBe("let a = 1;\n");
  const changes = section.changes();
  expect((await changes.files()).map(({ type, path: at }) => `${type} ${at}`)).toEqual([
    "modified src/a.ts",
    "deleted src/b.ts",
    "added src/new/c.ts",
  ]);
  const { undoToken } = await changes.apply();
  expect(readFileSync(path.join(root, "src/a.ts"), "utf8")).toBe("let a = 2;\n");
  expect(existsSync(path.join(root, "src/b.ts"))).toBe(false);
  expect(readFileSync(path.join(root, "src/new/c.ts"), "utf8")).toBe("let c = 1;\n");
  expect(readFileSync(path.join(root, ".env"), "utf8")).toBe(FILES[".env"]);
  expect(await section.changes().files()).toEqual([]);
  await changes.undo(undoToken ?? "");
  expect(readFileSync(path.join(root, "src/a.ts"), "utf8")).toBe("let a = 1;\n");
});

it("overlay has the filters of a mount (TL-15)", async () => {
  const root = mkdtempSync(path.join(tmpdir(), "wink-vfs-overlay-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(path.join(root, "project/dist"), { recursive: true });
  for (const [name, content] of Object.entries({
    ".gitignore": "dist/\n*.log\n",
    "a.ts": "1",
    "a.md": "1",
    "x.log": "1",
    "dist/out.js": "1",
    "skip.ts": "1",
    ".env": FILES[".env"],
  }))
    writeFileSync(path.join(root, "project", name), content);
  const session = new Session();
  const paths = async (mount: object) => {
    const section = await VfsToolsSection.create({
      session,
      allowedHostRoots: [root],
      overlay: { hostPath: "project", ...mount },
    });
    return (await section.filesystem.glob("**")).map((match) => match.path);
  };
  expect(await paths({ gitignore: true })).toEqual([".gitignore", "a.md", "a.ts", "skip.ts"]);
  expect(await paths({ includeGlob: ["*.ts"], excludeGlob: ["skip.ts"] })).toEqual(["a.ts"]);
  expect(await paths({ includeSecrets: true, gitignore: true })).toContain(".env");
  await session.close();
});

it("overlay refuses a path outside of the allowed roots, and other sources of files (TL-15)", async () => {
  await expect(
    open({ allowedHostRoots: [tmpdir()], overlay: "/etc" } as Partial<VfsToolsSectionOptions>),
  ).rejects.toMatchObject({ code: "EACCES" });
  await expect(open({ files: { a: "1" } })).rejects.toThrow(
    "VfsToolsSection: overlay cannot be combined with files. Pass one of them.",
  );
  await expect(open({ overlay: 7 as never })).rejects.toMatchObject({ code: "INVALID_OPTION" });
});

it("a file that changed on the host since it was read is not overwritten by apply (TL-15, FS-100)", async () => {
  const { root, section } = await open();
  await section.filesystem.read("src/a.ts");
  await section.filesystem.write("src/a.ts", "let a = 2;\n");
  writeFileSync(path.join(root, "src/a.ts"), "let a = 'theirs';\n");
  await expect(section.changes().apply()).rejects.toMatchObject({ code: "ESTALE" });
  expect(readFileSync(path.join(root, "src/a.ts"), "utf8")).toBe("let a = 'theirs';\n");
});

it("closing the session closes the directory of an overlay (TL-15)", async () => {
  const { section, session } = await open();
  await session.close();
  await expect(section.filesystem.read("src/a.ts")).rejects.toMatchObject({ code: "EBADF" });
});
