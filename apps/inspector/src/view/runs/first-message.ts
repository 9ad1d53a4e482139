import type { MessageView } from "../../model/run-views.js";
import type { RunSource } from "../../source/run-source.js";

/** The request of a turn: its run, the first event of the turn, and how many messages the request has. */
export interface RequestPlace {
  readonly run: string;
  readonly sequence: number;
  readonly messages: number;
}

export interface MessagePair {
  /** From 1. */
  readonly number: number;
  readonly left: MessageView | undefined;
  readonly right: MessageView | undefined;
}

const PAGE = 100;

/** The first message that is not the same in two requests, or `undefined`. */
export async function firstDifferentMessage(
  source: Pick<RunSource, "messages">,
  left: RequestPlace,
  right: RequestPlace,
): Promise<MessagePair | undefined> {
  const count = Math.max(left.messages, right.messages);
  const page = async ({ run, sequence, messages }: RequestPlace, from: number) => {
    const to = Math.min(from + PAGE, messages);
    return from < to ? (await source.messages(run, sequence, from, to)).messages : [];
  };
  for (let from = 0; from < count; from += PAGE) {
    const [one, two] = await Promise.all([page(left, from), page(right, from)]);
    for (let at = 0; at < PAGE && from + at < count; at++)
      if (textOf(one[at]) !== textOf(two[at]))
        return { number: from + at + 1, left: one[at], right: two[at] };
  }
  return undefined;
}

/** Everything that the model reads of a message. */
export function textOf(message: MessageView | undefined): string {
  if (message === undefined) return "";
  const { role, text, toolCalls, toolName, success } = message;
  const calls = toolCalls.map(
    ({ name, input }) => `calls ${name} ${JSON.stringify(input, null, 2)}`,
  );
  const from =
    toolName === null ? role : `${role} ${toolName}${success === false ? ", failed" : ""}`;
  return [from, text, ...calls].filter((part) => part !== "").join("\n");
}
