import { PromptError } from "../error/prompt-error.js";
import { closeAll } from "./close-all.js";
import type { Resource, ResourceReader } from "./resource.js";

/**
 * The resources of one prompt, or of one call within it.
 *
 * Each is made once, when it is first asked for; one that could not be made is
 * tried again. They are closed in reverse order, all of them, whatever fails.
 */
export class ResourceScope implements ResourceReader, AsyncDisposable {
  readonly #known: ReadonlySet<Resource>;
  readonly #parent: ResourceScope | undefined;
  readonly #made = new Map<Resource, Promise<unknown>>();
  /** How to close what was made, in the order in which it was. */
  readonly #closers: (() => Promise<void>)[] = [];
  #closed = false;

  constructor(known: readonly Resource[], parent?: ResourceScope) {
    this.#known = new Set(known);
    this.#parent = parent;
  }

  get<Value>(resource: Resource<Value>): Promise<Value> {
    return this.#get(resource, []);
  }

  /** The resources of one call, which sees these as well. */
  forCall(): ResourceScope {
    return new ResourceScope([...this.#known], this);
  }

  /** Closes what was made. Rejects with what failed, after everything was tried. */
  async close(): Promise<void> {
    this.#closed = true;
    // What is being made right now must be closed too.
    await Promise.allSettled(this.#made.values());
    this.#made.clear();
    await closeAll(this.#closers.splice(0).reverse());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #get<Value>(resource: Resource<Value>, path: readonly Resource[]): Promise<Value> {
    if (resource.scope === "prompt" && this.#parent) return this.#parent.#get(resource, path);
    const subject = `resource '${resource.name}'`;
    if (this.#closed) throw new PromptError("closed", { subject });
    if (!this.#known.has(resource)) throw this.#unknown(subject);
    if (resource.scope === "tool-call" && !this.#parent)
      throw new PromptError("resource_unknown", {
        subject,
        reason: "it lives for one call of a tool, and there is none here",
      });
    if (path.includes(resource)) {
      const names = [...path, resource].map(({ name }) => name);
      throw new PromptError("resource_cycle", { subject, reason: names.join(" needs ") });
    }
    const making = this.#made.get(resource) ?? this.#make(resource, [...path, resource]);
    // The map holds under a token only what that token's `create` made.
    return making as Promise<Value>;
  }

  #make<Value>(resource: Resource<Value>, path: readonly Resource[]): Promise<Value> {
    const others: ResourceReader = { get: (other) => this.#get(other, path) };
    const making = (async () => {
      const value = await resource.create(others);
      this.#closers.push(async () => resource.close(value));
      return value;
    })();
    this.#made.set(resource, making);
    making.catch(() => this.#made.delete(resource));
    return making;
  }

  #unknown(subject: string): PromptError {
    const names = [...this.#known].map(({ name }) => name);
    const reason = `the template's resources are: ${names.join(", ") || "none"}`;
    return new PromptError("resource_unknown", { subject, reason });
  }
}
