import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

/**
 * Bundles a test program into one file, which starts ten times faster. Resolves to its path.
 *
 * @param external packages that are not bundled, such as native ones; `directory` must be able to resolve them
 */
export async function bundleProgram(
  program: URL,
  directory: string,
  external: readonly string[] = [],
): Promise<string> {
  const conditions = ["@wink/source", "node"];
  const output = `${basename(program.pathname, ".ts")}.mjs`;
  await build({
    configFile: false,
    logLevel: "silent",
    root: directory,
    resolve: { conditions },
    ssr: { noExternal: true, external: [...external], resolve: { conditions } },
    build: {
      ssr: fileURLToPath(program),
      outDir: directory,
      emptyOutDir: false,
      target: "es2023",
      rolldownOptions: { output: { entryFileNames: output, codeSplitting: false } },
    },
  });
  return join(directory, output);
}
