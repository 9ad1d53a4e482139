import type { Session } from "@wink/session";
import type { Tool } from "../protocol/tool.js";
import { fail, ok } from "../protocol/tool-result.js";
import { jsonSchema } from "../schema/json-schema.js";
import { defineTool } from "../tool/define-tool.js";
import { OpenSections } from "./opened-sections.js";
import { OPEN_SECTIONS, READ_SECTION } from "./section-tree.js";

/** What the disclosure tools need from their prompt. */
export interface Disclosure {
  /** The prompt as `ns/key`. */
  readonly prompt: string;
  /** Paths of the sections that are shown as a summary now. */
  summarised(session: Session): readonly string[];
  /** The full text of an enabled section, or `undefined` if no enabled section has this path. */
  read(path: string, session: Session): string | undefined;
}

/** The two tools of a prompt that has summarised sections. */
export function disclosureTools(disclosure: Disclosure): readonly Tool[] {
  const openSections = defineTool({
    name: OPEN_SECTIONS,
    description:
      "Open sections of these instructions that are shown in summary. From the next turn on they are shown in full, with their tools.",
    input: jsonSchema<{ readonly section_keys: readonly string[]; readonly reason?: string }>({
      type: "object",
      properties: {
        section_keys: {
          type: "array",
          items: { type: "string" },
          minItems: 1,
          description: "Keys of sections in summary, as their text gives them.",
        },
        reason: { type: "string", description: "Why they are needed, in one sentence." },
      },
      required: ["section_keys"],
      additionalProperties: false,
    }),
    access: "session",
    effects: "workspace",
    handler({ section_keys, reason = "" }, { session }) {
      const possible = disclosure.summarised(session);
      const wrong = section_keys.filter((key) => !possible.includes(key));
      if (wrong.length > 0)
        return fail(`Not summarised: ${wrong.join(", ")}.`, {
          hint: `Sections that can be opened: ${possible.join(", ") || "none"}.`,
        });
      const sections = [...new Set(section_keys)];
      session.dispatch(OpenSections({ prompt: disclosure.prompt, sections, reason }));
      return ok(
        { opened: sections },
        `Opened ${sections.join(", ")}; shown in full from the next turn on.`,
      );
    },
  });

  const readSection = defineTool({
    name: READ_SECTION,
    description: "Show the full text of one section of these instructions, without opening it.",
    input: jsonSchema<{ readonly section_key: string }>({
      type: "object",
      properties: {
        section_key: { type: "string", description: "The key of a section, such as `a` or `a/b`." },
      },
      required: ["section_key"],
      additionalProperties: false,
    }),
    access: "read",
    effects: "workspace",
    handler({ section_key }, { session }) {
      const text = disclosure.read(section_key, session);
      if (text === undefined)
        return fail(`Section '${section_key}' does not exist.`, {
          hint: `Sections in summary: ${disclosure.summarised(session).join(", ") || "none"}.`,
        });
      return ok(text, `The section '${section_key}'.`);
    },
    render: (text) => text,
  });

  return [openSections, readSection];
}
