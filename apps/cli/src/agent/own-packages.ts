import * as nodeModule from "node:module";

/** What `bin/resolve-own-packages.js` is told. */
interface OwnPackages {
  /** A file of this package, to resolve from. */
  readonly home: string;
  /** What `@wink/cli` means. */
  readonly index: string;
}

interface ResolveHooks {
  initialize(data: OwnPackages): void;
  readonly resolve: unknown;
}

const HOOKS = new URL("../../bin/resolve-own-packages.js", import.meta.url).href;

let offered: Promise<void> | undefined;

/** Makes `@wink/*` and zod resolve for agents that lie where nothing is installed. */
export function offerOwnPackages(): Promise<void> {
  offered ??= offer();
  return offered;
}

async function offer(): Promise<void> {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const data: OwnPackages = {
    home: import.meta.url,
    index: new URL(`../index.${extension}`, import.meta.url).href,
  };
  // Newer Nodes have hooks in this thread, and call the other kind deprecated.
  if (!hasRegisterHooks(nodeModule)) {
    nodeModule.register(HOOKS, { data });
    return;
  }
  // A file of this package, plain JavaScript, that exports just these.
  const hooks = (await import(HOOKS)) as ResolveHooks;
  hooks.initialize(data);
  nodeModule.registerHooks({ resolve: hooks.resolve });
}

/** The types are those of the oldest Node that is supported. */
function hasRegisterHooks<Module extends object>(
  module: Module,
): module is Module & { registerHooks(hooks: { readonly resolve: unknown }): void } {
  return "registerHooks" in module && typeof module.registerHooks === "function";
}
