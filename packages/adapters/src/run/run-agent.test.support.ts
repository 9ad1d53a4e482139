import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Filesystem, SnapshotableFilesystem } from "@wink/filesystem";
import type { ToolAccess, ToolContext } from "@wink/prompt";
import { defineTool, fail, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { noAdapter } from "@wink/prompt/testing";
import { appendAll, defineEvent, defineSlice } from "@wink/session";
import { z } from "zod";
import { runToolCall } from "../runtime/call/run-tool-call.js";
import { ModelAdapter } from "../runtime/loop/model-adapter.js";
import type { ModelClient } from "../runtime/loop/model-client.js";
import { Run } from "./run.js";

const Note = defineEvent("test.note", z.object({ text: z.string() }));
export const Notes = defineSlice({
  name: "test.notes",
  schema: Note.schema,
  reducers: (on) => [on(Note, appendAll)],
});

export interface Place {
  readonly workspace: string;
  readonly run: string;
}

export function placeIn(directory: string): Place {
  return { workspace: join(directory, "workspace"), run: join(directory, "run") };
}

/** Creates the files that exist before the first call. */
export function layOut({ workspace }: Place): void {
  mkdirSync(join(workspace, "folder", "deep"), { recursive: true });
  for (const name of ["counter", "folder/a", "folder/deep/b", "gone"])
    writeFileSync(join(workspace, name), `first ${name}`);
}

export function openRun(place: Place): Promise<Run> {
  return Run.open(place.run, { workspace: place.workspace, session: { slices: [Notes] } });
}

/**
 * One tool for each way in which a call changes files and session, plus `spoil`, which changes
 * both and fails.
 */
export const KINDS = ["write", "opaque", "restore", "outer", "note"] as const;

const input = z.object({ round: z.number() });
type Round = z.infer<typeof input>;

async function changeFiles(filesystem: Filesystem, round: number): Promise<void> {
  await filesystem.write("counter", `${round}`, { mode: "overwrite" });
  await filesystem.write(`made-${round}/new`, `${round}`);
  await filesystem.delete("folder", { recursive: true });
  await filesystem.write("folder", "a file now");
  await filesystem.delete("folder");
  await filesystem.write("folder/a", `${round} a`);
  await filesystem.write("folder/deep/b", `${round} b`);
}

function toolsFor(run: Run) {
  const workspace = run.filesystem.root;
  const note = (context: ToolContext, text: string) => context.session.dispatch(Note({ text }));
  const define = (
    name: string,
    access: ToolAccess,
    handler: (round: Round, context: ToolContext) => Promise<void>,
  ) =>
    defineTool({
      ...{ name, access, input, description: "Changes what there is." },
      async handler(round, context) {
        note(context, `${round.round} ${name} begins`);
        await handler(round, context);
        note(context, `${round.round} ${name} ends`);
        return name === "spoil" ? fail("It did not work.") : ok(undefined, "Done.");
      },
    });
  return [
    define("write", "write", ({ round }, { filesystem }) => changeFiles(filesystem, round)),
    define("spoil", "write", ({ round }, { filesystem }) => changeFiles(filesystem, -round)),
    define("opaque", "opaque", async ({ round }, { filesystem }) => {
      await changeFiles(filesystem, round);
      rmSync(join(workspace, "folder", "deep"), { recursive: true });
      writeFileSync(join(workspace, "counter"), `${round} directly`);
      writeFileSync(join(workspace, "side"), `${round}`);
    }),
    define("restore", "write", async ({ round }, { filesystem }) => {
      const files = filesystem as SnapshotableFilesystem;
      await files.write("counter", `${round}`, { mode: "overwrite" });
      const snapshot = await files.snapshot();
      await changeFiles(files, -round);
      await files.restore(snapshot);
      await files.write("restored", `${round}`);
    }),
    define("outer", "write", async ({ round }, context) => {
      await context.filesystem.write("outer", `${round}`);
      await call(run, "write", round, context);
      await context.filesystem.write("outer", `${round} again`, { mode: "overwrite" });
    }),
    define("note", "session", async () => {}),
    defineTool({
      ...{ name: "look", access: "read", input, description: "Changes nothing." },
      handler: async (_, { filesystem }) => ok((await filesystem.read("counter")).content, "Read."),
    }),
  ];
}

class Files extends MarkdownSection<"files"> {
  readonly filesystem: Filesystem;

  constructor(filesystem: Filesystem, tools: ReturnType<typeof toolsFor>) {
    super({ key: "files", title: "Files", template: "Files.", tools });
    this.filesystem = filesystem;
  }
}

interface CallOptions extends Pick<ToolContext, "session" | "filesystem"> {
  /** Whether an error is expected. @default false */
  readonly quiet?: boolean;
}

/** Makes one call as a model would, nested in another call if its handles are given. */
export async function call(
  run: Run,
  toolName: string,
  round: number,
  { session, filesystem, quiet = false }: CallOptions = run,
): Promise<string> {
  const sections = [new Files(filesystem, toolsFor(run))];
  const template = new PromptTemplate({ ns: "tests", key: "disk", sections });
  const { status } = await runToolCall({
    rendered: new Prompt(template).bind({}).render({ session }),
    ...{ adapter: noAdapter, session },
    onError: (error, where) => quiet || console.error(toolName, round, where, error),
    call: { toolCallId: `${toolName}-${round}`, toolName, arguments: { round } },
  });
  return status;
}

/** Lets a model make the calls of one round, the failing one first. Resolves to the status of the other. */
export async function evaluateRound(run: Run, toolName: string, round: number): Promise<string> {
  const names = ["spoil", toolName];
  let status = "";
  const client: ModelClient = {
    name: "rounds",
    async ask({ messages }) {
      const name = names[messages.length / 2];
      const call = { toolCallId: `${name}-${round}`, toolName: name ?? "" };
      const toolCalls =
        name === undefined ? [] : [{ ...call, arguments: JSON.stringify({ round }) }];
      const usage = { inputTokens: 1, outputTokens: 1 };
      return { text: "", toolCalls, usage, stopReason: "end" };
    },
  };
  const { session } = run;
  const sections = [new Files(run.filesystem, toolsFor(run))];
  const prompt = new Prompt(new PromptTemplate({ ns: "tests", key: "disk", sections })).bind({});
  await new ModelAdapter(client).evaluate(prompt, {
    session,
    onEvent(event) {
      if (event.type === "tool-call-finished" && event.toolName === toolName)
        status = event.result.success ? "succeeded" : "failed";
    },
  });
  return status;
}

/** The visible state of session and files. */
export function stateOf(run: Run) {
  const workspace = run.filesystem.root;
  const files = readdirSync(workspace, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${path.slice(workspace.length)} ${entry.isFile() ? readFileSync(path, "utf8") : "/"}`;
    })
    .sort();
  const notes = run.session
    .slice(Notes)
    .all()
    .map(({ text }) => text);
  return { files, notes };
}

/** How many calls are committed. */
export function roundsIn({ notes }: { readonly notes: readonly string[] }): number {
  return new Set(notes.map((text) => text.split(" ")[0])).size;
}
