import { defineSubagentTool, runToolCall } from "@wink/adapters";
import { ScriptedAdapter } from "@wink/adapters/scripted";
import { InMemoryFilesystem } from "@wink/filesystem";
import { MarkdownSection, Prompt, PromptTemplate } from "@wink/prompt";
import { noAdapter } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import {
  EditFile,
  MountFiles,
  SnapshotToolsSection,
  VfsToolsSection,
  VirtualFileSystem,
  vfsFiles,
} from "@wink/tools";
import { expect, it } from "vitest";
import { z } from "zod";

async function openAgent() {
  const session = new Session();
  const filesystem = new InMemoryFilesystem({ files: { "a.txt": "one\n" } });
  // Another key than the default, as `wink run` has.
  const files = await VfsToolsSection.create({ key: "work", session, filesystem });
  const write = { tool: "write_file", input: { path: "child.txt", content: "from a child\n" } };
  const delegate = defineSubagentTool({
    name: "delegate",
    description: "Works on a fork.",
    input: z.object({}),
    adapter: new ScriptedAdapter({ turns: [{ calls: [write] }, { text: "Done." }] }),
    async prompt(_input, fork, child) {
      const own = await VfsToolsSection.create({ session: child, filesystem: fork });
      const template = new PromptTemplate({ ns: "tests", key: "child", sections: [own] });
      return new Prompt(template).bind({});
    },
  });
  const task = new MarkdownSection({
    ...{ key: "task", title: "Task", template: "Work.", tools: [delegate] },
  });
  const sections = [task, files, new SnapshotToolsSection()];
  const prompt = new Prompt(new PromptTemplate({ ns: "tests", key: "parent", sections })).bind({});
  const call = async (toolName: string, input: unknown) => {
    const outcome = await runToolCall({
      ...{ rendered: prompt.render({ session }), adapter: noAdapter, session },
      call: { toolCallId: toolName, toolName, arguments: input },
    });
    expect(outcome.status).toBe("succeeded");
  };
  return { session, call };
}

it("the merge of a subagent leaves an event for each file, and the state lists it (AD-90, I-B2)", async () => {
  const { session, call } = await openAgent();
  await call("delegate", {});
  const changes = session.events.toArray().filter(({ type }) => type === "files.change");
  expect(changes.map(({ payload }) => payload)).toMatchObject([
    { workspace: "work", path: "child.txt", kind: "create", toolCallId: "delegate" },
  ]);
  expect(vfsFiles(session).map(({ path }) => path)).toEqual(["a.txt", "child.txt"]);
});

it("snapshot tools and file tools name the same workspace in their events (TL-30, TL-87, I-B3)", async () => {
  const { session, call } = await openAgent();
  await call("write_file", { path: "b.txt", content: "b\n" });
  await call("snapshot_create", { name: "s1" });
  await call("write_file", { path: "c.txt", content: "c\n" });
  await call("snapshot_restore", { name: "s1" });
  const named = session.events
    .toArray()
    .flatMap(({ payload }) =>
      typeof payload === "object" && payload !== null && "workspace" in payload
        ? [payload.workspace]
        : [],
    );
  expect(named.length).toBeGreaterThan(3);
  expect(new Set(named)).toEqual(new Set(["work"]));
});

it("an event about one file replaces a part of the state that does not grow with the workspace (TL-8, TL-86, I-B5)", () => {
  const replaced = (count: number) => {
    const session = new Session();
    const files = Array.from({ length: count }, (_, at) => ({
      path: `src/file-${String(at).padStart(6, "0")}.ts`,
      sizeBytes: 1,
    }));
    session.install(VirtualFileSystem);
    session.dispatch(MountFiles({ workspace: "work", files }));
    const before = objectsOf(session.state(VirtualFileSystem), new Set());
    const [{ path } = { path: "" }] = files;
    session.dispatch(
      EditFile({
        ...{ workspace: "work", writer: "w", tool: "edit_file", toolCallId: "c", path },
        ...{ edits: [], sizeBytes: 2, revision: "r2" },
      }),
    );
    expect(vfsFiles(session)).toHaveLength(count);
    return [...objectsOf(session.state(VirtualFileSystem), new Set())].filter(
      (each) => !before.has(each),
    ).length;
  };
  expect(replaced(20_000)).toBeLessThanOrEqual(3 * replaced(100));
});

function objectsOf(value: unknown, found: Set<object>): Set<object> {
  if (typeof value !== "object" || value === null || found.has(value)) return found;
  found.add(value);
  for (const each of Object.values(value)) objectsOf(each, found);
  return found;
}
