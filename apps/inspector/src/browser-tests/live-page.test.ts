import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findPage, InspectorServer, RunFiles } from "../node.js";
import { hasBrowser, openBrowser, openPage, settle, textOf } from "./browser.test.support.js";
import { exportRuns, scratch } from "./exported-page.test.support.js";
import { recordLong } from "./record-long.test.support.js";
import { recordShowcase } from "./record-showcase.test.support.js";

/** A promise that the test resolves. */
function gate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

it("the page with all its code is at most 60 kB gzip (IN-27)", async () => {
  expect(gzipSync(await findPage(), { level: 9 }).length).toBeLessThanOrEqual(60_000);
});

describe.skipIf(!hasBrowser)("a page", () => {
  const directory = scratch();
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    directory[Symbol.dispose]();
  });

  it("follows a run in progress until its end (IN-28)", async () => {
    const base = join(directory.path, "live");
    const asked = gate();
    const allowed = [gate(), gate()];
    let asks = 0;
    const recording = recordShowcase(base, {
      onAsk: async () => {
        if (++asks === 3) asked.resolve();
        if (asks === 3) await allowed[0]?.promise;
        if (asks === 6) await allowed[1]?.promise;
      },
    });
    await asked.promise;
    using files = new RunFiles({ runs: [join(base, "run")], open: 0 });
    await using server = await InspectorServer.listen({
      source: files.source,
      page: await findPage(),
    });
    const { page, problems } = await openPage(browser, server.url);
    expect(page.url()).not.toContain("token");
    await page.keyboard.press(".");
    expect(await textOf(page, ".rows")).toContain("grep");
    expect(await textOf(page, ".facts")).toContain("active");
    allowed[0]?.resolve();
    await page.locator(".row.call", { hasText: "snapshot_create" }).waitFor();
    await page.locator('.rows [aria-selected="true"]').waitFor();
    allowed[1]?.resolve();
    await recording;
    await page.locator(".facts", { hasText: "completed" }).waitFor();
    // The list stays at the newest event, and a choice ends that.
    expect(await textOf(page, '.rows [aria-selected="true"]')).toContain("run.execute-prompt");
    await page.keyboard.press("n");
    await page.keyboard.press("N");
    await settle(page);
    expect(page.url()).not.toContain("follow");
    const command = await page.locator(".command code").innerText();
    expect(command).toMatch(/^wink run \S+ --from \S+@\d+$/);
    await page.reload();
    await page.locator(".row").first().waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it("shows 100,000 events with fewer than 200 rows in the document (IN-27)", async () => {
    const base = join(directory.path, "long");
    const address = await exportRuns(directory.path, [await recordLong(base, 101_500)]);
    const { page, problems } = await openPage(browser, address);
    const rows = () => page.locator(".row").count();
    expect(await textOf(page, '.rows [aria-selected="true"]')).toContain("work");
    await page.keyboard.press("o");
    await page.locator(".filters", { hasText: /1\d\d,\d{3} rows/ }).waitFor();
    for (const key of ["G", "g", "]", "]", "n"]) {
      await page.keyboard.press(key);
      await settle(page);
      expect(await rows()).toBeLessThan(200);
    }
    await page.locator(".rows").evaluate((list) => {
      list.scrollTop = list.scrollHeight / 2;
    });
    await page
      .locator(".row", { hasText: /^\s*5\d{4}/ })
      .first()
      .waitFor();
    expect(await rows()).toBeLessThan(200);
    await page.fill("#search", "item 77777");
    await page.locator("#hit-0").waitFor();
    await page.keyboard.press("Enter");
    await page.locator("#panel", { hasText: "item 77777" }).waitFor();
    expect(await rows()).toBeLessThan(200);
    expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(3000);
    expect(problems).toEqual([]);
  });
});
