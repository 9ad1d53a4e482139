import path from "node:path";
import type { Plugin, UserConfig } from "vite";
import { SuiteReporter } from "./suite-reporter.js";

/** A path inside the copy of the other project. */
export function folder(below: string): string {
  return path.join(process.env["WINK_FOREIGN_COPY"] ?? ".", below);
}

export interface Suite {
  readonly root: string;
  /** Our module with the same exports, by the end of the path of a module of the other project. */
  readonly replace: Readonly<Record<string, string>>;
  /** The same for a run over the other project's own module. @default none */
  readonly replaceOwn?: Readonly<Record<string, string>>;
  /** Other names for modules. @default none */
  readonly alias?: readonly { readonly find: RegExp; readonly replacement: string }[];
  /** The settings of its tests. */
  readonly test: object;
}

/** The settings for a run of another project's tests. `WINK_FOREIGN_OWN` runs them over its own module instead. */
export function suiteConfig(suite: Suite): UserConfig & { test: object } {
  const { root, replace, replaceOwn = {}, alias = [], test } = suite;
  const conditions = ["@wink/source", "node", "development|production"];
  const own = process.env["WINK_FOREIGN_OWN"] !== undefined;
  return {
    root,
    resolve: { conditions, alias: [...alias] },
    ssr: { resolve: { conditions } },
    plugins: [replaceModules(own ? replaceOwn : replace)],
    test: {
      globals: true,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      reporters: [new SuiteReporter()],
      ...test,
    },
  };
}

/** Replaces modules, in the other project's tests and in the rest of its code. */
function replaceModules(replace: Suite["replace"]): Plugin {
  const ours = new Set(Object.values(replace));
  return {
    name: "wink-foreign-suite",
    enforce: "pre",
    async resolveId(source, importer, options) {
      if (importer === undefined || ours.has(importer)) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      const id = found?.id.split("?")[0];
      return Object.entries(replace).find(([suffix]) => id?.endsWith(suffix))?.[1] ?? null;
    },
  };
}
