import type { ApprovalAnswer, ApprovalQuestion, OnApproval } from "@wink/prompt";
import { askText, chooseKey } from "../terminal/ask.js";
import type { Io } from "../terminal/io.js";
import { remark, stderrColorsFor } from "../terminal/print.js";
import { oneLine, safeText } from "../terminal/terminal-text.js";
import { colorPatch } from "../view/color-patch.js";
import { describeCall } from "../view/describe-call.js";

/**
 * Asks the person at the terminal about a call: allow it, show its diff, always allow such calls, or deny it with a
 * reason. Ctrl-C at the question calls `interrupt`. Questions of concurrent calls come one after the other.
 */
export function approveCalls(io: Io, interrupt: () => void): OnApproval {
  let last: Promise<unknown> = Promise.resolve();
  return (question) => {
    const answer = last.then(() => ask(io, question, interrupt));
    last = answer.catch(() => {});
    return answer;
  };
}

async function ask(
  io: Io,
  question: ApprovalQuestion,
  interrupt: () => void,
): Promise<ApprovalAnswer> {
  const { tool, input, patch } = question;
  const stop = (): ApprovalAnswer => {
    interrupt();
    return { allow: false, reason: "A person stopped the run." };
  };
  const { bold, yellow } = stderrColorsFor(io);
  const about = oneLine(describeCall(input), Math.max(20, io.columns - tool.length - 14));
  remark(io, `${yellow("?")} ${bold(safeText(tool))} ${safeText(about)}`);
  const answers = [
    ...["yes", ...(patch === undefined ? ["input"] : ["diff"])],
    ...["always", "no"],
  ];
  for (;;) {
    const answer = await chooseKey(io, "Allow this call?", answers);
    switch (answer) {
      case "yes":
        return { allow: true };
      case "diff":
        io.stderr.write(colorPatch(patch ?? "", stderrColorsFor(io)));
        break;
      case "input":
        remark(io, safeText(JSON.stringify(input, null, 2) ?? ""));
        break;
      case "always":
        return (await askPattern(io, question)) ?? stop();
      case "no":
        return (await askReason(io)) ?? stop();
      default:
        return stop();
    }
  }
}

/** `undefined` after Ctrl-C. */
async function askPattern(
  io: Io,
  { paths = [] }: ApprovalQuestion,
): Promise<ApprovalAnswer | undefined> {
  if (paths.length === 0) return { allow: true, remember: true };
  const pattern = await askText(io, "Always allow it for files that match:", patternFor(paths));
  if (pattern === undefined) return undefined;
  return { allow: true, remember: pattern === "" ? true : { pattern } };
}

/** `undefined` after Ctrl-C. */
async function askReason(io: Io): Promise<ApprovalAnswer | undefined> {
  const reason = await askText(io, "Why not? (for the agent; Enter for no reason)", "");
  if (reason === undefined) return undefined;
  return reason === ""
    ? { allow: false }
    : { allow: false, reason: `A person denied this call: ${reason}` };
}

/** The directory that all paths share: `src/**` for `src/a.ts` and `src/b/c.ts`. */
function patternFor(paths: readonly string[]): string {
  const [first = [], ...rest] = paths.map((path) => path.split("/").slice(0, -1));
  const shared = first.filter((name, at) => rest.every((names) => names[at] === name));
  return [...shared, "**"].join("/");
}
