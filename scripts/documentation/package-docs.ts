import path from "node:path";
import { findCodeBlocks } from "./code-blocks.js";

/** Which pages of `docs/` each package contains, for people and coding agents who have only the package. */
export const shippedPages: Readonly<Record<string, readonly string[]>> = {
  "apps/cli": ["cli.md", "guides/inspect-a-run.md"],
  "packages/adapters": [
    "concepts/transactions.md",
    "guides/agent-sdks.md",
    "guides/ai-sdk.md",
    "guides/anthropic.md",
    "guides/browsers.md",
    "guides/completion.md",
    "guides/conversations.md",
    "guides/debugging-a-run.md",
    "guides/deepagents.md",
    "guides/langchain.md",
    "guides/mastra.md",
    "guides/long-runs.md",
    "guides/mcp-server.md",
    "guides/mcp.md",
    "guides/openai.md",
    "guides/production.md",
    "guides/queue-worker.md",
    "guides/replay.md",
    "guides/resume-a-run.md",
    "guides/runs.md",
    "guides/scripted.md",
    "guides/streaming.md",
    "guides/structured-output.md",
    "guides/subagents.md",
    "guides/telemetry.md",
    "guides/testing-an-agent.md",
    "guides/workers.md",
  ],
  "packages/filesystem": [
    "concepts/workspaces.md",
    "guides/node-fs.md",
    "guides/overlays.md",
    "guides/writing-a-backend.md",
    "security.md",
  ],
  "packages/prompt": [
    "an-agent-grows.md",
    "concepts/prompt.md",
    "guides/human-approval.md",
    "guides/writing-a-policy.md",
    "guides/writing-a-section.md",
    "guides/writing-a-tool.md",
  ],
  "packages/session": ["concepts/sessions.md"],
  "packages/tools": [
    "guides/bash.md",
    "guides/digest.md",
    "guides/files.md",
    "guides/planning.md",
    "guides/podman.md",
    "guides/python.md",
    "guides/skills.md",
    "guides/snapshots.md",
    "quickstart.md",
    "troubleshooting.md",
  ],
  "packages/store": [
    "guides/store-postgres.md",
    "guides/store-redis.md",
    "guides/store-s3.md",
    "guides/store-sqlite.md",
    "guides/stores.md",
    "guides/writing-a-store.md",
  ],
  "packages/workspace": ["guides/git.md", "guides/workspace.md"],
};

const LINK = /\[([^\]]*)\]\(([^\s()]+)\)/g;

/** A page as it is packed: links to files outside the package become text. */
export function withoutLostLinks(
  page: string,
  markdown: string,
  shipped: ReadonlySet<string>,
): string {
  const lines = markdown.split("\n");
  const code = new Set<number>();
  for (const { line, text } of findCodeBlocks(markdown))
    for (let offset = 0; offset < text.split("\n").length; offset++) code.add(line + offset);
  return lines
    .map((line, index) => (code.has(index) ? line : dropLinks(page, line, shipped)))
    .join("\n");
}

function dropLinks(page: string, line: string, shipped: ReadonlySet<string>): string {
  return line.replaceAll(LINK, (link, text: string, target: string) => {
    const [name = ""] = target.split("#");
    if (name === "" || /^[a-z]+:/.test(target)) return link;
    return shipped.has(path.posix.join(path.posix.dirname(page), name)) ? link : text;
  });
}

/** The first page of a package's documentation. */
export function renderContents(name: string, pages: ReadonlyMap<string, string>): string {
  const rows = [...pages].map(([page, markdown]) => {
    const title = /^# (.*)$/m.exec(markdown)?.[1] ?? page;
    return `- [${title}](${page})`;
  });
  return `# ${name}: documentation\n\n${rows.join("\n")}\n`;
}
