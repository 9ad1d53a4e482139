import type { SectionView } from "../../model/run-views.js";

/** A section of two prompts. */
export interface ComparedSection {
  readonly path: string;
  readonly title: string;
  readonly before: SectionView | undefined;
  readonly after: SectionView | undefined;
  readonly change: "same" | "changed" | "new" | "gone" | "shown";
}

/** Compares the sections of two prompts by path. Without an earlier prompt, all are `shown`. */
export function compareSections(
  before: readonly SectionView[] | undefined,
  after: readonly SectionView[],
): readonly ComparedSection[] {
  const earlier = new Map(before?.map((section) => [section.path, section]));
  const compared = after.map((section): ComparedSection => {
    const old = earlier.get(section.path);
    earlier.delete(section.path);
    const { path, title } = section;
    const change = old?.text === section.text ? "same" : old === undefined ? "new" : "changed";
    return { path, title, before: old, after: section, change: before ? change : "shown" };
  });
  for (const section of earlier.values())
    compared.push({
      path: section.path,
      title: section.title,
      before: section,
      after: undefined,
      change: "gone",
    });
  return compared;
}
