import path from "node:path";
import { folder, suiteConfig } from "./suite-config.js";

export default suiteConfig({
  root: folder("libs/deepagents"),
  replace: {
    "/src/backends/filesystem.ts": path.join(import.meta.dirname, "deepagents-backend.ts"),
  },
  test: { include: ["src/backends/filesystem.test.ts"] },
});
