import {
  defineTool,
  fail,
  jsonSchema,
  ok,
  type RenderedPrompt,
  type RenderedTool,
} from "@wink/prompt";
import { headOf } from "../context/clip.js";
import { READ_RESULT, resultPath } from "./context-state.js";
import type { ModelMessage } from "./model-client.js";

/** The part of the longest result that one page has, so that a page is never shortened itself. */
const PAGE = 0.8;

/** Lets the model read a result again that it cannot see any longer. */
export function readResultTool(
  messages: readonly ModelMessage[],
  rendered: RenderedPrompt,
  maxResultCharacters: number,
): RenderedTool {
  const tool = defineTool({
    name: READ_RESULT,
    description:
      "Show the result of an earlier call again that was removed or shortened to save space.",
    input: jsonSchema<{ tool_call_id: string; offset?: number }>({
      type: "object",
      properties: {
        tool_call_id: { type: "string", description: "The id that the removed result names." },
        offset: { type: "integer", minimum: 0, description: "Characters to skip." },
      },
      required: ["tool_call_id"],
      additionalProperties: false,
    }),
    access: "read",
    handler: ({ tool_call_id: id, offset = 0 }) => {
      const found = messages.findLast((each) => each.role === "tool" && each.toolCallId === id);
      if (found === undefined)
        return fail(`No result is stored for a call ${JSON.stringify(id.slice(0, 80))}.`);
      const page = headOf(found.text.slice(offset), Math.floor(maxResultCharacters * PAGE));
      const end = offset + page.length;
      const total = found.text.length.toLocaleString("en");
      const next = end < found.text.length ? ` Continue with offset ${end}.` : "";
      const images = "images" in found ? found.images : undefined;
      return ok(page, `Characters from ${offset} of ${total}.${next}`, {
        images,
      });
    },
    render: (text: string) => text,
  });
  return placed(tool, rendered);
}

/** Writes a long result to a file. The loop calls it itself; no model sees it. */
export function saveResultTool(rendered: RenderedPrompt): RenderedTool {
  const tool = defineTool({
    name: "save_result",
    description: "Store the result of a call.",
    input: jsonSchema<{ tool_call_id: string; text: string }>({
      type: "object",
      properties: { tool_call_id: { type: "string" }, text: { type: "string" } },
      required: ["tool_call_id", "text"],
      additionalProperties: false,
    }),
    access: "write",
    handler: async ({ tool_call_id: id, text }, { filesystem, signal }) => {
      const path = resultPath(id);
      await filesystem.write(path, text, { mode: "overwrite", signal });
      return ok({ path }, `Stored in ${path}.`);
    },
  });
  return placed(tool, rendered);
}

function placed(tool: ReturnType<typeof defineTool>, rendered: RenderedPrompt): RenderedTool {
  const { filesystem } = rendered;
  const workspace = rendered.tools.find((each) => each.filesystem === filesystem)?.workspace ?? "";
  return Object.freeze({ ...tool, section: "", workspace, filesystem, policies: [] });
}
