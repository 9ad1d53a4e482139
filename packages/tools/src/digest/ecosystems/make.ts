import { COMMANDS, type Ecosystem } from "./findings.js";

const TARGETS = {
  test: ["test", "check", "tests"],
  lint: ["lint"],
  typecheck: ["typecheck", "type-check", "types"],
  build: ["build", "all"],
  format: ["format", "fmt"],
} as const;

/** Make, just and CMake. They define commands for projects in any language. */
export const make: Ecosystem = async (project) => {
  const makefile = project.first("Makefile", "makefile", "GNUmakefile");
  const justfile = project.first("justfile", "Justfile");
  const manifest = makefile ?? justfile;
  if (manifest === undefined) return await cmake(project);
  const targets = new Set((await project.read(manifest)).split("\n").map(targetIn));
  const tool = makefile ? "make" : "just";
  const commands = COMMANDS.map((name) => {
    const target = TARGETS[name].find((each) => targets.has(each));
    return [name, target && `${tool} ${target}`];
  });
  return {
    kind: `project with a ${manifest}`,
    language: "C",
    commands: Object.fromEntries(commands),
    frameworks: [],
    entryPoints: [],
    manifests: [manifest],
  };
};

/** The first target of a rule such as `test check: build`; `undefined` for assignments such as `a = b:c` and `a := b`. */
function targetIn(line: string): string | undefined {
  const end = line.search(/[:=]/);
  return line[end] === ":" && line[end + 1] !== "=" ? /^[\w.-]+/.exec(line)?.[0] : undefined;
}

const cmake: Ecosystem = async (project) => {
  if (!project.has("CMakeLists.txt")) return undefined;
  return {
    kind: "CMake project",
    language: project.matching(/\.(?:cc|cpp|cxx)$/).length > 0 ? "C++" : "C",
    packageManager: "cmake",
    commands: { test: "ctest --test-dir build", build: "cmake -B build && cmake --build build" },
    frameworks: [],
    entryPoints: project.matching(/^(?:src\/)?main\.(?:c|cc|cpp)$/),
    manifests: ["CMakeLists.txt"],
  };
};
