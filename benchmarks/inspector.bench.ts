import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import type { Run } from "./harness.js";
import { recordLongRun } from "./long-run.js";

const CHROMIUM = "/usr/bin/chromium";
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
];
const EVENTS = 101_500;
const STEPS = 120;

/** The inspector's page with 100,000 events, from a file, in Chromium with software rendering. */
export async function run(run: Run): Promise<void> {
  if (!existsSync(CHROMIUM)) {
    console.log("skipped: inspector: Chromium is not installed");
    return;
  }
  const directory = mkdtempSync(join(tmpdir(), "wink-inspector-"));
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  try {
    const file = exportRun(directory, await recordLongRun(directory, EVENTS));
    await run.compare({
      name: "100,000 events from file:// until the rows are there",
      ours: () => untilInteractive(browser, file),
      peers: { "3 s": () => ({ micros: 3_000_000 }) },
      targets: [{ peer: "3 s", atMost: 1 }],
    });
    const tasks: number[] = [];
    await run.compare({
      name: "scrolling through all events: 95 % of the tasks",
      ours: async () => {
        const found = await scrollTasks(browser, file);
        tasks.push(...found);
        return { micros: found[Math.floor(found.length * 0.95)] ?? 0 };
      },
      peers: { "50 ms": () => ({ micros: 50_000 }) },
      targets: [{ peer: "50 ms", atMost: 1 }],
    });
    await run.compare({
      name: "scrolling through all events: the longest task",
      ours: () => ({ micros: Math.max(...tasks) }),
      peers: { "250 ms": () => ({ micros: 250_000 }) },
      targets: [{ peer: "250 ms", atMost: 1 }],
    });
  } finally {
    await browser.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Exports with the command line of the clone, which builds the page if a source is newer. */
function exportRun(directory: string, recorded: string): string {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const file = join(directory, "run.html");
  const wink = ["--import", "tsx", "--conditions=@wink/source", "apps/cli/bin/wink.js"];
  execFileSync(process.execPath, [...wink, "inspect", recorded, "--export", file], { cwd: root });
  return pathToFileURL(file).href;
}

async function openPage(browser: Browser, file: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(file);
  await page.waitForSelector(".row");
  return page;
}

/** As the browser measures it: from the start of the navigation until a frame with rows was drawn. */
async function untilInteractive(
  browser: Browser,
  file: string,
): Promise<{ readonly micros: number }> {
  const page = await openPage(browser, file);
  const drawn =
    "new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))))";
  const micros = Number(await page.evaluate(drawn)) * 1000;
  await page.close();
  return { micros };
}

const SCROLL = `(async () => {
  const list = document.querySelector(".rows");
  for (let step = 0; step <= ${STEPS}; step++) {
    list.scrollTop = (list.scrollHeight * step) / ${STEPS};
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }
  return document.querySelectorAll(".row").length;
})()`;

/** The durations of the main thread's tasks while the list is scrolled, sorted. Microseconds. */
async function scrollTasks(browser: Browser, file: string): Promise<readonly number[]> {
  const page = await openPage(browser, file);
  await page.keyboard.press("o");
  await page.locator(".filters", { hasText: /1\d\d,\d{3} rows/ }).waitFor();
  await browser.startTracing(page, { categories: ["disabled-by-default-devtools.timeline"] });
  const rows = Number(await page.evaluate(SCROLL));
  const trace: { traceEvents: TraceEvent[] } = JSON.parse(`${await browser.stopTracing()}`);
  await page.close();
  if (rows >= 200) throw new Error(`inspector: ${rows} rows are in the document.`);
  const main = trace.traceEvents.find(
    ({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain",
  );
  const tasks = trace.traceEvents.filter(
    ({ name, tid, pid, dur }) =>
      name === "RunTask" && dur !== undefined && tid === main?.tid && pid === main?.pid,
  );
  if (tasks.length < STEPS) throw new Error(`inspector: the trace has ${tasks.length} tasks.`);
  return tasks.map(({ dur = 0 }) => dur).sort((one, two) => one - two);
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string };
}
