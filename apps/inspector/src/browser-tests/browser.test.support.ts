import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";

const CHROMIUM = "/usr/bin/chromium";
const FLAGS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
  ...["--disable-background-networking", "--disable-component-update"],
];

/** Whether the browser tests can run. A missing browser is printed, and an error where everything is required. */
export const hasBrowser = existsSync(CHROMIUM);
if (!hasBrowser) {
  const reason =
    "the inspector's page: Chromium is not installed (Debian: apt-get install chromium)";
  if (process.env["WINK_REQUIRE_ALL"]) throw new Error(reason);
  console.log(`skipped: ${reason}`);
}

export async function openBrowser(flags: readonly string[] = []): Promise<Browser> {
  return await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...flags] });
}

export interface PageOptions {
  readonly width?: number;
  readonly scheme?: "light" | "dark";
  readonly hash?: string;
}

/** A page with everything that must not happen in it. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors, warnings and requests that are not the page itself. */
  readonly problems: readonly string[];
}

/** Opens a page and waits until the list has rows. */
export async function openPage(
  browser: Browser,
  address: string,
  { width = 1280, scheme = "light", hash = "" }: PageOptions = {},
): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme: scheme });
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(`error: ${error.stack ?? error.message}`));
  page.on("console", (line) => {
    if (line.type() === "error" || line.type() === "warning")
      problems.push(`console: ${line.text()}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address.split("#")[0] ?? address) && !url.startsWith("blob:"))
      problems.push(`request: ${url}`);
  });
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address + hash);
  await page.waitForSelector(".row, .pick, .failure");
  return { page, problems };
}

/** Selects a tab and waits until its answers are there. */
export async function showTab(page: Page, tab: string): Promise<void> {
  await page.click(`#tab-${tab}`);
  await settle(page);
}

/** Waits until the page has loaded everything. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const text = document.querySelector("#panel")?.textContent ?? "";
    return text !== "" && !/Loading/.test(text);
  });
}

export async function textOf(page: Page, selector = "#panel"): Promise<string> {
  return (await page.locator(selector).first().innerText()).replaceAll("\u00a0", " ");
}

/** What axe finds, as one line for each kind of violation. */
export async function violations(page: Page): Promise<readonly string[]> {
  // The policy of the page allows no other script, so axe runs in the debugger's own world.
  await page.evaluate(axe.source);
  return await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    interface Violation {
      readonly id: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
    }
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => {
      const [first] = nodes;
      return `${id} (${nodes.length}): ${first?.html.slice(0, 160)} ${first?.failureSummary ?? ""}`;
    });
  });
}

/** Screenshots of the test command, for people: `.cache/inspector`. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  const folder = fileURLToPath(new URL("../../../../.cache/inspector", import.meta.url));
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
