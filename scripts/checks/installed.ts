import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { findRunnableBlocks } from "../documentation/code-blocks.js";
import { probeEditor } from "../editor/probe-editor.js";
import { mapConcurrently } from "../map-concurrently.js";
import { type Check, type Outcome, outcomeOf, type Verdict } from "../outcome.js";
import { packProject } from "../pack-project.js";
import {
  listProjects,
  type Manifest,
  type Project,
  readManifest,
  readText,
} from "../repository.js";
import { runCommand } from "../run-command.js";

const TIMEOUT_MS = 120_000;

export const installed: Check = {
  name: "installed",
  promise:
    "tarballs install with npm into an empty project; there READMEs' programs and `wink` run, and editors know the types",
  usualSeconds: 95,
  isForCi: true,

  async run() {
    // Outside the clone, so that imports cannot resolve to the workspace.
    const folder = await mkdtemp(path.join(tmpdir(), "wink-installed-"));
    try {
      return await tryIn(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function tryIn(folder: string): Promise<Outcome> {
  const published = [...listProjects("packages"), ...listProjects("apps")].filter(
    ({ manifest }) => !manifest.private,
  );
  const install = await installInto(folder, published);
  if (!install.ok) return notInstalled(install.output);
  const programs = published.flatMap(({ folder: home }) =>
    findRunnableBlocks(readText(`${home}/README.md`)).map((block) => ({ ...block, home })),
  );
  const verdicts = await mapConcurrently(programs, async ({ home, line, text }) => {
    // A separate folder, so that programs do not see each other's files.
    const cwd = path.join(folder, `${path.basename(home)}-${line}`);
    await mkdir(cwd);
    await writeFile(path.join(cwd, "main.ts"), text);
    return await tryOut(cwd, `${home}/README.md:${line}`, "node", ["--import", "tsx", "main.ts"]);
  });
  const wink = path.join(folder, "node_modules", ".bin", "wink");
  return outcomeOf([
    ...verdicts,
    await tryOut(folder, "wink demo", wink, ["demo"]),
    await tryOut(folder, "wink init", wink, ["init", "my-agent"]),
    await checkTypes(path.join(folder, "my-agent")),
    ...(await runAgents(wink)),
  ]);
}

const section = `new MarkdownSection({ key: "task", title: "Task", template: "Hi" })`;
const agent = `{
  prompt: ({ workspace }) =>
    new Prompt(new PromptTemplate({ ns: "a", key: "b", sections: [task, workspace] })).bind({}),
  script: [{ text: "Done." }],
}`;

/** Agents in a folder without a package.json. Its copy of a package must not be used. */
const AGENTS: Readonly<Record<string, string>> = {
  "node_modules/@wink/prompt/index.js": `throw new Error("This is another copy.");\n`,
  "task.ts": `import { MarkdownSection } from "@wink/prompt";\nexport const task = ${section};\n`,
  "agent.ts": `import { defineAgent } from "@wink/cli";
import { Prompt, PromptTemplate } from "@wink/prompt";
import { task } from "./task.ts";
export const agent = defineAgent(${agent});
`,
  "agent.cjs": `const { defineAgent } = require("@wink/cli");
const { MarkdownSection, Prompt, PromptTemplate } = require("@wink/prompt");
const task = ${section};
exports.agent = defineAgent(${agent});
`,
};

async function runAgents(wink: string): Promise<readonly Verdict[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "wink-agents-"));
  try {
    for (const [name, text] of Object.entries(AGENTS)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), text);
    }
    const names = ["agent.ts", "agent.cjs"];
    const runs = await mapConcurrently(names, (name) =>
      tryOut(folder, `wink run ${name}`, wink, [
        ...["run", name, "--backend", "memory", "--log", `run-of-${name}`],
      ]),
    );
    const page = ["inspect", "run-of-agent.ts", "--export", "run.html"];
    return [...runs, await tryOut(folder, "wink inspect", wink, page)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Checks the agent of `wink init` and the program of the quickstart, as an editor and as `tsc`. */
async function checkTypes(agent: string): Promise<Verdict> {
  const [program] = findRunnableBlocks(readText("docs/quickstart.md"));
  await writeFile(path.join(agent, "fixer.ts"), program?.text ?? "");
  const { ok, output } = await runCommand("tsc", ["--noEmit"], { cwd: agent });
  const files = ["agent.ts", "fixer.ts"].map((name) => path.join(agent, name));
  const { problems } = await probeEditor(files);
  return { problems: [...(ok ? [] : [`tsc where wink is installed:\n${output}`]), ...problems] };
}

async function installInto(folder: string, published: readonly Project[]) {
  const tarballs = await mapConcurrently(published, async (project) => {
    const { filename } = await packProject(project, folder);
    return [project.manifest.name, `file:${path.basename(filename)}`] as const;
  });
  const { devDependencies: own = {} } = readManifest(".");
  const dependencies = {
    ...Object.fromEntries(published.flatMap(({ manifest }) => peersOf(manifest))),
    ...Object.fromEntries(tarballs),
    tsx: own["tsx"],
    "@types/node": own["@types/node"],
  };
  const manifest = { name: "empty", private: true, type: "module", dependencies };
  await writeFile(path.join(folder, "package.json"), JSON.stringify(manifest));
  const quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"];
  return await runCommand("npm", ["install", "--prefer-offline", ...quiet], { cwd: folder });
}

/** Peers in the versions that the package is tested with. Untested peers are left out. */
function peersOf({ peerDependencies = {}, devDependencies = {} }: Manifest) {
  const { devDependencies: ours = {} } = readManifest(".");
  return Object.keys(peerDependencies).flatMap((name) => {
    const version = devDependencies[name] ?? ours[name];
    return version === undefined ? [] : [[name, version] as const];
  });
}

function notInstalled(output: string): Outcome {
  const reason = "npm cannot install the tarballs into an empty project";
  const isOffline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ENOTCACHED/.test(output);
  if (!isOffline || process.env["WINK_REQUIRE_ALL"])
    return outcomeOf([{ problems: [`${reason}:\n${output.trim()}`] }]);
  const notes = [`skipped: ${reason} without a registry; try again with one`];
  return { passed: 0, failed: 0, skipped: 1, failures: [], notes };
}

async function tryOut(
  cwd: string,
  what: string,
  file: string,
  args: readonly string[],
): Promise<Verdict> {
  const { ok, output } = await runCommand(file, args, { cwd, timeoutMs: TIMEOUT_MS });
  return { problems: ok ? [] : [`${what} fails where it is installed:\n${output.trim()}`] };
}
