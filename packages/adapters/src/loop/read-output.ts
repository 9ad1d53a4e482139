import type { StructuredOutput } from "@wink/prompt";

export type ReadOutput<Output> =
  | { readonly success: true; readonly value: Output }
  | {
      readonly success: false;
      /** For the model: what to mend. */
      readonly problem: string;
    };

const MOST_ISSUES = 20;

/** The model's last text as the template's output. A fence around the JSON is taken off. */
export async function readOutput<Output>(
  text: string,
  { schema }: StructuredOutput<Output>,
): Promise<ReadOutput<Output>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(withoutFence(text));
  } catch {
    return {
      success: false,
      problem:
        "Your answer is not JSON. Answer with one JSON value that fits the schema, and nothing else.",
    };
  }
  const checked = await schema["~standard"].validate(parsed);
  if (checked.issues === undefined) return { success: true, value: checked.value };
  const lines = checked.issues.slice(0, MOST_ISSUES).map(({ path = [], message }) => {
    const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
    return `- ${[...keys, message.slice(0, 200)].join(": ")}`;
  });
  return {
    success: false,
    problem: `Your answer does not fit the schema.\n${lines.join("\n")}\nAnswer again with these corrected, as JSON and nothing else.`,
  };
}

function withoutFence(text: string): string {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text);
  return fenced?.[1] ?? text;
}
