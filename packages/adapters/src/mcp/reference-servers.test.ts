import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { MarkdownSection, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { describe, expect, it, onTestFinished } from "vitest";
import { PromptTools } from "../interop/prompt-tools.js";
import { McpSection } from "./mcp-section.js";
import type { McpProgress } from "./mount-foreign-tool.js";

type Inputs = Readonly<Record<string, object>>;

const { resolve } = createRequire(import.meta.url);
const EXPECTED = { timeout: 200_000 };

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "wink-reference-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

/** Mounts a reference server of the MCP project, which is installed as a package, and calls every tool with the input. */
async function callAll(
  server: string,
  inputs: Inputs,
  {
    args = [],
    env,
  }: { readonly args?: readonly string[]; readonly env?: Record<string, string> } = {},
) {
  const manifest = resolve(`@modelcontextprotocol/server-${server}/package.json`);
  const progress: McpProgress[] = [];
  const section = await McpSection.create({
    key: server,
    command: process.execPath,
    args: [join(dirname(manifest), "dist/index.js"), ...args],
    ...(env && { env }),
    timeoutMs: 100_000,
    connectTimeoutMs: 100_000,
    onProgress: (step) => progress.push(step),
  });
  onTestFinished(() => section.close());
  const task = new MarkdownSection({ key: "task", title: "Task", template: "Go." });
  const template = new PromptTemplate({ ns: "tests", key: server, sections: [task, section] });
  const prompt = new Prompt(template).bind({});
  const session = new Session();
  const access = Object.fromEntries(
    prompt
      .render({ session })
      .tools.map((tool) => [tool.name.slice(server.length + 1), tool.access]),
  );
  expect(Object.keys(inputs).sort()).toEqual(Object.keys(access).sort());
  const tools = await PromptTools.open(prompt, session);
  const answers: Record<string, string> = {};
  for (const [name, input] of Object.entries(inputs)) {
    const toolName = `${server}_${name}`;
    const { status, text } = await tools.call(
      { toolCallId: name, toolName, arguments: input },
      undefined,
    );
    answers[name] = `${status}: ${text}`;
  }
  return { access, answers, progress, leftOut: section.leftOut };
}

describe("a reference server works through McpSection", () => {
  it("everything: tools, images, resources, prompts and progress (AD-150)", EXPECTED, async () => {
    const { access, answers, progress, leftOut } = await callAll("everything", {
      echo: { message: "hello" },
      "get-annotated-message": { messageType: "success", includeImage: true },
      "get-env": {},
      "get-resource-links": { count: 2 },
      "get-resource-reference": { resourceType: "Text", resourceId: 1 },
      "get-structured-content": { location: "Chicago" },
      "get-sum": { a: 2, b: 3 },
      "get-tiny-image": {},
      "gzip-file-as-resource": { name: "a.gz", data: "data:text/plain,hello" },
      "toggle-simulated-logging": {},
      "toggle-subscriber-updates": {},
      "trigger-long-running-operation": { duration: 0.1, steps: 2 },
      list_resources: {},
      read_resource: { uri: "demo://resource/dynamic/text/1" },
      list_prompts: {},
      get_prompt: { name: "args-prompt", arguments: { city: "Chicago", state: "IL" } },
    });
    expect(access).toMatchObject({ echo: "read", "toggle-simulated-logging": "opaque" });
    expect(failuresOf(answers)).toEqual([]);
    expect(answers).toMatchObject({
      echo: expect.stringContaining("Echo: hello"),
      "get-resource-reference": expect.stringContaining("demo://resource/dynamic/text/1"),
      "get-sum": expect.stringContaining("is 5"),
      "get-structured-content": expect.stringContaining('"humidity":82'),
      list_resources: expect.stringContaining("demo://resource/session/a.gz"),
      read_resource: expect.stringContaining("Resource 1: This is a plaintext resource"),
      list_prompts: expect.stringContaining("args-prompt"),
      get_prompt: expect.stringContaining("weather in Chicago, IL"),
    });
    expect(progress).toContainEqual(
      expect.objectContaining({ tool: "trigger-long-running-operation", progress: 1, total: 2 }),
    );
    const reason = "it can only run as a task of the protocol";
    expect(leftOut).toEqual([{ name: "simulate-research-query", reason }]);
  });

  it("filesystem: every tool, and nothing outside its directory (AD-150)", EXPECTED, async () => {
    const root = await temporaryDirectory();
    await writeFile(join(root, "a.txt"), "one\n");
    const path = join(root, "a.txt");
    const { access, answers } = await callAll(
      "filesystem",
      {
        read_file: { path },
        read_text_file: { path, head: 1 },
        read_media_file: { path },
        read_multiple_files: { paths: [path] },
        write_file: { path: join(root, "b.txt"), content: "two\n" },
        edit_file: { path, edits: [{ oldText: "one", newText: "1" }] },
        create_directory: { path: join(root, "d") },
        list_directory: { path: root },
        list_directory_with_sizes: { path: root },
        directory_tree: { path: root },
        move_file: { source: join(root, "b.txt"), destination: join(root, "d/b.txt") },
        search_files: { path: root, pattern: "**/*.txt" },
        get_file_info: { path: "/etc/passwd" },
        list_allowed_directories: {},
      },
      { args: [root] },
    );
    expect(failuresOf(answers)).toEqual(["get_file_info"]);
    expect(answers["get_file_info"]).toContain("path outside allowed directories");
    expect(answers["search_files"]).toContain(join(root, "d/b.txt"));
    expect(await readFile(path, "utf8")).toBe("1\n");
    expect(await readFile(join(root, "d/b.txt"), "utf8")).toBe("two\n");
    expect(access).toMatchObject({ read_file: "read", write_file: "opaque" });
  });

  it("memory: every tool of its graph (AD-150)", EXPECTED, async () => {
    const file = join(await temporaryDirectory(), "graph.json");
    const ada = { name: "Ada", entityType: "person", observations: ["writes"] };
    const bob = { name: "Bob", entityType: "person", observations: [] };
    const knows = { from: "Ada", to: "Bob", relationType: "knows" };
    const { answers } = await callAll(
      "memory",
      {
        create_entities: { entities: [ada, bob] },
        create_relations: { relations: [knows] },
        add_observations: { observations: [{ entityName: "Bob", contents: ["reads"] }] },
        search_nodes: { query: "reads" },
        open_nodes: { names: ["Ada"] },
        delete_observations: { deletions: [{ entityName: "Bob", observations: ["reads"] }] },
        delete_relations: { relations: [knows] },
        delete_entities: { entityNames: ["Bob"] },
        read_graph: {},
        list_resources: {},
        read_resource: { uri: "memory://knowledge-graph" },
      },
      { env: { MEMORY_FILE_PATH: file } },
    );
    expect(failuresOf(answers)).toEqual([]);
    expect(answers["search_nodes"]).toContain('"reads"');
    expect(answers["read_graph"]).toContain('"Ada"');
    expect(answers["read_graph"]).not.toContain('"Bob"');
    expect(answers["list_resources"]).toContain("memory://knowledge-graph");
    expect(answers["read_resource"]).toContain('"Ada"');
  });
});

/** The calls that failed. */
function failuresOf(answers: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(answers).filter((name) => !answers[name]?.startsWith("succeeded"));
}
