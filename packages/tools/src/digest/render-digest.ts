import { oneLine } from "../reply/quote.js";
import type { WorkspaceDigest } from "./workspace-digest.js";

const LONGEST_PATH = 300;

/** What a model is always told: the summary and what was found. */
export function renderDigestSummary({ summary, patterns }: WorkspaceDigest): string {
  if (patterns.length === 0) return summary;
  return `${summary}\n\n${patterns.map((pattern) => `- ${pattern}`).join("\n")}`;
}

/** The rest: what was written beside it, the tree, and the files that tell most. */
export function renderDigestDetails({ body, fileTree, keyFiles }: WorkspaceDigest): string {
  const parts = [
    body,
    fileTree === "" ? "" : `Files:\n\n${fenced(fileTree)}`,
    ...keyFiles.map(
      ({ path, content, truncated }) =>
        `\`${oneLine(path, LONGEST_PATH)}\`${truncated ? " (its beginning)" : ""}:\n\n${fenced(content)}`,
    ),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** In a fence that nothing in the text can close. */
function fenced(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, "")}\n${fence}`;
}
