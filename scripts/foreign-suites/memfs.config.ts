import path from "node:path";
import { folder, suiteConfig } from "./suite-config.js";

const volume = path.join(import.meta.dirname, "memfs-volume.ts");

export default suiteConfig({
  root: folder("packages/fs-node"),
  replace: { "/src/volume.ts": volume, "/src/Dir.ts": volume },
  // Its packages import each other's builds.
  alias: [{ find: /^@jsonjoy\.com\/([\w-]+)\/lib/, replacement: folder("packages/$1/src") }],
  test: {
    include: ["src/__tests__/promises.test.ts"],
    setupFiles: [path.join(import.meta.dirname, "jest-global.ts")],
  },
});
