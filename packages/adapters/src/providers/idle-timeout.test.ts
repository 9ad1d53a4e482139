import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { IdleTimeout } from "./idle-timeout.js";
import { watchedResponse } from "./watched-response.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wanted = new AbortController().signal;

it("a ping resets the idle timeout, and silence does not (AD-22)", async () => {
  const watch = new IdleTimeout(wanted, 1_000);
  let provider: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      provider = controller;
    },
  });
  const reader = watchedResponse(new Response(body), watch).body?.getReader();
  for (let ping = 0; ping < 5; ping++) {
    await vi.advanceTimersByTimeAsync(900);
    provider?.enqueue(new TextEncoder().encode("event: ping\n\n"));
    await reader?.read();
  }
  expect(watch.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(watch.signal.aborted).toBe(true);
  expect(watch.timeoutError).toMatchObject({
    code: "NETWORK",
    message: "model: no data arrived for 1 s.",
  });
  await expect(reader?.read()).rejects.toBe(watch.timeoutError);
});

it("an infinite idle timeout never passes (AD-22)", async () => {
  const watch = new IdleTimeout(wanted, Number.POSITIVE_INFINITY);
  await vi.advanceTimersByTimeAsync(1_000_000_000);
  expect(watch.signal.aborted).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

it("close clears the timer (AD-22)", () => {
  const watch = new IdleTimeout(wanted, 1_000);
  watch.close();
  expect(vi.getTimerCount()).toBe(0);
  expect(watch.timeoutError).toBeUndefined();
});
