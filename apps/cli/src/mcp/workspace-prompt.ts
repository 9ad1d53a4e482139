import type { Filesystem } from "@wink/filesystem";
import {
  type AnySection,
  type BoundPrompt,
  MarkdownSection,
  Prompt,
  PromptTemplate,
  requireApproval,
} from "@wink/prompt";
import type { Session } from "@wink/session";
import { SnapshotToolsSection, VfsToolsSection } from "@wink/tools";
import { ReadingSection } from "./reading-section.js";

export interface WorkspacePromptOptions {
  readonly session: Session;
  readonly filesystem: Filesystem;
  readonly mode: "workspace" | "in-place" | "read-only";
  readonly asks: boolean;
}

const KEY = "workspace";

/** The prompt for an MCP client's model: the files, the tools to work on them, and snapshots. */
export async function workspacePrompt({
  session,
  filesystem,
  mode,
  asks,
}: WorkspacePromptOptions): Promise<BoundPrompt> {
  const files = await VfsToolsSection.create({
    session,
    key: KEY,
    filesystem,
    trackChanges: false,
  });
  const snapshots = new SnapshotToolsSection();
  const template = new PromptTemplate({
    ns: "wink",
    key: "mcp",
    policies: asks ? [requireApproval(({ tool }) => tool.access !== "read")] : [],
    sections: sectionsFor(mode, files, snapshots),
  });
  return new Prompt(template).bind({});
}

function sectionsFor(
  mode: WorkspacePromptOptions["mode"],
  files: VfsToolsSection<typeof KEY>,
  snapshots: SnapshotToolsSection,
): readonly AnySection[] {
  if (mode === "read-only") return [new ReadingSection(files, files.filesystem)];
  if (mode === "workspace") return [files, snapshots];
  const inPlace = new MarkdownSection({
    key: "in-place",
    title: "In place",
    template:
      "These are a person's own files: every successful call is written to their directory immediately. They can undo it, call by call.",
  });
  return [files, snapshots, inPlace];
}
