import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { areaOf, type CaseBody } from "./contract-case.js";
import { bytes, expectFailure, noise, text } from "./expectations.js";

const MIB = 1024 * 1024;

export const contents = areaOf<CaseBody>("contents", {
  "have their SHA-256 as content id (STO-8)": async ({ open, id }) => {
    const writer = await (await open()).open(id());
    const content = noise(1000);
    const expected = createHash("sha256").update(content).digest("hex");
    const batch = await writer.place([{ bytes: content }]);
    assert.deepEqual(batch.contentIds, [expected]);
    await writer.commit({ blobs: [batch] });
    const again = await writer.place([{ bytes: content, contentId: expected }]);
    assert.deepEqual(again.contentIds, [expected]);
    assert.equal(again.newBytes, 0);
    await writer.commit({ blobs: [again] });
    const found = (await writer.read(again.refs)).get(again.refs[0] ?? "");
    assert(Buffer.from(found ?? []).equals(content));
    await writer.close();
  },
  "are invisible until their commit, and then read by every process (STO-1, J234)": async ({
    open,
    id,
  }) => {
    const store = await open();
    const name = id();
    const writer = await store.open(name);
    const batch = await writer.place([{ bytes: bytes("staged") }]);
    await writer.stage(batch);
    assert.equal((await store.read(name))?.version, 0);
    await writer.commit({ state: bytes(batch.refs[0] ?? ""), blobs: [batch] });
    await writer.close();
    const head = await (await open()).read(name);
    const ref = text(head?.state) ?? "";
    assert.equal(text((await head?.read([ref]))?.get(ref)), "staged");
  },
  "are read many together (STO-9)": async ({ open, id }) => {
    const store = await open();
    const writer = await store.open(id());
    const all = Array.from({ length: 500 }, (_, index) => noise(1 + index * 7, index + 1));
    const batch = await writer.place(all.map((content) => ({ bytes: content })));
    await writer.commit({ blobs: [batch] });
    const found = await (await store.read(writer.id))?.read(batch.refs);
    assert.equal(found?.size, 500);
    for (const [index, ref] of batch.refs.entries())
      assert(Buffer.from(found.get(ref) ?? []).equals(all[index] ?? new Uint8Array()));
    await writer.close();
  },
  "of many MiB are stored in chunks, and read whole, in part and as a stream (STO-10, J239)":
    async ({ open, id }) => {
      const store = await open();
      const writer = await store.open(id());
      const content = noise(9 * MIB + 17);
      const batch = await writer.place([{ bytes: content }]);
      await writer.commit({ blobs: [batch] });
      const [ref = ""] = batch.refs;
      const head = await store.read(writer.id);
      assert(head);
      assert(Buffer.from((await head.read([ref])).get(ref) ?? []).equals(content));
      for (const [offset, length] of [
        [0, 10],
        [MIB - 3, 7],
        [9 * MIB, 100],
        [9 * MIB + 17, 5],
        [3, 0],
      ] as const) {
        const part = await head.readRange(ref, offset, length);
        assert(Buffer.from(part).equals(content.subarray(offset, offset + length)));
      }
      let at = 0;
      for await (const chunk of head.stream(ref)) {
        assert(Buffer.from(chunk).equals(content.subarray(at, at + chunk.length)));
        at += chunk.length;
      }
      assert.equal(at, content.length);
      await writer.close();
    },
  "are stored while they arrive (STO-10)": async ({ open, id }) => {
    const store = await open();
    const writer = await store.open(id());
    const content = noise(9 * MIB + 5, 3);
    async function* parts() {
      for (let at = 0; at < content.length; at += 700_001) yield content.subarray(at, at + 700_001);
    }
    async function* few() {
      yield bytes("a");
      yield bytes("b");
    }
    const large = await writer.placeStream(parts());
    const small = await writer.placeStream(few());
    await writer.commit({ blobs: [large, small] });
    assert.deepEqual(large.contentIds, [createHash("sha256").update(content).digest("hex")]);
    const refs = [...large.refs, ...small.refs];
    const found = await (await store.read(writer.id))?.read(refs);
    assert(Buffer.from(found?.get(refs[0] ?? "") ?? []).equals(content));
    assert.equal(text(found?.get(refs[1] ?? "")), "ab");
    await writer.close();
  },
  "that are missing are an error, and never empty (STO-11, J236)": async ({ open, id }) => {
    const store = await open();
    const writer = await store.open(id());
    const other = await store.open(id("other"));
    const batch = await writer.place([{ bytes: bytes("here") }]);
    await writer.commit({ blobs: [batch] });
    const head = await store.read(other.id);
    await expectFailure(head?.read(batch.refs) ?? Promise.resolve(), "MISSING_BLOB");
    await expectFailure(writer.read(["no reference"]), "ARGUMENT_INVALID");
    await writer.close();
    await other.close();
  },
  "of a batch are committed once, by the writer that placed them (STO-7)": async ({ open, id }) => {
    const store = await open();
    const writer = await store.open(id());
    const other = await store.open(id("other"));
    const batch = await writer.place([{ bytes: bytes("x") }]);
    await expectFailure(other.commit({ blobs: [batch] }), "ARGUMENT_INVALID");
    await writer.commit({ blobs: [batch] });
    await expectFailure(writer.commit({ blobs: [batch] }), "ARGUMENT_INVALID");
    await writer.close();
    await other.close();
  },
  "reject immediately when the call is aborted (STO-12, J242)": async ({ open, id }) => {
    const store = await open();
    const writer = await store.open(id());
    const signal = AbortSignal.abort(new Error("stop"));
    await assert.rejects(writer.commit({ events: [bytes("x")] }, { signal }), /stop/);
    await assert.rejects(store.read(writer.id, { signal }), /stop/);
    assert.equal((await store.read(writer.id))?.version, 0);
    await writer.close();
  },
});
