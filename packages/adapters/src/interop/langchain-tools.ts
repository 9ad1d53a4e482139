import type { StructuredToolInterface } from "@langchain/core/tools";
import type { BoundPrompt, RenderedTool } from "@wink/prompt";
import { describeTool } from "@wink/prompt/adapter";
import type { Session } from "@wink/session";
import { loadSdk } from "../providers/load-sdk.js";
import type { ToolOutcome } from "../runtime/call/tool-outcome.js";
import type { InteropOptions } from "./interop-options.js";
import { PromptTools } from "./prompt-tools.js";
import { imagesOf } from "./result-images.js";

const PACKAGE = "@langchain/core";

/**
 * Converts a prompt's tools for `createAgent({ tools })` of LangChain and for LangGraph.
 *
 * Each call is a transaction over files and session. A failed call does not throw: its message has the status `error` and
 * reports the rolled-back changes. LangChain binds its tools once, so open all sections before. Opens the prompt and does
 * not close it.
 */
export async function toLangChainTools(
  prompt: BoundPrompt,
  session: Session,
  options: InteropOptions = {},
): Promise<StructuredToolInterface[]> {
  const { tool: defineLangChainTool } = await loadSdk(
    PACKAGE,
    () => import("@langchain/core/tools"),
  );
  const { ToolMessage } = await loadSdk(PACKAGE, () => import("@langchain/core/messages"));
  const tools = await PromptTools.open(prompt, session, options, { subject: "toLangChainTools" });
  let calls = 0;
  const make = ({ name, inputSchema, ...rest }: RenderedTool): StructuredToolInterface =>
    defineLangChainTool(
      async (input: unknown, config: LangChainConfig) => {
        const toolCallId = config.toolCall?.id ?? `call-${++calls}`;
        const call = { toolCallId, toolName: name, arguments: input };
        const outcome = await tools.call(call, config.signal);
        return new ToolMessage({
          ...{ tool_call_id: toolCallId, name, content: contentOf(outcome) },
          status: outcome.result.success ? "success" : "error",
        });
      },
      {
        name,
        description: describeTool({ name, inputSchema, ...rest } as RenderedTool),
        // The tool validates its own input and gives the model better error messages.
        schema: structuredClone(inputSchema) as Record<string, unknown>,
      },
    ) as StructuredToolInterface;
  return tools.render().tools.map(make);
}

/** The parts of the second argument that are used. */
interface LangChainConfig {
  readonly signal?: AbortSignal;
  readonly toolCall?: { readonly id?: string };
}

function contentOf({ text, result }: ToolOutcome) {
  const images = imagesOf(result);
  if (images.length === 0) return text;
  return [
    { type: "text" as const, text },
    ...images.map(({ data, mediaType }) => ({
      ...{ type: "image" as const, mimeType: mediaType, data },
    })),
  ];
}
