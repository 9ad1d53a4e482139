import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineSubagentTool, keepContents, runToolCall } from "@wink/adapters";
import { ScriptedAdapter } from "@wink/adapters/scripted";
import {
  type Filesystem,
  type FilesystemSnapshot,
  InMemoryFilesystem,
  type SnapshotableFilesystem,
} from "@wink/filesystem";
import {
  type AnySection,
  defineTool,
  fail,
  MarkdownSection,
  ok,
  Prompt,
  PromptTemplate,
  type Tool,
  type ToolContext,
} from "@wink/prompt";
import { noAdapter } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import {
  replayFiles,
  SnapshotToolsSection,
  VfsToolsSection,
  vfsFiles,
  WriteFile,
} from "@wink/tools";
import fc from "fast-check";
import { expect } from "vitest";
import { z } from "zod";

/** The files of every random run at its start. */
export const BASE = {
  "a.txt": "one\ntwo\n",
  "d/b.txt": "b\r\nb\r\n",
  "d/e/c.bin": Uint8Array.of(0xff, 0x61, 0xfe),
} as const;

/** The key of the workspace section. */
export const KEY = "work";

const path = fc.constantFrom(
  "a.txt",
  "d/b.txt",
  "d/e/c.bin",
  "d",
  "d/e",
  "n.txt",
  "x/y.txt",
  "x",
  "../out",
);
const text = fc.constantFrom("a", "b", "one", "", "é\n", "\r\n");
const mode = fc.constantFrom("create" as const, "overwrite" as const, "append" as const);

const plain = fc.oneof(
  fc.record({ op: fc.constant("write" as const), path, text, mode, executable: fc.boolean() }),
  fc.record({ op: fc.constant("bytes" as const), path, text }),
  fc.record({ op: fc.constant("stream" as const), path, text, closes: fc.boolean() }),
  fc.record({ op: fc.constant("delete" as const), path }),
  fc.record({ op: fc.constant("mkdir" as const), path }),
  fc.record({ op: fc.constant("copy" as const), path, to: path, overwrite: fc.boolean() }),
  fc.record({ op: fc.constant("move" as const), path, to: path, overwrite: fc.boolean() }),
  fc.record({ op: fc.constant("symlink" as const), path, text: fc.constantFrom("a.txt", "../q") }),
  fc.record({ op: fc.constant("chmod" as const), path, bits: fc.constantFrom(0o600, 0o755) }),
  // An event of the tool's own about a write, right or wrong.
  fc.record({ op: fc.constant("told" as const), path, text, lies: fc.boolean() }),
  fc.record({ op: fc.constant("snapshot" as const) }),
  fc.record({ op: fc.constant("restore" as const) }),
);
const operation = fc.oneof(
  { weight: 6, arbitrary: plain },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant("transaction" as const),
      steps: fc.array(plain, { maxLength: 3 }),
      commits: fc.boolean(),
      byBody: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant("concurrent" as const),
      steps: fc.array(plain, { maxLength: 3 }),
    }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
type Plain = typeof plain extends fc.Arbitrary<infer T> ? T : never;

const fileCall = fc.oneof(
  fc.record({
    tool: fc.constant("write_file"),
    input: fc.record({ path, content: text, mode }),
  }),
  fc.record({
    tool: fc.constant("edit_file"),
    input: fc.record({ path, old_string: text, new_string: text, replace_all: fc.boolean() }),
  }),
  fc.record({
    tool: fc.constantFrom("move", "copy"),
    input: fc.record({ source: path, destination: path, overwrite: fc.boolean() }),
  }),
  fc.record({ tool: fc.constant("rm"), input: fc.record({ path }) }),
);
const ownCall = fc.record({
  tool: fc.constantFrom("own_write", "own_opaque"),
  input: fc.record({
    steps: fc.array(operation, { minLength: 1, maxLength: 4 }),
    end: fc.constantFrom("ok", "ok", "ok", "fail", "throw"),
    inner: fc.option(fileCall, { nil: undefined, freq: 4 }),
    /** What another program does, where the files are a directory. */
    shell: fc.option(fc.record({ path, text }), { nil: undefined }),
  }),
});

/** The calls of one agent, without Python and a shell. */
export const calls = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: ownCall },
    { weight: 4, arbitrary: fileCall },
    {
      weight: 1,
      arbitrary: fc.record({
        tool: fc.constantFrom("snapshot_create", "snapshot_restore"),
        input: fc.record({ name: fc.constantFrom("s1", "s2") }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        tool: fc.constant("subagent"),
        input: fc.record({ calls: fc.array(fc.oneof(fileCall, ownCall), { maxLength: 3 }) }),
      }),
    },
  ),
  { minLength: 3, maxLength: 8 },
);

const pythonCall = fc.record({
  tool: fc.constant("evaluate_python"),
  input: fc.record({
    code: fc
      .array(fc.record({ path, text, fails: fc.nat(9) }), { maxLength: 3 })
      .map((steps) =>
        [
          ...steps.map(
            (step) => `write_text(${JSON.stringify(step.path)}, ${JSON.stringify(step.text)})`,
          ),
          steps.some(({ fails }) => fails === 0) ? "1 / 0" : "value = 'v'",
        ].join("\n"),
      ),
    writes: fc.array(fc.record({ file_path: path, variable: fc.constant("value"), mode }), {
      maxLength: 1,
    }),
  }),
});

/** The calls of an agent that also runs Python programs. */
export const pythonCalls = fc.array(
  fc.oneof({ weight: 3, arbitrary: pythonCall }, { weight: 2, arbitrary: fileCall }, ownCall),
  { minLength: 3, maxLength: 6 },
);

const command = fc
  .array(
    fc.oneof(
      fc.record({ path, text }).map((step) => `printf %s '${step.text}' > ${step.path}`),
      path.map((each) => `rm -rf ./${each}`),
      fc.record({ path, to: path }).map(({ path: from, to }) => `mv ${from} ${to}`),
      path.map((each) => `mkdir -p ${each}/deep`),
      path.map((each) => `ln -s a.txt ${each}`),
      path.map((each) => `chmod 755 ${each}`),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((steps) => steps.join("; "));
const shellCall = fc.record({
  tool: fc.constant("shell_execute"),
  input: fc.record({ command }),
});

/** The calls of an agent that also runs commands in a container. */
export const shellCalls = fc.array(
  fc.oneof({ weight: 3, arbitrary: shellCall }, { weight: 2, arbitrary: fileCall }, ownCall),
  { minLength: 3, maxLength: 6 },
);

export interface Call {
  readonly tool: string;
  readonly input: unknown;
}

type WorkspaceSection = AnySection & { readonly filesystem: SnapshotableFilesystem };

export interface RandomAgentOptions {
  /** @default an empty filesystem in memory */
  readonly filesystem?: SnapshotableFilesystem | undefined;
  /** The directory of the files, for what another program does. @default none */
  readonly directory?: string | undefined;
  /** @default a section with the file tools over `filesystem` */
  readonly workspace?: ((session: Session) => Promise<WorkspaceSection>) | undefined;
  /** @default none */
  readonly sections?: readonly AnySection[];
}

/** Makes the calls, and after each of them compares a replay of the events with the files. Returns how many succeeded. */
export async function checkAgent(
  agentCalls: readonly Call[],
  options: RandomAgentOptions,
): Promise<number> {
  const { directory } = options;
  const session = new Session();
  const contents = new Map<string, Uint8Array>();
  keepContents(session, contents);
  const workspace =
    (await options.workspace?.(session)) ??
    (await VfsToolsSection.create({
      // Another key than the default, because every event must name the workspace.
      ...{ key: KEY, session, filesystem: options.filesystem ?? new InMemoryFilesystem() },
      readBeforeWrite: false,
      trackChanges: false,
    }));
  const { filesystem } = workspace;
  const own = new MarkdownSection({
    key: "own",
    title: "Own",
    template: "Own tools.",
    tools: [ownTool("own_write", "write"), ownTool("own_opaque", "opaque", directory), subagent()],
  });
  const sections = [workspace, own, new SnapshotToolsSection(), ...(options.sections ?? [])];
  const prompt = new Prompt(new PromptTemplate({ ns: "tests", key: "random", sections })).bind({});
  const replayed = new InMemoryFilesystem({ files: BASE });
  let first = 0;
  let succeeded = 0;
  for (const [index, { tool: toolName, input }] of agentCalls.entries()) {
    const { status } = await runToolCall({
      rendered: prompt.render({ session }),
      adapter: noAdapter,
      session,
      onError: () => {},
      call: { toolCallId: `call-${index}`, toolName, arguments: input },
    });
    if (status === "succeeded") succeeded++;
    // A rollback marks events of the call only, so each call can be replayed separately.
    const events = session.events.toArray().slice(first);
    first = session.events.length;
    await replayFiles(events, replayed, contents);
    expect(await treeOf(replayed), `after call ${index}`).toEqual(await treeOf(filesystem));
  }
  const whole = new InMemoryFilesystem({ files: BASE });
  await replayFiles(session.events, whole, contents, { workspace: KEY });
  const tree = await treeOf(filesystem);
  expect(await treeOf(whole)).toEqual(tree);
  const known = vfsFiles(session).map((file) => file.path);
  const files = Object.keys(tree).filter((each) => tree[each]?.startsWith("file"));
  expect(known).toEqual(files.sort());
  await session.close();
  return succeeded;
}

/** For each path: the kind, the permissions, and the content of a file or the target of a link. */
async function treeOf(filesystem: Filesystem, directory = "."): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const { path: each } of await filesystem.list(directory)) {
    const { kind, mode: bits } = await filesystem.stat(each, { followLinks: false });
    const shown = (bits & 0o777).toString(8);
    if (kind === "directory") {
      tree[each] = `directory ${shown}`;
      Object.assign(tree, await treeOf(filesystem, each));
    } else if (kind === "symlink") tree[each] = `link ${await filesystem.readlink(each)}`;
    else {
      const { content } = await filesystem.readBytes(each);
      tree[each] = `file ${shown} ${Buffer.from(content).toString("latin1")}`;
    }
  }
  return tree;
}

const OwnInput = z.object({
  steps: z.array(z.unknown()),
  end: z.string(),
  inner: z.unknown().optional(),
  shell: z.object({ path: z.string(), text: z.string() }).optional(),
});

/** A user's tool that changes files in the given ways. */
function ownTool(name: string, access: "write" | "opaque", directory?: string): Tool {
  return defineTool({
    name,
    description: "Changes files.",
    input: OwnInput,
    access,
    async handler({ steps, end, inner, shell }, context) {
      // Every filesystem of these tests has snapshots, and the generator makes operations.
      const files = context.filesystem as SnapshotableFilesystem;
      const own = new OwnSteps(files, context);
      await own.runAll(steps as readonly Operation[]);
      if (inner !== undefined) await callInside(inner as Call, context);
      if (shell !== undefined && directory !== undefined) changeOutside(directory, shell);
      if (end === "throw") throw new Error("as planned");
      return end === "fail" ? fail("As planned.") : ok(undefined, "Done.");
    },
  }) as unknown as Tool;
}

async function callInside({ tool: toolName, input }: Call, context: ToolContext): Promise<void> {
  const { renderedPrompt: rendered, session, adapter, toolCallId } = context;
  if (rendered === undefined) throw new Error("a tool of a prompt has a rendered prompt");
  const call = { toolCallId: `${toolCallId}-inner`, toolName, arguments: input };
  await runToolCall({ rendered, session, adapter, call, onError: () => {} });
}

function changeOutside(directory: string, shell: { path: string; text: string }): void {
  if (shell.path.startsWith("..")) return;
  const target = join(directory, shell.path);
  try {
    if (shell.text === "") rmSync(target, { recursive: true, force: true });
    else {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, shell.text);
    }
  } catch {
    // Like a command that fails.
  }
}

class OwnSteps {
  readonly #files: SnapshotableFilesystem;
  readonly #context: ToolContext;
  #snapshot: FilesystemSnapshot | undefined;

  constructor(files: SnapshotableFilesystem, context: ToolContext) {
    this.#files = files;
    this.#context = context;
  }

  async runAll(steps: readonly Operation[]): Promise<void> {
    for (const step of steps) await this.#try(() => this.#run(step));
  }

  /** A refused operation changes nothing, so its error does not matter. */
  async #try(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch {}
  }

  async #run(step: Operation): Promise<void> {
    if (step.op === "transaction") {
      if (step.byBody) {
        await this.#files.transact(async (files) => {
          const inner = new OwnSteps(files, this.#context);
          for (const each of step.steps) await inner.#try(() => inner.#apply(each));
          if (!step.commits) throw new Error("as planned");
        });
        return;
      }
      const transaction = await this.#files.begin();
      for (const each of step.steps) await this.#try(() => this.#apply(each));
      await (step.commits ? transaction.commit() : transaction.rollback());
    } else if (step.op === "concurrent")
      await Promise.all(step.steps.map((each) => this.#try(() => this.#apply(each))));
    else await this.#apply(step);
  }

  async #apply(step: Plain): Promise<void> {
    const files = this.#files;
    switch (step.op) {
      case "write":
        await files.write(step.path, step.text, { mode: step.mode, executable: step.executable });
        break;
      case "bytes":
        await files.writeBytes(step.path, new TextEncoder().encode(step.text));
        break;
      case "stream": {
        await using writer = await files.openWrite(step.path);
        await writer.write(step.text);
        if (step.closes) await writer.close();
        break;
      }
      case "delete":
        await files.delete(step.path, { recursive: true });
        break;
      case "mkdir":
        await files.mkdir(step.path);
        break;
      case "copy":
      case "move":
        await files[step.op](step.path, step.to, { overwrite: step.overwrite });
        break;
      case "symlink":
        await files.symlink(step.text, step.path);
        break;
      case "chmod":
        // On the host, only the execute bit of a file is in a snapshot.
        await files.chmod(step.path, files.root === "/" ? step.bits : step.bits | 0o044);
        break;
      case "told": {
        const written = await files.write(step.path, step.text);
        const author = { workspace: KEY, writer: "tests/random", tool: "own_write" };
        const content = step.lies ? "something else" : step.text;
        const revision = step.lies ? "another" : written.revision;
        const { toolCallId } = this.#context;
        this.#context.session.dispatch(
          WriteFile({
            ...{ ...author, toolCallId, path: written.path, content, mode: "overwrite", revision },
            sizeBytes: new TextEncoder().encode(content).length,
          }),
        );
        break;
      }
      case "snapshot":
        this.#snapshot = await files.snapshot();
        break;
      case "restore":
        if (this.#snapshot !== undefined) await files.restore(this.#snapshot);
        break;
    }
  }
}

/** Makes the given calls on a fork, and merges it. */
function subagent(): Tool {
  let script: Call[] = [];
  return defineSubagentTool({
    name: "subagent",
    description: "Works on a fork.",
    input: z.object({ calls: z.array(z.object({ tool: z.string(), input: z.unknown() })) }),
    adapter: new ScriptedAdapter({
      turns: () => {
        const next = script.shift();
        return next === undefined ? { text: "Done." } : { calls: [next] };
      },
      onError: () => {},
    }),
    async prompt(input, filesystem, session) {
      script = [...input.calls];
      const files = await VfsToolsSection.create({
        ...{ session, filesystem, readBeforeWrite: false, trackChanges: false },
      });
      const tools = [ownTool("own_write", "write"), ownTool("own_opaque", "opaque")];
      const own = new MarkdownSection({ key: "own", title: "Own", template: "Own.", tools });
      const sections = [files, own];
      return new Prompt(new PromptTemplate({ ns: "tests", key: "child", sections })).bind({});
    },
  }) as unknown as Tool;
}
