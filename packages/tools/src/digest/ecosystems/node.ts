import { COMMANDS, type Commands, type Ecosystem, known } from "./findings.js";
import { type Fields, isRecord, keysOf, type ProjectFiles, recordIn } from "./project-files.js";

const FRAMEWORKS = {
  next: "Next.js",
  nuxt: "Nuxt",
  react: "React",
  vue: "Vue",
  svelte: "Svelte",
  "@angular/core": "Angular",
  "solid-js": "Solid",
  astro: "Astro",
  "@remix-run/react": "Remix",
  express: "Express",
  fastify: "Fastify",
  koa: "Koa",
  hono: "Hono",
  "@nestjs/core": "NestJS",
  electron: "Electron",
  vite: "Vite",
  webpack: "webpack",
  vitest: "Vitest",
  jest: "Jest",
  mocha: "Mocha",
  ava: "AVA",
  "@playwright/test": "Playwright",
  cypress: "Cypress",
  typescript: "TypeScript",
  eslint: "ESLint",
  "@biomejs/biome": "Biome",
  prettier: "Prettier",
  zod: "Zod",
  prisma: "Prisma",
  "drizzle-orm": "Drizzle",
  tailwindcss: "Tailwind CSS",
  turbo: "Turborepo",
  nx: "Nx",
  lerna: "Lerna",
};

/** Script names that mean the same command. */
const SCRIPTS: Readonly<Record<(typeof COMMANDS)[number], readonly string[]>> = {
  test: ["test", "tests", "test:unit", "spec"],
  lint: ["lint", "check", "eslint"],
  typecheck: ["typecheck", "type-check", "check-types", "check:types", "types", "tsc"],
  build: ["build", "compile"],
  format: ["format", "fmt", "prettier"],
};

/** The commands of installed tools, if there is no script. */
const TOOLS: readonly (readonly [string, (typeof COMMANDS)[number], string])[] = [
  ["vitest", "test", "vitest run"],
  ["jest", "test", "jest"],
  ["mocha", "test", "mocha"],
  ["ava", "test", "ava"],
  ["@biomejs/biome", "lint", "biome check"],
  ["eslint", "lint", "eslint ."],
  ["typescript", "typecheck", "tsc --noEmit"],
  ["typescript", "build", "tsc"],
  ["@biomejs/biome", "format", "biome format --write"],
  ["prettier", "format", "prettier --write ."],
];

/** npm's own placeholder is not a test. */
const NO_TEST = /no test specified/;

export const node: Ecosystem = async (project) => {
  if (!project.has("package.json")) return await deno(project);
  const manifest = await project.readJson("package.json");
  const packages = [manifest, ...(await workspaceManifests(project))];
  const dependencies = new Set(packages.flatMap(dependencyNames));
  const packageManager = packageManagerOf(project, manifest);
  const isMonorepo =
    manifest["workspaces"] !== undefined ||
    project.has("pnpm-workspace.yaml") ||
    project.has("lerna.json");
  return {
    kind: isMonorepo ? "Node.js monorepo" : "Node.js package",
    language:
      dependencies.has("typescript") || project.has("tsconfig.json") ? "TypeScript" : "JavaScript",
    packageManager,
    commands: commandsOf(manifest, packageManager, dependencies),
    frameworks: known(dependencies, FRAMEWORKS),
    entryPoints: entryPointsOf(project, manifest),
    manifests: [
      "package.json",
      ...["pnpm-workspace.yaml", "tsconfig.json"].filter((path) => project.has(path)),
    ],
  };
};

const MAX_PACKAGES = 50;

async function workspaceManifests(project: ProjectFiles) {
  const paths = project.matching(/^(?:[^/]+\/){1,3}package\.json$/).slice(0, MAX_PACKAGES);
  const manifests: Fields[] = [];
  for (const path of paths) manifests.push(await project.readJson(path));
  return manifests;
}

function dependencyNames(manifest: Fields): readonly string[] {
  return ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"].flatMap(
    (field) => keysOf(recordIn(manifest, field)),
  );
}

function packageManagerOf(project: ProjectFiles, manifest: Fields): string {
  const declared = manifest["packageManager"];
  if (typeof declared === "string") {
    const name = /^(npm|pnpm|yarn|bun)@/.exec(declared)?.[1];
    if (name !== undefined) return name;
  }
  if (project.first("pnpm-lock.yaml", "pnpm-workspace.yaml")) return "pnpm";
  if (project.has("yarn.lock")) return "yarn";
  if (project.first("bun.lock", "bun.lockb")) return "bun";
  return "npm";
}

function commandsOf(
  manifest: Fields,
  manager: string,
  dependencies: ReadonlySet<string>,
): Commands {
  const scripts = recordIn(manifest, "scripts");
  const runner = manager === "npm" ? "npx" : manager === "bun" ? "bunx" : `${manager} exec`;
  return Object.fromEntries(
    COMMANDS.map((name) => {
      const script = SCRIPTS[name].find(
        (each) => typeof scripts[each] === "string" && !NO_TEST.test(scripts[each]),
      );
      if (script !== undefined) return [name, runScript(manager, script)];
      const tool = TOOLS.find(
        ([dependency, command]) => command === name && dependencies.has(dependency),
      );
      return [name, tool && `${runner} ${tool[2]}`];
    }),
  );
}

function runScript(manager: string, script: string): string {
  const isShort = script === "test" && manager !== "bun";
  return isShort ? `${manager} test` : `${manager} run ${script}`;
}

function entryPointsOf(project: ProjectFiles, manifest: Fields): readonly string[] {
  const bin = manifest["bin"];
  const named = [
    manifest["main"],
    manifest["module"],
    ...(isRecord(bin) ? Object.values(bin) : [bin]),
  ];
  const usual = [
    "src/index.ts",
    "src/main.ts",
    "src/index.tsx",
    "src/main.tsx",
    "src/index.js",
    "index.ts",
    "index.js",
    "server.js",
    "app.js",
  ];
  const declared = named
    .filter((each) => typeof each === "string")
    .map((each) => each.replace(/^\.\//, ""));
  return [...new Set([...declared, ...usual.filter((path) => project.has(path))])];
}

async function deno(project: ProjectFiles) {
  const manifest = project.first("deno.json", "deno.jsonc");
  if (manifest === undefined) return undefined;
  const entry = project.first("main.ts", "mod.ts", "src/main.ts");
  return {
    kind: "Deno project",
    language: "TypeScript",
    packageManager: "deno",
    commands: {
      test: "deno test",
      lint: "deno lint",
      typecheck: "deno check .",
      format: "deno fmt",
    },
    frameworks: [],
    entryPoints: entry === undefined ? [] : [entry],
    manifests: [manifest],
  };
}
