// Module hooks for agent files. This is plain JavaScript, because older Node versions load
// resolution hooks in a separate thread.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

let own;

/**
 * `home` is a file of this package to resolve from. `index` is the module for `@wink/cli`.
 * `stripsTypes` tells whether this Node runs TypeScript.
 */
export function initialize(data) {
  own = data;
}

/** Synchronous if `next` is synchronous; otherwise it may return a promise. */
export function resolve(specifier, context, next) {
  const file = findTypeScript(specifier, context.parentURL);
  // tsx would load a TypeScript file without a package.json as CommonJS, but it uses `import`.
  if (file !== undefined && !own.stripsTypes)
    return { url: file, format: "module", shortCircuit: true };
  const recover = (error) => {
    if (!isOwn(specifier) || !isUnresolved(error)) throw error;
    if (specifier === "@wink/cli") return { url: own.index, format: "module", shortCircuit: true };
    return next(specifier, { ...context, parentURL: own.home });
  };
  try {
    const resolved = next(file ?? specifier, context);
    return resolved instanceof Promise ? resolved.catch(recover) : resolved;
  } catch (error) {
    return recover(error);
  }
}

/** The agent's TypeScript file that an import means: `./tools.ts`, `./tools.js` or `./tools`. */
function findTypeScript(specifier, parentURL) {
  if (!/^(\.{1,2}\/|file:)/.test(specifier)) return undefined;
  const { href, pathname } = new URL(specifier, parentURL);
  if (pathname.includes("/node_modules/")) return undefined;
  if (/\.m?ts$/.test(pathname)) return href;
  if (existsSync(fileURLToPath(href))) return undefined;
  return [href.replace(/js$/, "ts"), `${href}.ts`].find((each) => existsSync(fileURLToPath(each)));
}

/** Packages that wink brings along for agents in directories where nothing is installed. */
export function isOwn(specifier) {
  return specifier.startsWith("@wink/") || specifier === "zod" || specifier.startsWith("zod/");
}

/** The package is not installed, or it has no entry point (as this package in a clone). */
function isUnresolved(error) {
  return ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND", "ERR_PACKAGE_PATH_NOT_EXPORTED"].includes(
    error?.code,
  );
}
