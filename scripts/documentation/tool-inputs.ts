// Writes docs/tool-inputs.md from the schemas of the built-in tools. With --check, it only reports an outdated page.
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { MarkdownSection, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { PlanningToolsSection, SnapshotToolsSection, VfsToolsSection } from "@wink/tools";
import { BashSection } from "@wink/tools/bash";
import { PodmanSandboxSection } from "@wink/tools/podman";
import { PythonSection } from "@wink/tools/python";
import { root } from "../repository.js";
import { makeScratchFolder } from "../scratch-folder.js";

const PAGE = "docs/tool-inputs.md";

/** An engine that only describes itself. The section starts no container before the first command. */
const ENGINE = `#!/bin/sh
[ "$1" != info ] || echo '{"host":{"ociRuntime":{"name":"none"},"security":{"rootless":true}},"version":{"Version":"5"}}'
`;

interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

interface Group {
  readonly title: string;
  readonly tools: readonly ModelTool[];
}

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const file = path.join(root, PAGE);
const text = renderPage(await listGroups());
const isCurrent = existsSync(file) && readFileSync(file, "utf8") === text;
if (!values.check) writeFileSync(file, text);
else if (!isCurrent) {
  console.log(`${PAGE} is outdated; run \`npx -y pnpm@12.4.2 reference\`.`);
  process.exitCode = 1;
}

async function listGroups(): Promise<readonly Group[]> {
  const session = new Session();
  const files = await VfsToolsSection.create({ session });
  const python = new PythonSection({
    engine: {
      name: "none",
      description: "",
      run: () => Promise.reject(new Error("This program only reads schemas.")),
      close: async () => {},
    },
  });
  const summarised = new MarkdownSection({
    ...{ key: "more", title: "More", template: "Text.", summary: "A summary." },
    visibility: "summary",
  });
  const template = new PromptTemplate({ ns: "reference", key: "tools", sections: [summarised] });
  const disclosure = new Prompt(template).bind().render({ session }).tools;
  return [
    { title: "Files: `VfsToolsSection`", tools: files.tools },
    { title: "Plans: `PlanningToolsSection`", tools: new PlanningToolsSection({ session }).tools },
    { title: "Snapshots: `SnapshotToolsSection`", tools: new SnapshotToolsSection().tools },
    { title: "Python: `PythonSection` from `@wink/tools/python`", tools: python.tools },
    { title: "Scripts: `BashSection` from `@wink/tools/bash`", tools: new BashSection().tools },
    {
      title: "Commands: `PodmanSandboxSection` from `@wink/tools/podman`",
      tools: (await sandboxTools(session)).filter(({ name }) => name.startsWith("shell_")),
    },
    { title: "Sections in summary: every prompt that has one", tools: disclosure },
  ];
}

async function sandboxTools(session: Session): Promise<readonly ModelTool[]> {
  await using folder = await makeScratchFolder("engine");
  const engine = path.join(folder.path, "podman");
  writeFileSync(engine, ENGINE);
  chmodSync(engine, 0o755);
  const config = { engine, overlayRoot: path.join(folder.path, "workspaces") };
  await using section = await PodmanSandboxSection.create({ session, config });
  return section.tools;
}

function renderPage(groups: readonly Group[]): string {
  const parts = groups.flatMap(({ title, tools }) => [`## ${title}`, ...tools.map(renderTool)]);
  return `<!-- Generated from the schemas by \`npx -y pnpm@12.4.2 reference\`. Do not edit. -->

# The inputs of the built-in tools

A model sees these names, descriptions and fields. With a \`toolPrefix\` each name begins with it. A call with another field, or without a
required one, is answered with the problem, and changes nothing.

${parts.join("\n\n")}
`;
}

function renderTool({ name, description, inputSchema }: ModelTool): string {
  const fields = Object.entries(recordOf(inputSchema["properties"]));
  const required = inputSchema["required"];
  const rows = fields.map(([field, schema]) => {
    const each = recordOf(schema);
    const isRequired = Array.isArray(required) && required.includes(field) && !("default" in each);
    const fallback = "default" in each ? code(each["default"]) : isRequired ? "required" : "";
    const meaning = typeof each["description"] === "string" ? each["description"] : "";
    return `| \`${field}\` | ${typeOf(each)} | ${fallback} | ${escapeCell(meaning)} |`;
  });
  const table = ["| field | type | default | meaning |", "| --- | --- | --- | --- |", ...rows];
  return `### \`${name}\`\n\n${description.trim()}\n\n${rows.length === 0 ? "It has no fields." : table.join("\n")}`;
}

function typeOf(schema: Readonly<Record<string, unknown>>): string {
  const { type, minimum, exclusiveMinimum } = schema;
  if (Array.isArray(schema["enum"])) return schema["enum"].map(code).join(", ");
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices)) return choices.map((each) => typeOf(recordOf(each))).join(", or ");
  if (type === "array") return `list of: ${typeOf(recordOf(schema["items"]))}`;
  if (type === "object") {
    const names = Object.keys(recordOf(schema["properties"]));
    return names.length === 0
      ? "object"
      : `object (${names.map((name) => `\`${name}\``).join(", ")})`;
  }
  const least =
    typeof minimum === "number"
      ? ` from ${minimum}`
      : typeof exclusiveMinimum === "number"
        ? ` above ${exclusiveMinimum}`
        : "";
  return typeof type === "string" ? type + least : "any JSON";
}

function code(value: unknown): string {
  return `\`${escapeCell(JSON.stringify(value))}\``;
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
