import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { expect, it } from "vitest";
import { mountHost } from "../workspace/mount-host.js";
import { LOOK_ALIKES } from "./look-alikes.test.support.js";
import { contentsOf, makeHost, mountTree } from "./mount-fixture.test.support.js";
import { MAX_SEARCHED_BYTES, MAX_SEARCHED_FILE_BYTES, secretContent } from "./secret-content.js";
import { SECRET_CONTENT_RULES } from "./secret-content-rules.js";
import { PRIVATE_KEY, SSH_PUBLIC_KEY } from "./secret-contents.test.support.js";
import {
  COPIED_SECRETS,
  SECRET_FILES,
  SECRET_NAMES,
  SECRETS_BY_CONTENT,
} from "./secret-files.test.support.js";
import { secretName } from "./secret-names.js";

const DEEP = { maxPathDepth: 64, maxSegmentCharacters: 250 };
/** The tables have one character per byte, also for binary files. */
const asBytes = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, Buffer.from(text, "latin1")]),
  );
const isLeftOut = (path: string, leftOut: readonly { readonly path: string }[]) =>
  leftOut.some((each) => each.path === path || path.startsWith(`${each.path}/`));

it("a mount leaves out every kind of secret file but the documented ones and reports them (G190, SN-31)", async () => {
  const { workspace } = await mountTree(asBytes(SECRET_FILES));
  const { leftOut } = workspace.report;
  const paths = Object.keys(SECRET_FILES);
  expect(paths.length).toBeGreaterThan(250);
  expect(paths.filter((path) => !isLeftOut(path, leftOut))).toEqual(COPIED_SECRETS);
  for (const { reason, detail } of leftOut) {
    expect(reason).toBe("secret");
    expect(detail).toMatch(/^secret (?:name|content: [\w -]+)$/);
  }
});

it("a mount leaves out files with the name of a secret whatever they contain (G190, SN-31)", async () => {
  const files = Object.fromEntries(SECRET_NAMES.map((path) => [path, "x"]));
  const { filesystem, workspace } = await mountTree(files);
  expect(SECRET_NAMES.filter((path) => !isLeftOut(path, workspace.report.leftOut))).toEqual([]);
  expect(Object.values(await contentsOf(filesystem)).filter((each) => each !== true)).toEqual([]);
});

it("a mount leaves out files with a key or token in their content and reports the kind (G190, SN-31)", async () => {
  const contents = Object.entries(SECRETS_BY_CONTENT).map(([path, [, text]]) => [path, text]);
  const { workspace } = await mountTree(asBytes(Object.fromEntries(contents)));
  const found = workspace.report.leftOut.map(({ path, reason, detail }) => [path, reason, detail]);
  const expected = Object.entries(SECRETS_BY_CONTENT).map(([path, [what]]) => [
    path,
    "secret",
    `secret content: ${what}`,
  ]);
  expect(found).toEqual(expected.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)));
});

it("a mount copies examples, public keys, certificates, and source code and data that only look secret (SN-31)", async () => {
  const { workspace } = await mountTree(asBytes(LOOK_ALIKES));
  expect(Object.keys(LOOK_ALIKES).length).toBeGreaterThan(60);
  expect(workspace.report.leftOut).toEqual([]);
  expect(workspace.report.fileCount).toBe(Object.keys(LOOK_ALIKES).length);
});

it.each(["", " \n", "# Set TOKEN here.\n", "{}"])(
  "a mount copies files with the name of a secret that contain %j (SN-31)",
  async (text) => {
    const files = Object.fromEntries(SECRET_NAMES.map((path) => [path, text]));
    const { workspace } = await mountTree(files);
    expect(workspace.report.leftOut).toEqual([]);
  },
);

it("a mount judges the files behind a followed link by their own path (SN-31)", async () => {
  const host = makeHost({ ".ssh/config": "Host x\n", ".ssh/known_hosts": SSH_PUBLIC_KEY });
  symlinkSync(".ssh", join(host.root, "harmless"));
  const mounts = [{ hostPath: ".", followSymlinks: true }];
  const { report } = await mountHost(new InMemoryFilesystem(), mounts, host.options);
  expect(report.leftOut.map(({ path, detail }) => `${path}: ${detail}`)).toEqual([
    ".ssh/config: secret name",
    "harmless/config: secret name",
  ]);
});

it("a mount copies every secret when includeSecrets is set (G190)", async () => {
  const { workspace } = await mountTree(SECRET_FILES, { includeSecrets: true });
  expect(workspace.report).toMatchObject({
    fileCount: Object.keys(SECRET_FILES).length,
    leftOut: [],
  });
});

it.each([
  [".docker", "config.json"],
  [".aws", "credentials"],
  [".aws", "sso/cache/token.json"],
  [".cargo", "credentials.toml"],
  [".kube", "config"],
  [".ssh", "known_hosts"],
  [".config/gh", "hosts.yml"],
  [".config", "gcloud/credentials.db"],
  [".m2", "settings-security.xml"],
  [".composer", "auth.json"],
])(
  "a mount of %s itself leaves out %s, also when it is the allowed root (SN-31)",
  async (directory, path) => {
    const host = makeHost({ [`${directory}/${path}`]: "x", [`${directory}/notes.md`]: "notes" });
    const asMount = await mountHost(
      new InMemoryFilesystem(),
      [{ hostPath: directory, mountPath: "/" }],
      host.options,
    );
    expect(isLeftOut(path, asMount.report.leftOut) || asMount.report.leftOut[0]?.path === "").toBe(
      true,
    );
    const options = { ...host.options, allowedHostRoots: [join(host.root, directory)] };
    const filesystem = new InMemoryFilesystem();
    const asRoot = await mountHost(filesystem, [{ hostPath: "." }], options);
    expect(asRoot.report.leftOut.map(({ reason }) => reason)).toContain("secret");
    expect(Object.keys(await contentsOf(filesystem))).not.toContain(path);
  },
);

it("a mount of a single secret file leaves it out (SN-31)", async () => {
  const host = makeHost({ ".env": "x", "key.txt": PRIVATE_KEY });
  const mounts = [{ hostPath: ".env" }, { hostPath: "key.txt" }];
  const { report } = await mountHost(new InMemoryFilesystem(), mounts, host.options);
  expect(report.leftOut.map(({ path, detail }) => `${path}: ${detail}`)).toEqual([
    ".env: secret name",
    "key.txt: secret content: private key",
  ]);
});

it("a mount of 20,000 ordinary files leaves out only those with a key or token (SN-31)", async () => {
  const host = makeHost();
  const words = [
    "index",
    "auth",
    "token",
    "secret",
    "key",
    "credentials",
    "env",
    "config",
    "vault",
    "id",
  ];
  const endings = [
    "ts",
    "js",
    "md",
    "json",
    "py",
    "go",
    "yaml",
    "css",
    "d.ts",
    "test.ts",
    "lock",
    "pub",
  ];
  const text = `${PRIVATE_KEY.split("\n")[0]} ghp_ AKIA token secret password\n`.repeat(20);
  for (let index = 0; index < 20_000; index++) {
    const name = `${words[index % 10]}${index}.${endings[index % 12]}`;
    const path = join(host.root, `d${index % 50}/${words[(index >> 4) % 10]}s`, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, index % 5_000 === 4_999 ? `${text}${PRIVATE_KEY}` : text);
  }
  const filesystem = new InMemoryFilesystem({ limits: DEEP });
  const { report } = await mountHost(filesystem, [{ hostPath: "." }], host.options);
  expect(report.leftOut.map(({ detail }) => detail)).toEqual(
    Array.from({ length: 4 }, () => "secret content: private key"),
  );
  expect(report.fileCount).toBe(19_996);
});

it("a search for secrets reads a limited part of a file (SN-31)", () => {
  const key = new TextEncoder().encode(PRIVATE_KEY);
  const at = (offset: number, size: number) => {
    const bytes = new Uint8Array(size).fill(32);
    bytes.set(key, offset);
    return secretContent(bytes);
  };
  expect(at(MAX_SEARCHED_BYTES - key.length, MAX_SEARCHED_FILE_BYTES)).toBe("private key");
  expect(at(MAX_SEARCHED_BYTES, MAX_SEARCHED_FILE_BYTES)).toBeUndefined();
  expect(at(0, MAX_SEARCHED_FILE_BYTES + 1)).toBeUndefined();
});

it("a search for secrets finds an anchor at every offset (SN-31)", () => {
  for (const { anchors } of SECRET_CONTENT_RULES)
    for (const anchor of anchors) expect(anchor.length).toBeGreaterThanOrEqual(3);
  for (let offset = 0; offset < 8; offset++) {
    const bytes = new TextEncoder().encode(`${" ".repeat(offset)}${PRIVATE_KEY}`);
    expect(secretContent(bytes)).toBe("private key");
  }
});

it("a search for secrets takes time in proportion to the file size, whatever the content (SN-31, TM-6)", () => {
  const hostile = SECRET_CONTENT_RULES.flatMap(({ anchors }) => anchors).flatMap((anchor) => [
    anchor,
    `${anchor} `,
    `-----BEGIN ${anchor}-----Version: `,
    `-----BEGIN PRIVATE KEY-----Version${" ".repeat(100)}`,
    `AKIA${"A".repeat(16)} secret ${"a".repeat(39)} `,
    `${anchor}${"a-".repeat(30)}`,
  ]);
  const settings = [
    "password",
    "secret_key",
    "token\t\t",
    "a://b:",
    "Bearer a",
    "kind: Secret\ndata:\n a: b\n",
    "# ",
    "a b, ",
    "0\u0082",
    "\n  ",
  ];
  const before = process.cpuUsage();
  for (const piece of hostile) secretContent(repeated(piece));
  for (const piece of settings.flatMap((each) => [each, `${each}=`, `${each}: "`, `${each}, "a`]))
    for (const path of HOSTILE_PATHS) secretName(path, repeated(piece));
  const { user } = process.cpuUsage(before);
  // About 20 ms each; one quadratic pattern would take minutes.
  expect(user / 1_000 / (hostile.length + settings.length * 4 * HOSTILE_PATHS.length)).toBeLessThan(
    500,
  );
});

const HOSTILE_PATHS =
  "/a.json /secret.yaml /tokens.txt /a.pem /seed.txt /a.csv /.env /a.tfvars /.x_history /a.jks".split(
    " ",
  );

function repeated(piece: string): Uint8Array {
  const text = piece.repeat(Math.ceil(MAX_SEARCHED_BYTES / piece.length));
  return new TextEncoder().encode(text.slice(0, MAX_SEARCHED_BYTES));
}
