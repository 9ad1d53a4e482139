import { useState } from "preact/hooks";
import { forkCommand } from "../../model/find-in-overview.js";
import { type Inspector, useInspector } from "../state/inspector.js";

/** The command that continues the run from the selected event, or `undefined` if the run has no place. */
export function forkCommandOf(inspector: Inspector): string | undefined {
  const chosen = inspector.selection.value;
  const overview = inspector.indexes.value.get(chosen?.run ?? "")?.overview;
  return chosen && overview && forkCommand(overview, chosen.sequence);
}

/** Copies a text. Where the browser does not allow it, the text stays selectable. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The fork command with a button that copies it. */
export function ForkCommand() {
  const inspector = useInspector();
  const [copied, setCopied] = useState("");
  const command = forkCommandOf(inspector);
  if (command === undefined) return null;
  return (
    <div class="command">
      <span class="dim">fork here</span>
      <code
        tabIndex={0}
        role="textbox"
        aria-readonly="true"
        aria-label="Command that forks the run here"
      >
        {command}
      </code>
      <button
        type="button"
        class="chip"
        onClick={async () => setCopied((await copyText(command)) ? command : "")}
      >
        {copied === command ? "copied" : "copy"}
      </button>
    </div>
  );
}
