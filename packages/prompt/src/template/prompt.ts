import type { Filesystem } from "@wink/filesystem";
import type { Session } from "@wink/session";
import { checkOptions, describeWrong } from "../error/check-options.js";
import { PromptError } from "../error/prompt-error.js";
import { ReadLedger } from "../policy/read-ledger.js";
import type { RenderOptions } from "../protocol/bound-prompt.js";
import type { RenderedPrompt } from "../protocol/rendered-prompt.js";
import type { Tool } from "../protocol/tool.js";
import { closeAll } from "../resource/close-all.js";
import { ResourceScope } from "../resource/resource-scope.js";
import { type BoundValues, bindDefaults, bindParams } from "../section/bind-params.js";
import type { Bindings } from "../section/bindings.js";
import { disclosureTools } from "../section/disclosure-tools.js";
import { OpenedSections } from "../section/opened-sections.js";
import {
  findWorkspace,
  type RenderInput,
  renderOne,
  renderSections,
} from "../section/render-sections.js";
import type { AnySection } from "../section/section.js";
import { closeSection, openSection } from "../section/section-lifetime.js";
import { buildTree, mapTree, type SectionNode, walkTree } from "../section/section-tree.js";
import { blankSession, requireSession } from "../tool/blank-session.js";
import { ToolCalls } from "../tool/tool-calls.js";
import { RenderedOnce } from "./lazy-rendered-prompt.js";
import { cloneNode, findEnabled } from "./prompt-nodes.js";
import { applyOverrides, type OverrideReport, type PromptOverrides } from "./prompt-overrides.js";
import type { PromptTemplate } from "./prompt-template.js";

/**
 * A template with bound parameters: what an agent can think and do.
 *
 * Immutable, except for being open or closed. `Ready` tells the compiler whether all parameters are
 * bound, so that an unbound prompt cannot be run.
 */
export class Prompt<
  Sections extends readonly AnySection[] = readonly AnySection[],
  Output = undefined,
  Ready extends boolean = Record<never, never> extends Bindings<Sections> ? true : false,
> implements AsyncDisposable
{
  readonly template: PromptTemplate<Sections, Output>;
  /** The status of each override. */
  readonly overrides: readonly OverrideReport[];
  readonly resources: ResourceScope;
  // NoInfer: otherwise TypeScript would infer `Ready` as true where a bound prompt is expected.
  /** For the compiler only: it shows this text when an unbound prompt is run. */
  declare readonly "~ready"?:
    | (NoInfer<Ready> extends true
        ? true
        : "Call bind() with the parameters of the sections first.")
    | undefined;
  readonly #nodes: readonly SectionNode[];
  readonly #values: BoundValues;
  /** Sections without their required parameters. */
  readonly #missing: readonly string[];
  readonly #installed = new WeakSet<Session>();
  #blank: Session | undefined;
  #disclosure: readonly Tool[] | undefined;
  /** The sections that this prompt has open. */
  readonly #held = new Set<AnySection>();
  #opening: Promise<void> | undefined;
  #closed = false;

  constructor(
    template: PromptTemplate<Sections, Output>,
    options: {
      /** Overrides for the template's texts. Stale ones are reported and not applied. @default none */
      readonly overrides?: PromptOverrides | undefined;
    } = {},
  ) {
    const start = options instanceof Continued ? options : begin(template, options);
    this.template = template;
    this.overrides = start.report;
    this.resources = new ResourceScope(template.resources);
    this.#nodes = start.nodes;
    this.#values = start.bound;
    this.#missing = start.missing;
  }

  get ns(): string {
    return this.template.ns;
  }

  get key(): string {
    return this.template.key;
  }

  get name(): string {
    return this.template.name;
  }

  /**
   * Returns the prompt with these parameters, by the section's key, or by its path if it is nested.
   * Throws with the section's path if a parameter is missing, unknown or invalid.
   */
  bind(
    ...[bindings]: Record<never, never> extends Bindings<Sections>
      ? [bindings?: Bindings<Sections>]
      : [bindings: Bindings<Sections>]
  ): Prompt<Sections, Output, true> {
    const bound = bindParams(this.#nodes, bindings ?? {});
    return new Prompt(this.template, new Continued(this.#nodes, bound, this.overrides, []));
  }

  /**
   * Returns the prompt with further sections at its end, such as the rules of a directory. They have no required
   * parameters, and they are not part of the template and its hash.
   */
  with(...sections: readonly AnySection[]): Prompt<Sections, Output, Ready> {
    const { template } = this;
    const all = buildTree([...template.sections, ...sections], template.policies, this.#id);
    const added = mapTree(all.slice(this.#nodes.length), (node) => ({ ...node, isAdded: true }));
    const { bound, missing } = bindDefaults(added);
    const values = new Map([...this.#values, ...bound]);
    const nodes = [...this.#nodes, ...added];
    const needed = [...this.#missing, ...missing];
    return new Prompt(template, new Continued(nodes, values, this.overrides, needed));
  }

  /** Renders what the model sees now. The same input gives the same bytes. */
  render(
    this: Prompt<Sections, Output, true>,
    options: RenderOptions = {},
  ): RenderedPrompt<Output> {
    this.#requireBound();
    const rendering = renderSections(this.#nodes, this.#input(options));
    const disclosure = () => this.#disclosureTools();
    return new RenderedOnce<Output>(this, this.template, rendering, disclosure);
  }

  /**
   * The filesystem of the first enabled workspace section, depth-first. `undefined` if there is
   * none.
   */
  filesystem(options: RenderOptions = {}): Filesystem | undefined {
    return findWorkspace(this.#nodes, this.#input(options))?.filesystem;
  }

  async open(): Promise<void> {
    if (this.#closed) throw new PromptError("CLOSED", `prompt '${this.#id}'`);
    this.#opening ??= this.#openAll();
    await this.#opening;
  }

  async clone(): Promise<Prompt<Sections, Output, Ready>> {
    // Opens this prompt first, so that closing a clone does not close the shared sections.
    await this.open();
    const nodes = mapTree(this.#nodes, cloneNode);
    const clone = new Prompt<Sections, Output, Ready>(
      this.template,
      new Continued(nodes, this.#values, this.overrides, this.#missing),
    );
    try {
      await clone.open();
    } catch (error) {
      // Forks have no other user, so close them. The first error is the one to report.
      await clone.close().catch(() => {});
      throw error;
    }
    return clone;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    // The caller of `open` receives its error. Here we only wait for it to finish.
    await this.#opening?.catch(() => {});
    const sections = [...walkTree(this.#nodes)].map(({ section }) => section);
    await closeAll([() => this.resources.close(), ...sections.map((each) => this.#closer(each))]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #openAll(): Promise<void> {
    try {
      for (const { section } of walkTree(this.#nodes)) {
        if (this.#held.has(section)) continue;
        await openSection(section);
        this.#held.add(section);
      }
    } catch (error) {
      this.#opening = undefined;
      // Closes the opened sections again. The first error is the one to report.
      const opened = [...this.#held].reverse();
      await closeAll(opened.map((each) => this.#closer(each))).catch(() => {});
      throw error;
    }
  }

  #closer(section: AnySection): () => Promise<void> {
    return () => closeSection(section, this.#held.delete(section));
  }

  get #id(): string {
    return `${this.ns}/${this.key}`;
  }

  #input(options: RenderOptions): RenderInput {
    checkOptions(`prompt '${this.#id}'`, options, ["session"]);
    const session = options.session ?? this.#blankSession();
    requireSession(session, `prompt '${this.#id}'`);
    this.#install(session);
    return this.#inputOf(session);
  }

  /** For a tool call, which may not be allowed to install slices. Rendering has installed them. */
  #inputOf(session: Session): RenderInput {
    const opened = new Set(session.state(OpenedSections)[this.#id]);
    return { values: this.#values, session, opened };
  }

  #blankSession(): Session {
    this.#blank ??= blankSession();
    return this.#blank;
  }

  #install(session: Session): void {
    if (this.#installed.has(session)) return;
    // Install the slices before the first event: a session with `maxEvents` drops old events, and a slice that is
    // installed later could no longer be computed from them.
    session.install(OpenedSections, ToolCalls, ReadLedger);
    for (const { section } of walkTree(this.#nodes)) {
      session.install(...section.slices);
      for (const { slices = [] } of section.policies) session.install(...slices);
    }
    for (const { slices = [] } of this.template.policies) session.install(...slices);
    this.#installed.add(session);
  }

  #requireBound(): void {
    if (this.#missing.length === 0) return;
    const paths = this.#missing.map((path) => `'${path}'`).join(", ");
    const reason = `the parameters of ${paths} are not bound. Call bind() first`;
    throw new PromptError("NOT_BOUND", `prompt '${this.#id}'`, reason);
  }

  #disclosureTools(): readonly Tool[] {
    this.#disclosure ??= disclosureTools({
      prompt: this.#id,
      summarised: (session) =>
        renderSections(this.#nodes, this.#inputOf(session)).summarised.map(({ path }) => path),
      read: (path, session) => {
        const input = this.#inputOf(session);
        const node = findEnabled(this.#nodes, path, input);
        return node && renderOne(node, input);
      },
    });
    return this.#disclosure;
  }
}

/**
 * What a prompt passes to the prompt that `bind`, `with` or `clone` returns. Not exported, so that only this file can
 * use it.
 */
class Continued {
  declare readonly overrides?: undefined;
  readonly nodes: readonly SectionNode[];
  readonly bound: BoundValues;
  readonly report: readonly OverrideReport[];
  readonly missing: readonly string[];

  constructor(
    nodes: readonly SectionNode[],
    bound: BoundValues,
    report: readonly OverrideReport[],
    missing: readonly string[],
  ) {
    this.nodes = nodes;
    this.bound = bound;
    this.report = report;
    this.missing = missing;
  }
}

function begin(
  template: Parameters<typeof applyOverrides>[0],
  options: { readonly overrides?: PromptOverrides | undefined },
): Continued {
  if (typeof template !== "object" || template === null || !("nodes" in template))
    throw new PromptError(
      "ARGUMENT_INVALID",
      "new Prompt",
      `the first argument must be a PromptTemplate, got ${describeWrong(template)}`,
    );
  // The result of `OverrideStore.apply` also has the report.
  checkOptions("new Prompt", options, ["overrides", "report"]);
  const { overrides } = options;
  const { nodes, report } = applyOverrides(template, overrides);
  const { bound, missing } = bindDefaults(nodes);
  return new Continued(nodes, bound, report, missing);
}
