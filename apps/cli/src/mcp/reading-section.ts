import type { Filesystem } from "@wink/filesystem";
import { MarkdownSection, type WorkspaceSection } from "@wink/prompt";

/** A workspace section without the tools that change files, so that the model does not try them. */
export class ReadingSection<const Key extends string>
  extends MarkdownSection<Key>
  implements WorkspaceSection
{
  readonly filesystem: Filesystem;

  constructor(section: MarkdownSection<Key>, filesystem: Filesystem) {
    super({
      key: section.key,
      title: section.title,
      template: section.source,
      tools: section.tools.filter(({ access }) => access === "read"),
      slices: section.slices,
    });
    this.filesystem = filesystem;
  }
}
