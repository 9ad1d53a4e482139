import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { buildPage } from "./build-page.js";

const file = fileURLToPath(new URL("../../dist/index.html", import.meta.url));
const page = await buildPage();
await mkdir(fileURLToPath(new URL("../../dist", import.meta.url)), { recursive: true });
await writeFile(file, page);
const sizeBytes = gzipSync(page, { level: 9 }).length;
console.log(`inspector page: ${page.length} characters, ${sizeBytes} bytes gzip.`);
