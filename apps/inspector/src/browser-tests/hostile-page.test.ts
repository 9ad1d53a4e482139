import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TABS } from "../view/route/route.js";
import { hasBrowser, openBrowser, openPage, settle, textOf } from "./browser.test.support.js";
import { exportRuns, scratch } from "./exported-page.test.support.js";
import { HOSTILE, RUNNING } from "./hostile-texts.test.support.js";
import { recordShowcase, type Step } from "./record-showcase.test.support.js";

const ALL = HOSTILE.join("\n");
const NAMES = HOSTILE.map((text) => text.replaceAll(/[/\0]/g, "-").slice(0, 70));
const ENDINGS = ["html", "svg", "md", "ts", "json", "py", "txt", "xml"];

/** Hostile texts in every place that an agent can write: files, names, answers, plans, inputs, and its own words. */
const STEPS: readonly Step[] = [
  {
    text: ALL,
    calls: [
      ["planning_setup_plan", { objective: RUNNING[0], steps: HOSTILE.slice(0, 20) }],
      ...ENDINGS.map((ending): [string, object] => [
        ...(["write_file", { file_path: `made.${ending}`, content: `parcels\n${ALL}\n` }] as const),
      ]),
    ],
  },
  { text: RUNNING[7] ?? "", calls: [["read_file", { file_path: "made.html" }]] },
  {
    calls: [
      ["edit_file", { file_path: "made.html", old_string: RUNNING[1], new_string: RUNNING[12] }],
      ["replace_everywhere", { find: "parcels", replace: RUNNING[16] }],
      [RUNNING[7] ?? "", { [RUNNING[8] ?? ""]: RUNNING[9] }],
      ["bash", { script: `printf '%s' '${RUNNING[7]}' > shell.html; cat shell.html; false` }],
    ],
  },
  { text: ALL },
];

describe.skipIf(!hasBrowser)("a page with hostile texts", () => {
  const directory = scratch();
  let browser: Browser;
  let address: string;

  beforeAll(async () => {
    const files = Object.fromEntries([
      ...NAMES.map((name) => [`names/${name}`, ALL]),
      ...ENDINGS.map((ending) => [`src/hostile.${ending}`, `parcels\n${ALL}`]),
    ]);
    const agent = RUNNING[7] ?? "";
    const run = await recordShowcase(join(directory.path, "a"), { steps: STEPS, files, agent });
    address = await exportRuns(directory.path, [run, run]);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    directory[Symbol.dispose]();
  });

  it("runs no script in more than 50 views (IN-29)", async () => {
    const { page, problems } = await openPage(browser, address);
    const hashes = [
      ...TABS.flatMap((tab) =>
        ["t0", "c0", "c1", "c9", "c11", "c12", "e5"].map((at) => `#at=${at}&tab=${tab}&compare=1`),
      ),
      ...NAMES.map(
        (name) => `#at=c12&tab=files&blame=1&path=${encodeURIComponent(`names/${name}`)}`,
      ),
      ...ENDINGS.map((ending) => `#at=c12&tab=files&path=made.${ending}`),
      ...HOSTILE.map(
        (text) =>
          `#q=${encodeURIComponent(text)}&slice=${encodeURIComponent(text)}&path=${encodeURIComponent(text)}&tab=state`,
      ),
      ...HOSTILE.map((text) => `#${text}`),
    ];
    let views = 0;
    let shown = "";
    for (const hash of hashes) {
      await page.evaluate((to) => {
        location.hash = to;
      }, hash);
      await settle(page);
      shown += await textOf(page, "body");
      views++;
    }
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    expect(await page.evaluate("typeof pwned")).toBe("undefined");
    expect(problems).toEqual([]);
    expect(views).toBeGreaterThan(50);
    // The texts are shown, as texts.
    for (const text of ["<script>pwned=1</script>", "<svg onload=pwned=1>", "U+202E"])
      expect(shown).toContain(text);
    expect(await page.locator("iframe, object, embed, a[href], audio, video").count()).toBe(0);
  });

  it("the policy stops careless code too, and without a policy the same texts run (IN-29)", async () => {
    const { page } = await openPage(browser, address);
    for (const text of RUNNING)
      await page.evaluate((html) => {
        const place = document.createElement("div");
        place.innerHTML = html;
        document.body.append(place);
      }, text);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(await page.evaluate("typeof pwned")).toBe("undefined");

    const control = await browser.newPage();
    const ran = [];
    for (const text of RUNNING) {
      await control.goto("about:blank");
      await control.setContent(`<!doctype html><title>control</title><body>${text}`, {
        waitUntil: "commit",
      });
      const works = await control
        .waitForFunction("typeof pwned !== 'undefined'", undefined, { timeout: 1500 })
        .then(
          () => true,
          () => false,
        );
      if (works) ran.push(text);
    }
    expect(ran.length).toBeGreaterThan(RUNNING.length * 0.7);
  });
});
