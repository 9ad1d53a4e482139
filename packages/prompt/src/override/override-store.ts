import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { AnySection } from "../section/section.js";
import { walkTree } from "../section/section-tree.js";
import { hashText, hashTool } from "../template/describe-prompt.js";
import {
  type OverrideReport,
  type PromptOverrides,
  reportOverrides,
} from "../template/prompt-overrides.js";
import type { PromptTemplate } from "../template/prompt-template.js";
import {
  fromDisk,
  readStoreFile,
  type StoreFile,
  shownName,
  writeStoreFile,
} from "./override-file.js";
import { parseOverrides, writeOverrides } from "./override-json.js";
import { isOverrideStoreError, OverrideStoreError } from "./override-store-error.js";

export interface OverrideStoreOptions {
  /** The directory of the files, one per prompt: `<ns>/<key>.json`. */
  readonly directory: string;
  /** Maximum size of a file that is read. @default 1_048_576 (1 MiB) */
  readonly maxFileBytes?: number;
}

export interface SeedOptions {
  /** Whether to replace existing overrides. @default false: it fails with `exists` */
  readonly overwrite?: boolean;
}

/** A file of the store: its overrides, or the error why it cannot be read. */
export type StoredOverrides =
  | { readonly file: string; readonly overrides: PromptOverrides; readonly error?: undefined }
  | { readonly file: string; readonly error: OverrideStoreError };

/** One override and the text that it replaces. */
export interface OverrideDifference extends OverrideReport {
  /** The template's own text, or `undefined` if the section or tool does not exist. */
  readonly current: string | undefined;
  readonly override: string;
  readonly changed: boolean;
}

/** The result of `apply`. Pass it to `new Prompt(template, …)`. */
export interface AppliedOverrides {
  readonly overrides: PromptOverrides | undefined;
  /** The status of each override, including stale ones. */
  readonly report: readonly OverrideReport[];
}

type AnyTemplate = Pick<PromptTemplate<readonly AnySection[], unknown>, "ns" | "key" | "nodes">;

/** Stores prompt overrides on disk, where people can edit and review them. */
export class OverrideStore {
  readonly #directory: string;
  readonly #maxFileBytes: number;

  constructor({ directory, maxFileBytes = 1_048_576 }: OverrideStoreOptions) {
    this.#directory = path.resolve(directory);
    this.#maxFileBytes = maxFileBytes;
  }

  /** Writes the template's current texts as overrides, for people to edit. */
  async seed(
    template: AnyTemplate,
    { overwrite = false }: SeedOptions = {},
  ): Promise<PromptOverrides> {
    const file = this.#fileOf(template);
    if (!overwrite && (await readStoreFile(file, this.#maxFileBytes)) !== undefined)
      throw new OverrideStoreError("exists", { file: shownName(file) });
    const overrides = presentTexts(template);
    await this.save(overrides);
    return overrides;
  }

  /** Returns the stored overrides of a prompt, or `undefined` if it has none. */
  async load(prompt: Pick<PromptOverrides, "ns" | "key">): Promise<PromptOverrides | undefined> {
    const file = this.#fileOf(prompt);
    const source = await readStoreFile(file, this.#maxFileBytes);
    if (source === undefined) return undefined;
    const overrides = parseOverrides(source, shownName(file));
    if (overrides.ns !== prompt.ns || overrides.key !== prompt.key)
      throw new OverrideStoreError("wrong_prompt", { file: shownName(file) });
    return overrides;
  }

  async save(overrides: PromptOverrides): Promise<void> {
    const file = this.#fileOf(overrides);
    const source = writeOverrides(overrides);
    // Refuses to write overrides that could not be read again.
    parseOverrides(source, shownName(file));
    if (Buffer.byteLength(source) > this.#maxFileBytes)
      throw new OverrideStoreError("too_large", { file: shownName(file) });
    await writeStoreFile(file, source);
  }

  /**
   * Loads the overrides for the template and reports which ones apply, and why the others do not.
   */
  async apply(template: AnyTemplate): Promise<AppliedOverrides> {
    const overrides = await this.load(template);
    return { overrides, report: overrides ? reportOverrides(template, overrides) : [] };
  }

  /** Compares each override with the template's own text. */
  async diff(template: AnyTemplate): Promise<readonly OverrideDifference[]> {
    const { overrides, report } = await this.apply(template);
    if (overrides === undefined) return [];
    const present = textsByTarget(presentTexts(template));
    const stored = textsByTarget(overrides);
    return report.map((one) => {
      const current = present.get(`${one.kind} ${one.target}`);
      const override = stored.get(`${one.kind} ${one.target}`) ?? "";
      return { ...one, current, override, changed: current !== override };
    });
  }

  /** Lists every file of the store by name. Unreadable files are listed with their error. */
  async list(): Promise<readonly StoredOverrides[]> {
    const files = await this.#findFiles([]);
    const listed: StoredOverrides[] = [];
    for (const { segments, isLink } of files) {
      const file = segments.join("/");
      try {
        if (isLink) throw new OverrideStoreError("link", { file });
        const key = segments.at(-1)?.slice(0, -SUFFIX.length) ?? "";
        const overrides = await this.load({ ns: segments.slice(0, -1).join("/"), key });
        if (overrides) listed.push({ file, overrides });
      } catch (error) {
        if (!isOverrideStoreError(error)) throw error;
        listed.push({ file, error });
      }
    }
    return listed;
  }

  #fileOf({ ns, key }: Pick<PromptOverrides, "ns" | "key">): StoreFile {
    const segments = [...ns.split("/"), `${key}${SUFFIX}`];
    if (!segments.every((segment) => SEGMENT.test(segment)))
      throw new OverrideStoreError("bad_shape", {
        file: segments.join("/"),
        reason: "these are not valid names of a prompt",
      });
    return { directory: this.#directory, segments };
  }

  /** Finds every JSON file, and every symbolic link, so that `list` can report the links. */
  async #findFiles(above: readonly string[]): Promise<readonly FoundFile[]> {
    if (above.length > MAX_DEPTH) return [];
    const entries = await this.#entriesOf(above);
    const found: FoundFile[] = [];
    for (const entry of entries) {
      const segments = [...above, entry.name];
      const isLink = entry.isSymbolicLink();
      if (entry.isDirectory()) found.push(...(await this.#findFiles(segments)));
      else if (isLink || entry.name.endsWith(SUFFIX)) found.push({ segments, isLink });
    }
    return found;
  }

  async #entriesOf(above: readonly string[]): Promise<readonly Dirent[]> {
    try {
      const folder = path.join(this.#directory, ...above);
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    } catch (error) {
      // The directory does not exist before the first write; the store is then empty.
      if (above.length === 0 && isMissing(error)) return [];
      throw fromDisk(error, above.join("/"));
    }
  }
}

interface FoundFile {
  readonly segments: readonly string[];
  readonly isLink: boolean;
}

const SUFFIX = ".json";
const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}$/;
const MAX_DEPTH = 16;

function presentTexts({ ns, key, nodes }: AnyTemplate): PromptOverrides {
  const all = [...walkTree(nodes)].filter(({ section }) => section.acceptsOverrides);
  return {
    ns,
    key,
    sections: all
      .filter(({ section }) => section.source !== "")
      .map(({ path: target, section: { source } }) => ({
        path: target,
        hash: hashText(source),
        text: source,
      })),
    tools: all.flatMap(({ tools }) =>
      tools.map((tool) => ({
        name: tool.name,
        hash: hashTool(tool),
        description: tool.description,
      })),
    ),
  };
}

function textsByTarget({ sections, tools }: PromptOverrides): ReadonlyMap<string, string> {
  return new Map([
    ...sections.map((one) => [`section ${one.path}`, one.text] as const),
    ...tools.map((one) => [`tool ${one.name}`, one.description] as const),
  ]);
}

function isMissing(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === "ENOENT";
}
