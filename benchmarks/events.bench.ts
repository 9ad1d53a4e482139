import { runToolCall } from "@wink/adapters";
import { InMemoryFilesystem } from "@wink/filesystem";
import { Prompt, PromptTemplate } from "@wink/prompt";
import { noAdapter } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import { EditFile, VfsToolsSection } from "@wink/tools";
import type { Run } from "./harness.js";

const SMALL = 100;
const LARGE = 100_000;

/** What a change of one file costs in a small and in a large workspace. */
export async function run(run: Run): Promise<void> {
  const count = run.quick ? 200 : 1_000;
  const small = await workspace(SMALL);
  const large = await workspace(LARGE);
  await run.compare({
    name: `${count} EditFile events with VirtualFileSystem in a workspace of 100,000 files`,
    ours: () => large.dispatch(count),
    peers: { "100 files": () => small.dispatch(count) },
    targets: [{ peer: "100 files", atLeast: 0.5 }],
  });
  await run.compare({
    name: `${count} edit_file calls in a workspace of 100,000 files`,
    ours: () => large.edit(count),
    peers: { "100 files": () => small.edit(count) },
    targets: [{ peer: "100 files", atLeast: 0.5 }],
  });
}

async function workspace(fileCount: number) {
  const files: Record<string, string> = {};
  for (let index = 0; index < fileCount; index++) files[pathOf(index)] = "text 0\n";
  const session = new Session({ maxEvents: 1_000 });
  const filesystem = new InMemoryFilesystem({ files });
  const section = await VfsToolsSection.create({
    ...{ session, filesystem, readBeforeWrite: false, trackChanges: false },
  });
  const sections = [section];
  const prompt = new Prompt(new PromptTemplate({ ns: "bench", key: "edits", sections })).bind({});
  const rendered = prompt.render({ session });
  let edits = 0;
  const next = () => {
    edits++;
    return { path: pathOf((edits * 7919) % fileCount), toolCallId: `call-${edits}` };
  };
  return {
    dispatch(count: number): void {
      const author = { workspace: "vfs", writer: "bench/edits", tool: "edit_file" };
      const change = {
        edits: [{ oldString: "a", newString: "b", replaceAll: false }],
        sizeBytes: 7,
      };
      for (let index = 0; index < count; index++)
        session.dispatch(EditFile({ ...author, ...change, ...next() }));
    },
    async edit(count: number): Promise<void> {
      for (let index = 0; index < count; index++) {
        const { path, toolCallId } = next();
        const content = (await filesystem.read(path)).content.trimEnd();
        const args = { path, old_string: content, new_string: `text ${edits}` };
        const call = { toolCallId, toolName: "edit_file", arguments: args };
        const { status } = await runToolCall({ rendered, adapter: noAdapter, session, call });
        if (status !== "succeeded") throw new Error(`edit_file ${status}`);
      }
    },
  };
}

function pathOf(index: number): string {
  return `folder-${index % 300}/file-${index}.txt`;
}
