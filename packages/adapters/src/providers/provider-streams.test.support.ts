import type { Json } from "./stream-server.test.support.js";

/** Streams of the three APIs, as their documentation shows them. */

const USAGE = { input_tokens: 20, output_tokens: 10 };

/** https://platform.claude.com/docs/en/build-with-claude/streaming */
export const claude = {
  /** A block: how it starts, and its deltas. */
  block: (start: Json, ...deltas: readonly Json[]) => ({ start, deltas }),

  turn(
    blocks: readonly { readonly start: Json; readonly deltas: readonly Json[] }[],
    stop_reason: string,
    usage: Json = {},
  ): readonly Json[] {
    const about = { id: "msg_1", type: "message", role: "assistant", model: "claude-x-20260101" };
    return [
      {
        type: "message_start",
        message: { ...about, content: [], stop_reason: null, usage: { ...USAGE, ...usage } },
      },
      ...blocks.flatMap(({ start, deltas }, index) => [
        { type: "content_block_start", index, content_block: start },
        ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
        { type: "content_block_stop", index },
      ]),
      {
        type: "message_delta",
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: 10 },
      },
      { type: "message_stop" },
    ];
  },

  text: (text: string) => claude.block({ type: "text", text: "" }, { type: "text_delta", text }),

  call: (id = "call_1") =>
    claude.block(
      { type: "tool_use", id, name: "look", input: {} },
      { type: "input_json_delta", partial_json: '{"detail":' },
      { type: "input_json_delta", partial_json: '"x"}' },
    ),
};

/** https://developers.openai.com/api/reference/resources/responses/streaming-events */
export const responses = {
  turn(items: readonly Json[], usage: Json = {}): readonly Json[] {
    const about = { id: "resp_1", object: "response", created_at: 1, model: "gpt-x-2026" };
    const started = { ...about, status: "in_progress", output: [] };
    const details = { input_tokens_details: { cached_tokens: 0 } };
    const counted = { ...USAGE, ...details, output_tokens_details: { reasoning_tokens: 0 } };
    return [
      { type: "response.created", response: started },
      ...items.flatMap((item, output_index) => [
        { type: "response.output_item.added", output_index, item: begun(item) },
        ...deltasOf(item, output_index),
        { type: "response.output_item.done", output_index, item },
      ]),
      {
        type: "response.completed",
        response: {
          ...{ ...about, status: "completed", output: items },
          usage: { ...counted, ...usage },
        },
      },
    ];
  },

  text: (text: string, more: Json = {}, annotations: readonly Json[] = []) => ({
    ...{ type: "message", id: "msg_1", role: "assistant", status: "completed", ...more },
    content: [{ type: "output_text", text, annotations }],
  }),

  call: (call_id = "call_1") => ({
    ...{ type: "function_call", id: `fc_${call_id}`, call_id, name: "look", status: "completed" },
    arguments: '{"detail":"x"}',
  }),

  reasoning: (text: string, more: Json = {}) => ({
    ...{ type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text }], ...more },
  }),
};

/** An item as it is when it is added: without what its deltas bring. */
function begun(item: Json): Json {
  if (item["type"] === "message") return { ...item, status: "in_progress", content: [] };
  if (item["type"] === "function_call") return { ...item, status: "in_progress", arguments: "" };
  return item["type"] === "reasoning" ? { ...item, summary: [] } : item;
}

function deltasOf(item: Json, output_index: number): readonly Json[] {
  const at = { item_id: item["id"], output_index };
  // The items above have these fields.
  const parts = (item["content"] ?? []) as readonly Json[];
  const summary = (item["summary"] ?? []) as readonly { readonly text: string }[];
  return [
    ...parts.flatMap(({ text = "", annotations = [] }, content_index) => [
      { type: "response.output_text.delta", ...at, content_index, delta: text },
      ...(annotations as readonly Json[]).map((annotation, annotation_index) => ({
        ...{ type: "response.output_text.annotation.added", ...at, content_index },
        ...{ annotation_index, annotation },
      })),
    ]),
    ...summary.flatMap(({ text }, summary_index) => [
      { type: "response.reasoning_summary_part.added", ...at, summary_index },
      { type: "response.reasoning_summary_text.delta", ...at, summary_index, delta: text },
      { type: "response.reasoning_summary_part.done", ...at, summary_index },
    ]),
  ];
}

/** https://developers.openai.com/api/reference/resources/chat/subresources/completions/streaming-events */
export const chat = {
  turn(deltas: readonly Json[], finish_reason: string, usage: Json = {}): readonly Json[] {
    const about = { id: "chat_1", object: "chat.completion.chunk", created: 1, model: "llama-x" };
    const chunk = (delta: Json, finish: string | null) => ({
      ...{ ...about, choices: [{ index: 0, delta, finish_reason: finish }] },
    });
    const counted = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30, ...usage };
    return [
      chunk({ role: "assistant", content: "" }, null),
      ...deltas.map((delta) => chunk(delta, null)),
      chunk({}, finish_reason),
      { ...about, choices: [], usage: counted },
    ];
  },

  text: (content: string) => ({ content }),

  call: (id = "call_1", more: Json = {}) => ({
    tool_calls: [
      {
        ...{ index: 0, id, type: "function", ...more },
        function: { name: "look", arguments: '{"detail":"x"}' },
      },
    ],
  }),
};
