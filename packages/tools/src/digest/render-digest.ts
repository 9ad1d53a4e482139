import { checkOptions, checkValue } from "../error/check-options.js";
import { oneLine } from "../reply/quote.js";
import type { WorkspaceDigest } from "./workspace-digest.js";

const MAX_PATH_CHARACTERS = 300;

/** Renders a digest as text: the summary and the findings, and with `details` also the file tree and the key files. */
export function renderDigest(
  digest: WorkspaceDigest,
  options: {
    /** @default false */
    readonly details?: boolean | undefined;
  } = {},
): string {
  checkOptions("renderDigest", options, { details: "boolean" });
  const { details = false } = options;
  checkValue("renderDigest: digest", digest, "object");
  checkValue("renderDigest: patterns of the digest", digest.patterns, "strings");
  checkValue("renderDigest: keyFiles of the digest", digest.keyFiles, "objects");
  const summary = renderDigestSummary(digest);
  const shown = details ? renderDigestDetails(digest) : "";
  return shown === "" ? summary : `${summary}\n\n${shown}`;
}

/** The part that a model always sees: the summary and the findings. */
export function renderDigestSummary({ summary, patterns }: WorkspaceDigest): string {
  if (patterns.length === 0) return summary;
  return `${summary}\n\n${patterns.map((pattern) => `- ${pattern}`).join("\n")}`;
}

/** The details: the written body, the file tree and the key files. */
export function renderDigestDetails({ body, fileTree, keyFiles }: WorkspaceDigest): string {
  const parts = [
    body,
    fileTree === "" ? "" : `Files:\n\n${fenced(fileTree)}`,
    ...keyFiles.map(
      ({ path, content, truncated }) =>
        `\`${oneLine(path, MAX_PATH_CHARACTERS)}\`${truncated ? " (beginning)" : ""}:\n\n${fenced(content)}`,
    ),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Puts the text into a code fence that is longer than any fence in the text. */
function fenced(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, "")}\n${fence}`;
}
