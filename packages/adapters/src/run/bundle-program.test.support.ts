import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

/**
 * Bundles a test program of this folder into one file, which starts ten times faster. Resolves to its path.
 *
 * @param external packages that are not bundled, such as native ones; `directory` must be able to resolve them
 */
export async function bundleProgram(
  name: string,
  directory: string,
  external: readonly string[] = [],
): Promise<string> {
  const conditions = ["@wink/source", "node"];
  const output = `${name}.mjs`;
  await build({
    configFile: false,
    logLevel: "silent",
    root: directory,
    resolve: { conditions },
    ssr: { noExternal: true, external: [...external], resolve: { conditions } },
    build: {
      ssr: fileURLToPath(new URL(`./${name}.test.program.ts`, import.meta.url)),
      outDir: directory,
      emptyOutDir: false,
      target: "es2023",
      rolldownOptions: { output: { entryFileNames: output, codeSplitting: false } },
    },
  });
  return join(directory, output);
}
