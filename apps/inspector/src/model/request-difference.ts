import type { MessagePage, PromptView } from "./run-views.js";

/** How two requests to a model differ. */
export interface RequestDifference {
  readonly sections: readonly NamedDifference[];
  readonly tools: readonly NamedDifference[];
  /** The position of the first message that differs. `null` if all are equal. */
  readonly message: number | null;
  readonly outputSchema: boolean;
}

interface NamedDifference {
  readonly name: string;
  readonly type: "added" | "removed" | "changed";
}

/** One of the two requests: its prompt, and a function that loads its messages in pages. */
export interface ComparedRequest {
  readonly prompt: PromptView;
  messages(from: number, to: number): Promise<MessagePage>;
}

const PAGE = 200;

/** Compares two requests section by section, tool by tool, and message by message. */
export async function compareRequests(
  left: ComparedRequest,
  right: ComparedRequest,
): Promise<RequestDifference> {
  const named = (list: readonly (readonly [string, unknown])[]) =>
    new Map(list.map(([name, value]) => [name, JSON.stringify(value)]));
  const sections = ({ prompt }: ComparedRequest) =>
    named(prompt.sections.map(({ path, title, text }) => [title || path || "prompt", text]));
  const tools = ({ prompt }: ComparedRequest) =>
    named(prompt.tools.map((tool) => [tool.name, [tool.description, tool.inputSchema]]));
  const schema = ({ prompt }: ComparedRequest) => JSON.stringify(prompt.outputSchema);
  return {
    sections: differences(sections(left), sections(right)),
    tools: differences(tools(left), tools(right)),
    message: await firstMessage(left, right),
    outputSchema: schema(left) !== schema(right),
  };
}

function differences(
  left: ReadonlyMap<string, string>,
  right: ReadonlyMap<string, string>,
): readonly NamedDifference[] {
  const names = new Set([...left.keys(), ...right.keys()]);
  return [...names].flatMap((name): readonly NamedDifference[] => {
    if (!left.has(name)) return [{ name, type: "added" }];
    if (!right.has(name)) return [{ name, type: "removed" }];
    return left.get(name) === right.get(name) ? [] : [{ name, type: "changed" }];
  });
}

async function firstMessage(left: ComparedRequest, right: ComparedRequest): Promise<number | null> {
  const counts = [left.prompt.messages, right.prompt.messages];
  const [shorter, longer] = [Math.min(...counts), Math.max(...counts)];
  for (let from = 0; from < shorter; from += PAGE) {
    const to = Math.min(shorter, from + PAGE);
    const [a, b] = [await left.messages(from, to), await right.messages(from, to)];
    // Ids are hashes, so equal messages have equal ids.
    const at = a.messages.findIndex(({ id }, index) => id !== b.messages[index]?.id);
    if (at >= 0) return from + at;
  }
  return shorter === longer ? null : shorter;
}

/** `section Task changed, tool grep added, message 4 differs` */
export function describeDifference(difference: RequestDifference): string {
  const { sections, tools, message, outputSchema } = difference;
  const parts = [
    ...sections.map(({ name, type }) => `section ${name} ${type}`),
    ...tools.map(({ name, type }) => `tool ${name} ${type}`),
    ...(message === null ? [] : [`message ${message + 1} differs`]),
    ...(outputSchema ? ["the schema of the output changed"] : []),
  ];
  return parts.join(", ");
}
