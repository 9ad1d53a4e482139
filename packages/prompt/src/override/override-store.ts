import { type Filesystem, isFilesystemError } from "@wink/filesystem";
import { checkOptions } from "../error/check-options.js";
import { isPromptError, PromptError } from "../error/prompt-error.js";
import { walkTree } from "../section/section-tree.js";
import { hashText, hashTool } from "../template/describe-prompt.js";
import {
  type AnyTemplate,
  type OverrideReport,
  type PromptOverrides,
  reportOverrides,
} from "../template/prompt-overrides.js";
import { isPromptName } from "../template/prompt-template.js";
import { invalidFile, parseOverrides, writeOverrides } from "./override-json.js";

/** A file of the store: its overrides, or the error why it cannot be read. */
export type StoredOverrides =
  | { readonly file: string; readonly overrides: PromptOverrides; readonly error?: undefined }
  | { readonly file: string; readonly error: Error };

/** One override and the text that it replaces. */
export interface OverrideDifference extends OverrideReport {
  /** The template's own text, or `undefined` if the section or tool does not exist. */
  readonly current: string | undefined;
  readonly override: string;
  readonly changed: boolean;
}

/**
 * Stores prompt overrides as files, where people can edit and review them: `<ns>/<key>.json`.
 *
 * Errors of the filesystem, such as a link in the place of a file, are passed on.
 */
export class OverrideStore {
  readonly #filesystem: Filesystem;
  readonly #maxFileBytes: number;

  constructor(options: {
    /** The filesystem of the files, such as a `HostFilesystem`. The caller closes it. */
    readonly filesystem: Filesystem;
    /** Maximum size of a file. @default 1_048_576 (1 MiB) */
    readonly maxFileBytes?: number;
  }) {
    checkOptions("OverrideStore", options, ["filesystem", "maxFileBytes"]);
    this.#filesystem = options.filesystem;
    this.#maxFileBytes = options.maxFileBytes ?? 1_048_576;
  }

  /**
   * Writes the template's current texts as overrides, for people to edit. Existing overrides are
   * replaced only with `overwrite`, otherwise it fails with `OVERRIDE_EXISTS`.
   */
  async seed(
    template: AnyTemplate,
    { overwrite = false }: { readonly overwrite?: boolean } = {},
  ): Promise<PromptOverrides> {
    const file = fileOf(template);
    if (!overwrite && (await this.#read(file)) !== undefined)
      throw new PromptError("OVERRIDE_EXISTS", `override file '${file}'`);
    const overrides = presentTexts(template);
    await this.save(overrides);
    return overrides;
  }

  /** Returns the stored overrides of a prompt, or `undefined` if it has none. */
  async load(prompt: Pick<PromptOverrides, "ns" | "key">): Promise<PromptOverrides | undefined> {
    const file = fileOf(prompt);
    const overrides = await this.#read(file);
    if (overrides && (overrides.ns !== prompt.ns || overrides.key !== prompt.key))
      throw wrongPrompt(file, overrides);
    return overrides;
  }

  async save(overrides: PromptOverrides): Promise<void> {
    const file = fileOf(overrides);
    const source = writeOverrides(overrides);
    // Refuses to write overrides that could not be read again.
    parseOverrides(source, file);
    const bytes = new TextEncoder().encode(source);
    this.#checkSize(file, bytes.length);
    await this.#filesystem.writeBytes(file, bytes);
  }

  /**
   * Loads the overrides for the template and reports which ones apply, and why the others do not. Pass the result to
   * `new Prompt(template, …)`.
   */
  async apply(template: AnyTemplate): Promise<{
    readonly overrides: PromptOverrides | undefined;
    readonly report: readonly OverrideReport[];
  }> {
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
    const listed: StoredOverrides[] = [];
    for (const file of await this.#findFiles(".")) {
      try {
        const overrides = await this.#read(file);
        if (overrides && fileOf(overrides) !== file) throw wrongPrompt(file, overrides);
        if (overrides) listed.push({ file, overrides });
      } catch (error) {
        if (!isPromptError(error) && !isFilesystemError(error)) throw error;
        listed.push({ file, error });
      }
    }
    return listed;
  }

  /** Every JSON file, and everything that is not a regular file, so that `list` can report it. */
  async #findFiles(folder: string): Promise<readonly string[]> {
    const found: string[] = [];
    for (const { path, kind } of await this.#filesystem.list(folder)) {
      if (kind === "directory") found.push(...(await this.#findFiles(path)));
      else if (kind !== "file" || path.endsWith(".json")) found.push(path);
    }
    return found;
  }

  async #read(file: string): Promise<PromptOverrides | undefined> {
    try {
      const limit = this.#maxFileBytes;
      const { content, sizeBytes } = await this.#filesystem.readBytes(file, { limit });
      this.#checkSize(file, sizeBytes);
      return parseOverrides(content, file);
    } catch (error) {
      if (isFilesystemError(error, "ENOENT")) return undefined;
      throw error;
    }
  }

  #checkSize(file: string, sizeBytes: number): void {
    if (sizeBytes > this.#maxFileBytes)
      throw invalidFile(file, `it is larger than ${this.#maxFileBytes} bytes (maxFileBytes)`);
  }
}

function fileOf({ ns, key }: Pick<PromptOverrides, "ns" | "key">): string {
  const file = `${ns}/${key}.json`;
  if (!isPromptName(ns, key)) throw invalidFile(file, "these are not valid names of a prompt");
  return file;
}

function wrongPrompt(file: string, { ns, key }: PromptOverrides): PromptError {
  return invalidFile(file, `it has the overrides of '${ns}/${key}'`);
}

function presentTexts({ ns, key, nodes }: AnyTemplate): PromptOverrides {
  const all = [...walkTree(nodes)].filter(({ section }) => section.acceptsOverrides);
  const sections = all
    .filter(({ section }) => section.source !== "")
    .map(({ path, section: { source } }) => ({ path, hash: hashText(source), text: source }));
  const tools = all.flatMap((node) =>
    node.tools.map((tool) => {
      const { name, description } = tool;
      return { name, hash: hashTool(tool), description };
    }),
  );
  return { ns, key, sections, tools };
}

function textsByTarget({ sections, tools }: PromptOverrides): ReadonlyMap<string, string> {
  return new Map([
    ...sections.map((one) => [`section ${one.path}`, one.text] as const),
    ...tools.map((one) => [`tool ${one.name}`, one.description] as const),
  ]);
}
