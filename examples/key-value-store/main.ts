// Uses a custom key-value store for the state of a run: one process works, another takes over.
// directory-storage.test.ts runs the contract of the package's own stores on it.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createStore, isStoreError } from "@wink/store";
import { DirectoryStorage } from "./directory-storage.js";

const root = await mkdtemp(path.join(tmpdir(), "key-value-store-"));
const open = () => createStore(new DirectoryStorage(root));
try {
  const first = await open().open("review-42");
  const batch = await first.place([{ bytes: Buffer.from("export const port = 8080;\n") }]);
  const [ref = ""] = batch.refs;
  await first.commit({
    state: Buffer.from(ref),
    events: [Buffer.from("edited port.ts")],
    blobs: [batch],
  });

  // Another process finds the file and the event together, or neither.
  const second = await open().open("review-42", { takeOver: "always" });
  const content = (await second.read([ref])).get(ref);
  console.log(
    `version ${second.version}, ${second.counts.events} event: ${Buffer.from(content ?? [])}`,
  );

  const late = await first.commit({ events: [Buffer.from("too late")] }).catch((error) => error);
  assert(isStoreError(late, "LEASE_LOST"));
  console.log(late.message);
  await second.close();
} finally {
  await rm(root, { recursive: true });
}
