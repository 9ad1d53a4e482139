import { expect } from "vitest";
import { isStoreError } from "../engine/store-error.js";
import type { HeadWriter } from "../store/head.js";
import type { Store } from "../store/store.js";

/** Commits numbered events with a content each, and remembers which were acknowledged. */
export class CommitHistory {
  readonly acknowledged: number[] = [];
  errors = 0;
  #next = 1;

  /** Makes one commit. A commit that is in doubt is settled, until the outcome is known. */
  async commit(writer: HeadWriter): Promise<void> {
    const number = this.#next++;
    const batch = await writer.place([{ bytes: Buffer.from(`content ${number}`) }]);
    try {
      const [ref = ""] = batch.refs;
      const state = Buffer.from(`${number} ${ref}`);
      await writer.commit({ state, events: [Buffer.from(String(number))], blobs: [batch] });
      this.acknowledged.push(number);
    } catch (error) {
      this.errors += 1;
      if (isStoreError(error, "UNREACHABLE")) return;
      if (!isStoreError(error, "UNKNOWN")) throw error;
      if (await settled(writer)) this.acknowledged.push(number);
    }
  }

  /** None lost, none twice, and the state belongs to the last event. */
  async check(store: Store, id: string): Promise<void> {
    const head = await store.read(id);
    const events: number[] = [];
    for await (const page of head?.records("events") ?? [])
      events.push(...page.map((record) => Number(Buffer.from(record).toString())));
    expect(events).toEqual(this.acknowledged);
    const [number, ref = ""] = Buffer.from(head?.state ?? [])
      .toString()
      .split(" ");
    expect(Number(number)).toBe(this.acknowledged.at(-1));
    const content = (await head?.read([ref]))?.get(ref);
    expect(Buffer.from(content ?? []).toString()).toBe(`content ${number}`);
  }
}

async function settled(writer: HeadWriter): Promise<boolean> {
  for (;;)
    try {
      return await writer.settle();
    } catch (error) {
      if (!isStoreError(error, "UNREACHABLE") && !isStoreError(error, "UNKNOWN")) throw error;
    }
}
