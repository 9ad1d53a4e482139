import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { TABS } from "../view/route/route.js";
import {
  hasBrowser,
  openBrowser,
  openPage,
  settle,
  showTab,
  takeScreenshot,
  textOf,
  violations,
  type WatchedPage,
} from "./browser.test.support.js";
import { exportRuns, scratch } from "./exported-page.test.support.js";
import { recordShowcase } from "./record-showcase.test.support.js";

/** One page over two real runs: the second differs in one call. */
describe.skipIf(!hasBrowser)("an exported page", () => {
  const directory = scratch();
  let browser: Browser;
  let address: string;
  let compared: string;
  let shown: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    const runs = ["one", "two"].map((name) => join(directory.path, name));
    const [one = "", two = ""] = runs;
    const recorded = [
      await recordShowcase(one),
      await recordShowcase(two, { agent: "other", evaluations: 2 }),
    ];
    address = await exportRuns(directory.path, recorded);
    compared = await exportRuns(directory.path, recorded, "1");
    browser = await openBrowser();
    shown = await openPage(browser, address);
    page = shown.page;
  });
  afterEach(() => {
    expect(shown.problems).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    directory[Symbol.dispose]();
  });

  const go = async (hash: string) => {
    await page.evaluate((to) => {
      location.hash = to;
    }, hash);
    await settle(page);
  };
  const selected = () => textOf(page, '.rows [aria-selected="true"]');
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
    await settle(page);
  };

  it("opens at the first undone call and shows the undone changes as a diff (IN-21)", async () => {
    expect(await selected()).toContain("replace_everywhere");
    await showTab(page, "changes");
    const text = await textOf(page);
    expect(text).toContain("This was undone: 2 files");
    expect(text).toContain("export function median(days) {");
    expect(await page.locator(".line.removed").count()).toBeGreaterThan(2);
  });

  it("shows a call: input, answer, reason, and that the files are as before (IN-21)", async () => {
    await showTab(page, "call");
    const text = await textOf(page);
    expect(text).toMatch(/find: "medianDays"/);
    expect(text).toContain("4 tests passed before, now 0: the tests import the old name.");
    expect(text).toContain("before = after");
    await go("#at=c8&tab=call");
    expect(await textOf(page)).toMatch(/denied|failed/);
  });

  it("compares any two events: this call, this turn, since start, and two pins (IN-22)", async () => {
    await go("#at=c6&tab=changes");
    expect(await textOf(page)).toContain("[...days].sort((a, b) => a - b);");
    await page.getByRole("radio", { name: "since start" }).click();
    await settle(page);
    expect(await page.getByLabel("A", { exact: true }).inputValue()).toBe("0");
    // From the repaired state back to the start: the change in the other direction.
    await page.getByLabel("A", { exact: true }).fill("25");
    await page.getByLabel("B", { exact: true }).fill("1");
    await page.keyboard.press("Enter");
    await settle(page);
    expect(await page.locator(".line.added").innerText()).toContain("days.sort();");
    expect(page.url()).toContain("range=pins");
    await press("r");
    expect(page.url()).not.toContain("range=");
  });

  it("shows files at any event, with colours, pictures, read lines and links to the writer (IN-22)", async () => {
    await go("#at=c6&tab=files&path=src/delivery.js");
    expect(await page.locator(".code-keyword").first().innerText()).toBe("export");
    expect(await page.locator(".line .seen.old, .line .seen.yes").count()).toBeGreaterThan(5);
    await press("v");
    await page.locator("button.who").first().waitFor();
    await page.locator("button.who", { hasText: "edit_file" }).click();
    await settle(page);
    expect(await textOf(page)).toContain("edit_file");
    expect(page.url()).toContain("tab=call");
    await go("#at=c6&tab=files&path=logo.png");
    await page.waitForFunction(() => document.querySelector("img")?.naturalWidth === 2);
    expect(await page.locator("img").getAttribute("src")).toMatch(/^blob:/);
    await go("#at=c12&tab=files&path=src/report.js");
    expect(await textOf(page)).toContain("This file does not exist here");
    await go("#at=c13&tab=files&path=src/report.js");
    expect(await textOf(page)).toContain("slowest");
  });

  it("shows the prompt by section and its difference to the turn before (IN-23)", async () => {
    await go("#at=t1&tab=prompt");
    await page.locator(".line.added", { hasText: "Find the bug" }).waitFor();
    const text = await textOf(page);
    expect(text).toContain("compared with turn 1");
    expect(text).toContain("Planning");
    expect(text).toContain("Find the bug");
    expect(await page.locator(".line.added").count()).toBeGreaterThan(0);
    expect(text).toMatch(/21 tools/);
  });

  it("shows the conversation, the plan, the state with its changes, and the usage with limits (IN-23)", async () => {
    await go("#at=c7&tab=conversation");
    expect(await textOf(page)).toContain("While I am here, medianDays could have a shorter name.");
    await showTab(page, "plan");
    expect(await textOf(page)).toContain("1 of 4 done");
    await showTab(page, "state");
    await page.locator("button.slice", { hasText: "plan" }).first().click();
    await settle(page);
    expect(await page.locator(".line.added").innerText()).toContain("completed");
    await showTab(page, "usage");
    expect(await textOf(page)).toMatch(/All tokens: [\d.]+k of 60k/);
    expect(await page.locator(".chart .limit").count()).toBe(2);
    await showTab(page, "raw");
    expect(await textOf(page)).toContain("run.end-tool-call");
  });

  it("nests the runs of subagents and shows their files and calls (IN-24)", async () => {
    await go("#at=c10&tab=call");
    await page.getByRole("button", { name: "Open its run" }).click();
    await page.locator(".where .badge").waitFor();
    await press("j");
    expect(await textOf(page)).toMatch(/write_file|replace_everywhere/);
    expect(await page.locator('.row[aria-level="3"]').count()).toBeGreaterThan(1);
    expect(page.url()).toMatch(/at=0\.\d+[^&]*%3A/);
  });

  it("searches events, texts and paths, and filters failed, undone and changing calls (IN-24)", async () => {
    await go("#at=c2");
    await press("/");
    await page.keyboard.type("colis");
    await page.locator("#hit-0").waitFor();
    await press("Escape", "/");
    await page.fill("#search", "delivery.test.js");
    await page.locator('[role="option"]', { hasText: "delivery.test.js" }).first().waitFor();
    await press("ArrowDown", "ArrowUp", "Enter");
    expect(page.url()).toContain("q=delivery.test.js");
    await page.fill("#search", "");
    await page.locator("body").press("Escape");
    await go("#");
    const tools = async () => (await page.locator(".row.call .name").allInnerTexts()).join(" ");
    await press("u");
    expect(await tools()).toContain("replace_everywhere");
    expect(await tools()).not.toContain("edit_file");
    await press("u", "m");
    expect(await tools()).toMatch(/edit_file.*bash.*snapshot_restore/);
    await press("m", "x");
    expect(await page.locator(".row.turn").count()).toBeGreaterThan(1);
    await press("x");
  });

  it("compares two runs, finds the first different request, and offers the command of a fork (IN-30)", async () => {
    await go("#at=c4&tab=compare");
    await page.selectOption("select", "1");
    await page.locator(".compare-row").first().waitFor();
    await settle(page);
    const text = await textOf(page);
    expect(text).toMatch(/Replay check/);
    expect(text).toMatch(/The requests differ from turn \d+ on/);
    expect(text).toContain("snapshot_restore");
    expect(await page.locator(".compare-row").count()).toBeGreaterThan(10);
  });

  it("a comparison opens at the first different request, also with the network cut (IN-30)", async () => {
    const own = await openPage(browser, compared);
    await own.page.context().setOffline(true);
    await own.page.reload();
    await own.page.locator(".compare-row").first().waitFor();
    await own.page.waitForURL(/at=t\d/);
    expect(await textOf(own.page)).toMatch(/The requests differ from turn \d+ on/);
    expect(await textOf(own.page, '.rows [aria-selected="true"]')).toContain("Turn");
    expect(own.problems).toEqual([]);
    await own.page.close();
  });

  it("a page that an earlier version exported opens with the network cut (IN-15, IN-17)", async () => {
    const file = new URL("../../../../specs/fixtures/inspector/version-1.html", import.meta.url);
    const own = await openPage(browser, file.href);
    await own.page.context().setOffline(true);
    await own.page.reload();
    await own.page.locator(".row").first().waitFor();
    expect(await own.page.locator(".row").count()).toBeGreaterThan(5);
    expect(own.problems).toEqual([]);
    await own.page.close();
  });

  it("shows the evaluations of a session, and the list of runs (IN-24)", async () => {
    await page.locator(".brand").click();
    await page.locator(".pick").first().waitFor();
    expect(await page.locator(".pick").count()).toBe(2);
    await page.getByRole("button", { name: "other", exact: true }).click();
    await page.locator(".row.evaluation").first().waitFor();
    expect(await textOf(page, ".row.evaluation")).toContain("Run 1");
    await press("G");
    await page.locator(".row.evaluation", { hasText: "Run 2" }).waitFor();
    await go("#run=0");
  });

  it("a link opens the same view again (IN-25)", async () => {
    const hash = "#run=0&at=c6&tab=state&range=turn&slice=plan&only=changing&open=c6";
    await go(hash);
    const seen = await textOf(page, "body");
    const again = await openPage(browser, address, { hash });
    await settle(again.page);
    expect(await textOf(again.page, "body")).toBe(seen);
    await again.page.close();
    await go("#");
  });

  it("everything can be reached with the keyboard alone (IN-26)", async () => {
    const own = await openPage(browser, address);
    const walk = async (...keys: readonly string[]) => {
      for (const key of keys) await own.page.keyboard.press(key);
      await settle(own.page);
    };
    const has = async (text: string) => expect(await textOf(own.page)).toContain(text);
    const row = () => textOf(own.page, '.rows [aria-selected="true"]');
    await walk("5");
    await has("4 tests passed before");
    await walk("n", "5");
    expect(await row()).toContain("edit_file");
    await walk("N", "]", "j", "j");
    expect(await row()).toContain("snapshot_create");
    await walk("l", "j");
    expect(await row()).toMatch(/^\d+/m);
    await walk("h", "h", "[");
    expect(await row()).toContain("Turn");
    await walk("g", "a", "G", "b");
    await has("src/delivery.js");
    expect(own.page.url()).toContain("range=pins");
    // The panes: Tab moves to the tabs, arrows choose one, Tab moves into the panel.
    await own.page.locator("#tab-changes").focus();
    await walk("ArrowRight");
    expect(await own.page.evaluate(() => document.activeElement?.id)).toBe("tab-files");
    await own.page.getByRole("tree", { name: "Files" }).focus();
    await walk("ArrowDown", "ArrowDown", "Enter");
    expect(own.page.url()).toContain("path=");
    await walk("?");
    expect(await own.page.locator("dialog[open] kbd").count()).toBeGreaterThan(20);
    await walk("Escape", "s", "s");
    expect(await own.page.evaluate(() => document.documentElement.dataset["scheme"])).toBe("dark");
    await own.page.locator(".rows").focus();
    await walk("Home", "PageDown", "ArrowUp", "ArrowRight", "ArrowLeft", "End");
    expect(await row()).toContain("run.execute-prompt");
    expect(own.problems).toEqual([]);
    await own.page.close();
  });

  it.each(["light", "dark"] as const)(
    "axe finds no violation in the %s scheme, and pictures are taken (IN-26)",
    async (scheme) => {
      for (const width of [1280, 640]) {
        const own = await openPage(browser, address, { scheme, width });
        for (const tab of TABS) {
          await showTab(own.page, tab);
          if (tab === "compare") {
            await own.page.selectOption("select", "1");
            await own.page.locator(".compare-row").first().waitFor();
            await settle(own.page);
          }
          if (width === 1280) expect(await violations(own.page), tab).toEqual([]);
          await takeScreenshot(own.page, `${tab}-${scheme}-${width}`);
          const isWide = await own.page.evaluate(
            () => document.documentElement.scrollWidth > innerWidth,
          );
          expect(isWide, `${tab} at ${width}`).toBe(false);
        }
        await own.page.keyboard.press("?");
        if (width === 1280) expect(await violations(own.page), "help").toEqual([]);
        await takeScreenshot(own.page, `help-${scheme}-${width}`);
        await own.page.keyboard.press("Escape");
        await own.page.locator(".brand").click();
        await own.page.locator(".pick").first().waitFor();
        if (width === 1280) expect(await violations(own.page), "runs").toEqual([]);
        await takeScreenshot(own.page, `runs-${scheme}-${width}`);
        expect(own.problems).toEqual([]);
        await own.page.close();
      }
    },
  );
});
