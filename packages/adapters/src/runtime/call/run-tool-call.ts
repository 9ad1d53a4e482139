import type { PolicyCall, RenderedTool } from "@wink/prompt";
import { noWorkspace } from "@wink/prompt/adapter";
import type { LockMode } from "../transaction/call-locks.js";
import { behind, CallScope, scopeOf, type Wanted } from "../transaction/call-scope.js";
import { changesFiles } from "../transaction/call-transaction.js";
import { CallAttempt } from "./call-attempt.js";
import { CallLimit } from "./call-limit.js";
import { CallReport } from "./call-report.js";
import { firstPartOf, type LastPart } from "./first-part.js";
import type { RunToolCallOptions } from "./run-tool-call-options.js";
import type { ToolOutcome } from "./tool-outcome.js";

/** Handlers of read-only tools that changed the session in an earlier call. */
const sessionChangers = new WeakSet<RenderedTool["handler"]>();

/**
 * Runs one tool call as a transaction over files and session: it is committed or leaves no trace.
 *
 * Never rejects. Unknown tools, bad arguments, denials, failures, timeouts and aborts are
 * outcomes with an answer for the model. Calls are ordered by when this function is called:
 * reading calls overlap, all others run one at a time. If a call cannot be rolled back, every
 * later call is refused until `recover`.
 */
export function runToolCall(options: RunToolCallOptions): Promise<ToolOutcome> {
  const { rendered, session, call, signal, deadline } = options;
  const tool = rendered.tool(call.toolName);
  const around = scopeOf(session, tool?.filesystem);
  const scope = new CallScope(wantedBy(tool, options), around);
  const limit = new CallLimit([signal, around?.ending], deadline);
  const outcome = runInTurn(tool, scope, limit, options);
  around?.track(outcome);
  return outcome;
}

async function runInTurn(
  tool: RenderedTool | undefined,
  scope: CallScope,
  limit: CallLimit,
  options: RunToolCallOptions,
): Promise<ToolOutcome> {
  const report = new CallReport(tool, options);
  let prepared: PolicyCall | undefined;
  let lastPart: LastPart | undefined;
  try {
    for (;;) {
      const turn = scope.ticket.wait();
      if (turn !== undefined) await limit.race(turn);
      if (tool === undefined) return report.unknown();
      const known = { prepared, lastPart };
      const attempt = new CallAttempt({ tool, scope, limit, report, run: options, ...known });
      const outcome = await attempt.run();
      prepared = attempt.prepared;
      lastPart = attempt.lastPart;
      if (attempt.changesSession) sessionChangers.add(tool.handler);
      if (outcome !== "again") return outcome;
      scope.askAgainAlone(behind(options.session));
      if (lastPart !== undefined && tool.filesystem) scope.askAgainAlone(behind(tool.filesystem));
    }
  } catch (error) {
    return limit.givenUp === undefined
      ? report.broken(error)
      : report.givenUp(limit.givenUp, "", error);
  } finally {
    limit.close();
    scope.ticket.release();
  }
}

function wantedBy(
  tool: RenderedTool | undefined,
  { session }: RunToolCallOptions,
): readonly Wanted[] {
  if (tool === undefined) return [{ resource: behind(session), mode: "shared" }];
  const hasFirstPart = firstPartOf(tool) !== undefined;
  const files: LockMode = changesFiles(tool.access) && !hasFirstPart ? "exclusive" : "shared";
  const isChanger = tool.access === "session" || sessionChangers.has(tool.handler);
  const state = isChanger && !hasFirstPart ? "exclusive" : files;
  const wanted: Wanted[] = [{ resource: behind(session), mode: state }];
  const filesystem = tool.filesystem ?? noWorkspace;
  // Prompts without a workspace share one filesystem that refuses everything. It needs no lock.
  if (filesystem !== noWorkspace) wanted.push({ resource: behind(filesystem), mode: files });
  return wanted;
}
