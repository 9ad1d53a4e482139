// Lets an agent file import wink's own packages from any directory, even if nothing is installed
// there. Packages that the project has installed come first. This is plain JavaScript, because
// older Node versions load resolution hooks in a separate thread.

let own;

/** `home` is a file of this package to resolve from. `index` is the module for `@wink/cli`. */
export function initialize(data) {
  own = data;
}

/** Synchronous if `next` is synchronous; otherwise it returns a promise. */
export function resolve(specifier, context, next) {
  const recover = (error) => {
    if (!isOwn(specifier) || !isUnresolved(error)) throw error;
    if (specifier === "@wink/cli") return next(own.index, context);
    return next(specifier, { ...context, parentURL: own.home });
  };
  try {
    const resolved = next(specifier, context);
    return resolved instanceof Promise ? resolved.then(asModule, recover) : asModule(resolved);
  } catch (error) {
    return recover(error);
  }
}

/**
 * A single agent.ts has no package.json with "type": "module", but it uses `import` and `export`.
 */
function asModule(resolved) {
  const isTypeScript = /\.ts(\?|$)/.test(resolved.url);
  return isTypeScript && resolved.format === "commonjs"
    ? { ...resolved, format: "module" }
    : resolved;
}

function isOwn(specifier) {
  return specifier.startsWith("@wink/") || specifier === "zod";
}

/** The package is not installed, or it has no entry point (as this package in a clone). */
function isUnresolved(error) {
  return ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND", "ERR_PACKAGE_PATH_NOT_EXPORTED"].includes(
    error?.code,
  );
}
