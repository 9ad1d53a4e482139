import { wrongArgument } from "../error/check-options.js";
import { PromptError } from "../error/prompt-error.js";
import { closeAll } from "./close-all.js";
import type { Resource, ResourceReader } from "./resource.js";

/**
 * The resources of one prompt, or of one call in it.
 *
 * Each resource is created once, on first use. A failed creation is tried again. Resources are
 * closed in reverse order; an error does not stop the others.
 */
export class ResourceScope implements ResourceReader, AsyncDisposable {
  readonly #known: ReadonlySet<Resource>;
  readonly #parent: ResourceScope | undefined;
  readonly #made = new Map<Resource, Promise<unknown>>();
  /** Functions that close the created resources, in creation order. */
  readonly #closers: (() => Promise<void>)[] = [];
  #closed = false;

  constructor(known: readonly Resource[], parent?: ResourceScope) {
    if (!Array.isArray(known)) throw wrongArgument("ResourceScope", "a list of resources", known);
    this.#known = new Set(known);
    this.#parent = parent;
  }

  get<Value>(resource: Resource<Value>): Promise<Value> {
    return this.#get(resource, []);
  }

  /** Creates a scope for one call. It also sees the resources of this scope. */
  forCall(): ResourceScope {
    return new ResourceScope([...this.#known], this);
  }

  /** Closes all created resources, then rejects if any of them failed. */
  async close(): Promise<void> {
    this.#closed = true;
    // Resources that are being created right now must be closed too.
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
    if (this.#closed) throw new PromptError("CLOSED", subject);
    if (!this.#known.has(resource)) throw this.#unknown(subject);
    if (resource.scope === "tool-call" && !this.#parent)
      throw new PromptError(
        "RESOURCE_UNKNOWN",
        subject,
        "its scope is 'tool-call', and no call is running. Use resourcesOf(context)",
      );
    if (path.includes(resource)) {
      const names = [...path, resource].map(({ name }) => name);
      throw new PromptError("RESOURCE_CYCLE", subject, names.join(" needs "));
    }
    const making = this.#made.get(resource) ?? this.#make(resource, [...path, resource]);
    // The map stores under a token only the value of that token's `create`.
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
    const names = [...this.#known].map(({ name }) => name).join(", ") || "none";
    const reason = `the template does not have it. Add it to resources, which are: ${names}`;
    return new PromptError("RESOURCE_UNKNOWN", subject, reason);
  }
}
