import { defineTool, fail, jsonSchema, type Tool, type ToolContext } from "@wink/prompt";
import { reportError } from "../runtime/context/report-error.js";
import { cleanText } from "./clean-text.js";
import { readForeignAnswer } from "./foreign-answer.js";
import { isRecord } from "./foreign-tools.js";
import { type McpConnection, McpRefusal, type Reply } from "./mcp-connection.js";

const MAX_ENTRIES = 200;
const MAX_ENTRY_CHARACTERS = 500;

export interface ForeignTextOptions {
  readonly connection: McpConnection;
  readonly timeoutMs: number;
  readonly onError: ((error: unknown) => void) | undefined;
  /** Makes a unique name with the section's prefix. */
  readonly take: (name: string) => string;
}

const NONE = jsonSchema({ type: "object", properties: {}, additionalProperties: false });

/** Two tools for a server's resources or prompts: one lists them, one returns the text of one. */
export function mountForeignTexts(
  what: "resources" | "prompts",
  options: ForeignTextOptions,
): readonly Tool[] {
  return what === "resources" ? resourceTools(options) : promptTools(options);
}

function resourceTools(options: ForeignTextOptions): readonly Tool[] {
  const list = readingTool(options, {
    name: "list_resources",
    description: "Lists the resources of this server, which can be read by their URI.",
    input: NONE,
    request: () => ["resources/list", {}],
    read: (reply) => listing(reply["resources"], "uri", "The server has no resources."),
  });
  const read = readingTool(options, {
    name: "read_resource",
    description: "Returns the content of a resource of this server.",
    input: jsonSchema(objectOf({ uri: { type: "string" } }, ["uri"])),
    request: ({ uri }) => ["resources/read", { uri }],
    read: ({ contents }) => {
      const parts = Array.isArray(contents) ? contents : [];
      return { content: parts.map((resource: unknown) => ({ type: "resource", resource })) };
    },
  });
  return [list, read];
}

function promptTools(options: ForeignTextOptions): readonly Tool[] {
  const list = readingTool(options, {
    name: "list_prompts",
    description: "Lists the prompts of this server, with their arguments.",
    input: NONE,
    request: () => ["prompts/list", {}],
    read: (reply) => listing(reply["prompts"], "name", "The server has no prompts."),
  });
  const fields = { name: { type: "string" }, arguments: { type: "object" } };
  const get = readingTool(options, {
    name: "get_prompt",
    description: "Returns the text of a prompt of this server.",
    input: jsonSchema(objectOf(fields, ["name"])),
    request: ({ name, arguments: given = {} }) => ["prompts/get", { name, arguments: given }],
    read: ({ messages }) => {
      const parts = Array.isArray(messages) ? messages : [];
      return { content: parts.map((part: unknown) => (isRecord(part) ? part["content"] : part)) };
    },
  });
  return [list, get];
}

interface ReadingTool {
  readonly name: string;
  readonly description: string;
  readonly input: ReturnType<typeof jsonSchema>;
  readonly request: (input: Reply) => readonly [method: string, params: Reply];
  /** The reply as the answer of a tool. */
  readonly read: (reply: Reply) => Reply;
}

function readingTool(
  { connection, timeoutMs, onError, take }: ForeignTextOptions,
  { name, description, input, request, read }: ReadingTool,
): Tool {
  const tool = defineTool({
    ...{ name: take(name), description, input, access: "read" as const, timeoutMs },
    async handler(given: unknown, { signal }: ToolContext) {
      try {
        const [method, params] = request(isRecord(given) ? given : {});
        return readForeignAnswer(read(await connection.request(method, params, signal)));
      } catch (error) {
        signal.throwIfAborted();
        reportError(onError, error, "mcp");
        const isRefusal = error instanceof McpRefusal;
        return fail(
          isRefusal
            ? `The server refused: ${cleanText(error.message, MAX_ENTRY_CHARACTERS)}`
            : "The server of this tool cannot be reached.",
        );
      }
    },
    render: () => "",
  });
  // The caller keeps tools of all types in one list.
  return tool as unknown as Tool;
}

/** One line for each entry, by its key. */
function listing(entries: unknown, key: string, none: string): Reply {
  const lines = (Array.isArray(entries) ? entries : []).slice(0, MAX_ENTRIES).map((entry) => {
    if (!isRecord(entry)) return "";
    const { description = "", arguments: given } = entry;
    const fields = Array.isArray(given) && given.length > 0 ? ` ${JSON.stringify(given)}` : "";
    const line = `${String(entry[key])}${fields}: ${String(description)}`;
    return cleanText(line, MAX_ENTRY_CHARACTERS).replaceAll("\n", " ");
  });
  return { content: [{ type: "text", text: lines.join("\n") || none }] };
}

function objectOf(properties: object, required: readonly string[]) {
  return { type: "object", properties, required, additionalProperties: false } as never;
}
