import { fieldsOf, type RunFacts, textOf } from "./run-facts.js";
import type { ApprovalRow } from "./run-overview.js";

const STATUS: Readonly<Record<string, ApprovalRow["status"]>> = {
  ...{ requested: "waiting", parked: "waiting", approved: "approved", denied: "denied" },
};

/** Lists what the run waits for or waited for: approvals of calls, and other answers. */
export function buildApprovals({ transcript, events, part }: RunFacts): readonly ApprovalRow[] {
  const rows = new Map<string, ApprovalRow>();
  for (const record of transcript) {
    const { sequence, at } = record;
    if (record.kind === "approval") {
      const known = rows.get(record.approval);
      const status = STATUS[record.what] ?? "waiting";
      const reason = record.reason ?? known?.reason ?? "needs approval";
      const place = known ?? { id: record.approval, sequence, at, toolCallId: record.call };
      rows.set(record.approval, { ...place, status, reason });
    }
    if (record.kind === "park") {
      const fields = fieldsOf(part(record.reason));
      const reason = textOf(fields["reason"]) ?? textOf(fields["kind"]) ?? "waits for an answer";
      const toolCallId = textOf(fields["toolCallId"]);
      rows.set(`park ${record.park}`, {
        ...{ id: record.park, sequence, at, toolCallId, status: "waiting", reason },
      });
    }
    const parked = record.kind === "answer" ? rows.get(`park ${record.park}`) : undefined;
    if (parked !== undefined) rows.set(`park ${parked.id}`, { ...parked, status: "ended" });
  }
  return transcript.length > 0 ? [...rows.values()] : approvalsOfLog(events);
}

/** A log without a transcript has events of approvals. */
function approvalsOfLog(events: RunFacts["events"]): readonly ApprovalRow[] {
  const rows = new Map<string, ApprovalRow>();
  for (const { type, payload, sequence, timestampMs } of events) {
    const { id, tool } = fieldsOf(payload);
    const key = String(id);
    const row = rows.get(key);
    if (type === "prompt.request-approval")
      rows.set(key, {
        ...{ id: key, sequence, at: timestampMs, toolCallId: null },
        ...{ status: "waiting", reason: `${tool} needs approval` },
      });
    else if (row !== undefined && type === "prompt.approve-call")
      rows.set(key, { ...row, status: "approved" });
    // An approved call ends its approval when it runs.
    else if (row?.status === "waiting" && type === "prompt.end-approval")
      rows.set(key, { ...row, status: "ended" });
  }
  return [...rows.values()];
}
