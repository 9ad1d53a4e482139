import { fileURLToPath } from "node:url";
import { build, type Rolldown } from "vite";
import { licences } from "./licences.js";

const folder = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Builds the page as one HTML text without references to other files. It has two placeholders for the program that serves or
 * exports it: `<!--wink-csp-->` and `<!--wink-data-->`.
 */
export async function buildPage(): Promise<string> {
  // Vite takes it from the environment, and a test has another value.
  const { NODE_ENV } = process.env;
  process.env["NODE_ENV"] = "production";
  try {
    return await buildForProduction();
  } finally {
    if (NODE_ENV === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = NODE_ENV;
  }
}

async function buildForProduction(): Promise<string> {
  const result = await build({
    ...{ root: folder, configFile: false, logLevel: "warn", mode: "production" },
    // Sources before builds, because a clone is not built.
    resolve: { conditions: ["@wink/source", "module", "browser", "production"] },
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      ...{ write: false, target: "es2023", cssCodeSplit: false, modulePreload: false },
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const { output } = (Array.isArray(result) ? result[0] : result) as Rolldown.RolldownOutput;
  const script = output.find((file) => file.type === "chunk")?.code ?? "";
  const style = output.find(({ fileName }) => fileName.endsWith(".css"));
  const page = output.find(({ fileName }) => fileName.endsWith(".html"));
  if (page?.type !== "asset" || style?.type !== "asset" || script === "")
    throw new Error("inspector page: the build has no script, style or page.");
  const html = `${page.source}`
    .replace(/\s*<script type="module"[^>]*><\/script>/, "")
    .replace(/\s*<link rel="stylesheet"[^>]*>/, () => `\n    <style>${style.source}</style>`);
  const code = `/*! ${await licences()} */\n${script}`.replaceAll(/<(?=\/script|!--)/gi, "\\x3c");
  return html.replace("</body>", () => `  <script type="module">${code}</script>\n  </body>`);
}
