import path from "node:path";
import { folder, suiteConfig } from "./suite-config.js";

const excluded = ["python3", "sqlite3", "js-exec", "python-scripting", "fuzzing", "overlay"];

export default suiteConfig({
  root: folder("packages/just-bash"),
  replace: {
    "/fs/in-memory-fs/in-memory-fs.ts": path.join(import.meta.dirname, "just-bash-fs.ts"),
  },
  test: {
    include: ["src/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", ...excluded.map((name) => `**/*${name}*{,/**}`)],
    setupFiles: [folder("packages/just-bash/src/vitest-setup.ts")],
    pool: "threads",
    isolate: false,
    testTimeout: 60_000,
  },
});
