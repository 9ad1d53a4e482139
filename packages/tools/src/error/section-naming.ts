import type { Kind } from "./check-options.js";

/** How a section appears in a prompt. Every section of this package takes these options. */
export interface SectionNaming<Key extends string> {
  /** Whether prompt overrides may replace its text and the descriptions of its tools. @default false */
  readonly acceptsOverrides?: boolean | undefined;
  /** The key of the section. @default the one that the type of the section names */
  readonly key?: Key | undefined;
  /** The heading of the section. @default the section's own, such as `Planning` */
  readonly title?: string | undefined;
}

/** How a section with tools appears in a prompt. */
export interface ToolSectionNaming<Key extends string> extends SectionNaming<Key> {
  /** The names of its tools begin with this. @default "" */
  readonly toolPrefix?: string | undefined;
}

export const NAMING = {
  acceptsOverrides: "boolean",
  key: "string",
  title: "string",
} as const satisfies Record<string, Kind>;

export const TOOL_NAMING = { ...NAMING, toolPrefix: "string" } as const;

/** The options of `Section` for how it appears. `key` is the default of the type `Key`. */
export function nameSection<Key extends string>(
  options: ToolSectionNaming<Key>,
  key: string,
  title: string,
) {
  return {
    // Without a key in the options, `Key` is its default.
    key: options.key ?? (key as Key),
    title: options.title ?? title,
    toolPrefix: options.toolPrefix ?? "",
    acceptsOverrides: options.acceptsOverrides ?? false,
  };
}
