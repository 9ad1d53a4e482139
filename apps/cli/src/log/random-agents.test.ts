import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { PodmanSandboxSection } from "@wink/tools/podman";
import { PythonSection } from "@wink/tools/python";
import fc from "fast-check";
import { expect, it } from "vitest";
import { hasProgram } from "../workspace/has-component.test.support.js";
import {
  BASE,
  type Call,
  calls,
  checkAgent,
  KEY,
  pythonCalls,
  shellCalls,
} from "./random-agent.test.support.js";

const IMAGE = "localhost/wink-sandbox:1";
const hasImage = hasProgram(
  "podman",
  ["image", "exists", IMAGE],
  `agents with a shell need Podman and ${IMAGE}; run scripts/images/build.sh`,
);

const MEMORY_RUNS = Number(
  process.env["WINK_RANDOM_AGENTS_MEMORY"] ?? (process.env["WINK_MORE_ROUNDS"] ? 120 : 30),
);
const HOST_RUNS = Number(
  process.env["WINK_RANDOM_AGENTS_HOST"] ?? (process.env["WINK_MORE_ROUNDS"] ? 8 : 3),
);
const PYTHON_RUNS = Number(
  process.env["WINK_RANDOM_AGENTS_PYTHON"] ?? (process.env["WINK_MORE_ROUNDS"] ? 4 : 2),
);
const PODMAN_RUNS = Number(process.env["WINK_RANDOM_AGENTS_PODMAN"] ?? 2);
const SEED = Number(process.env["WINK_RANDOM_AGENTS_SEED"] ?? 20_261_118);

async function checkRuns(
  name: string,
  numRuns: number,
  check: (agentCalls: readonly Call[]) => Promise<number>,
  arbitrary: fc.Arbitrary<readonly Call[]> = calls,
): Promise<void> {
  let succeeded = 0;
  const counted = async (agentCalls: readonly Call[]) => {
    succeeded += await check(agentCalls);
  };
  await fc.assert(fc.asyncProperty(arbitrary, counted), { numRuns, seed: SEED });
  console.log(
    `random agents on ${name}: ${numRuns} runs, ${succeeded} successful calls, seed ${SEED}`,
  );
  expect(succeeded).toBeGreaterThan(numRuns);
}

function baseDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "wink-random-"));
  for (const [path, content] of Object.entries(BASE)) {
    mkdirSync(join(directory, dirname(path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}

it("the events of a random agent, replayed over the first files, give the files after every call, in memory (TL-8, AD-90)", async () => {
  await checkRuns("memory", MEMORY_RUNS, (agentCalls) =>
    checkAgent(agentCalls, { filesystem: new InMemoryFilesystem({ files: BASE }) }),
  );
}, 3_600_000);

it("the events of a random agent, replayed over the first files, give the files after every call, on the host (TL-8, AD-90)", async () => {
  await checkRuns("the host", HOST_RUNS, async (agentCalls) => {
    const directory = baseDirectory();
    const filesystem = await HostFilesystem.open(directory, { fsync: false });
    try {
      return await checkAgent(agentCalls, { filesystem, directory });
    } finally {
      await filesystem.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });
}, 3_600_000);

it("the events of a random agent with Python, replayed over the first files, give the files after every call (TL-8, AD-90)", async () => {
  const python = new PythonSection();
  const check = async (agentCalls: readonly Call[]) =>
    await checkAgent(agentCalls, {
      filesystem: new InMemoryFilesystem({ files: BASE }),
      sections: [python],
    });
  try {
    await checkRuns("Python", PYTHON_RUNS, check, pythonCalls);
  } finally {
    await python.close();
  }
}, 3_600_000);

it.runIf(hasImage)(
  "the events of a random agent with a shell, replayed over the first files, give the files after every call (TL-8, AD-90)",
  async () => {
    const directory = baseDirectory();
    const config = { image: IMAGE, mounts: [{ hostPath: "." }], allowedHostRoots: [directory] };
    const check = async (agentCalls: readonly Call[]) => {
      let close = async () => {};
      try {
        return await checkAgent(agentCalls, {
          workspace: async (session) => {
            const options = { key: KEY, session, config, readBeforeWrite: false };
            const section = await PodmanSandboxSection.create(options);
            close = () => section.close();
            return section;
          },
        });
      } finally {
        await close();
      }
    };
    try {
      await checkRuns("Podman", PODMAN_RUNS, check, shellCalls);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
  3_600_000,
);
