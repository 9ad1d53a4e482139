import path from "node:path";
import { folder, suiteConfig } from "./suite-config.js";

/** Mastra's published package, which the tests use instead of the sources, whose build needs the whole repository. */
const published = folder("node_modules/@mastra/core/dist/workspace/index.js");
const sources = {
  "/src/workspace/workspace.ts": published,
  "/src/workspace/tools/tools.ts": published,
  "/src/workspace/constants/index.ts": published,
  "/src/workspace/errors.ts": published,
};
const tools = ["read-file", "write-file", "edit-file", "list-files", "delete-file", "file-stat"];

export default suiteConfig({
  root: folder("packages/core"),
  replace: {
    ...sources,
    "/src/workspace/filesystem/index.ts": path.join(import.meta.dirname, "mastra-filesystem.ts"),
  },
  replaceOwn: { ...sources, "/src/workspace/filesystem/index.ts": published },
  alias: [{ find: /^@mastra\/core\/workspace$/, replacement: published }],
  test: {
    include: [...tools, "mkdir", "grep"].map(
      (tool) => `src/workspace/tools/__tests__/${tool}.test.ts`,
    ),
  },
});
