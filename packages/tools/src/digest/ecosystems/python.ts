import { type Ecosystem, known } from "./findings.js";
import {
  type Fields,
  keysOf,
  type ProjectFiles,
  recordIn,
  recordsIn,
  textsIn,
} from "./project-files.js";

const FRAMEWORKS = {
  django: "Django",
  flask: "Flask",
  fastapi: "FastAPI",
  starlette: "Starlette",
  aiohttp: "aiohttp",
  pydantic: "Pydantic",
  sqlalchemy: "SQLAlchemy",
  celery: "Celery",
  click: "Click",
  typer: "Typer",
  numpy: "NumPy",
  pandas: "pandas",
  scipy: "SciPy",
  torch: "PyTorch",
  tensorflow: "TensorFlow",
  "scikit-learn": "scikit-learn",
  requests: "Requests",
  httpx: "HTTPX",
  pytest: "pytest",
  ruff: "Ruff",
  black: "Black",
  mypy: "mypy",
  pyright: "Pyright",
  flake8: "Flake8",
  pylint: "Pylint",
  tox: "tox",
  nox: "nox",
};

const MANIFESTS = [
  "pyproject.toml",
  "setup.py",
  "setup.cfg",
  "requirements.txt",
  "Pipfile",
  "tox.ini",
  "manage.py",
];

export const python: Ecosystem = async (project) => {
  const manifests = MANIFESTS.filter((path) => project.has(path));
  if (manifests.length === 0) return undefined;
  const pyproject = await project.readToml("pyproject.toml");
  const frameworks = known(await dependencyNames(project, pyproject), FRAMEWORKS);
  const { packageManager, run } = managerOf(project, recordIn(pyproject, "tool"));
  const isPackage =
    "project" in pyproject ||
    "poetry" in recordIn(pyproject, "tool") ||
    project.first("setup.py", "setup.cfg") !== undefined;
  return {
    kind: isPackage ? "Python package" : "Python project",
    language: "Python",
    packageManager,
    commands: {
      test: testCommand(project, frameworks, run),
      lint: first(frameworks, [
        ["Ruff", `${run}ruff check`],
        ["Flake8", `${run}flake8`],
        ["Pylint", `${run}pylint .`],
      ]),
      typecheck: first(frameworks, [
        ["mypy", `${run}mypy .`],
        ["Pyright", `${run}pyright`],
      ]),
      build:
        "build-system" in pyproject
          ? packageManager === "uv" || packageManager === "poetry"
            ? `${packageManager} build`
            : "python -m build"
          : undefined,
      format: first(frameworks, [
        ["Black", `${run}black .`],
        ["Ruff", `${run}ruff format`],
      ]),
    },
    frameworks,
    entryPoints: entryPointsOf(project),
    manifests,
  };
};

/** Dependencies by their normalised names, and the tools that have their own table. */
async function dependencyNames(project: ProjectFiles, pyproject: Fields): Promise<Set<string>> {
  const pipfile = await project.readToml("Pipfile");
  const requirements = project.matching(/^(?:requirements[^/]*\.txt|requirements\/[^/]+\.txt)$/);
  const lines = (await project.readAll(requirements)).flatMap((text) => text.split("\n"));
  const ini = [await project.read("setup.cfg"), await project.read("tox.ini")].map(parseIni);
  const names = [
    ...namesInPyproject(pyproject),
    ...["packages", "dev-packages"].flatMap((field) => keysOf(recordIn(pipfile, field))),
    ...lines,
    ...ini.flatMap(({ values }) => values),
    ...ini.flatMap(({ sections }) => sections.map((section) => section.replace(/^tool:/, ""))),
    ...requirementsInCode(await project.read("setup.py")),
  ];
  return new Set(names.map(distributionName));
}

function namesInPyproject(pyproject: Fields): readonly string[] {
  const tool = recordIn(pyproject, "tool");
  const { dependencies } = recordIn(pyproject, "project");
  const lists = [
    dependencies,
    ...Object.values(recordIn(pyproject, "project", "optional-dependencies")),
    ...Object.values(recordIn(pyproject, "dependency-groups")),
    ...Object.values(recordIn(tool, "pdm", "dev-dependencies")),
    recordIn(tool, "uv")["dev-dependencies"],
    ...recordsIn(tool, "hatch", "envs").flatMap((env) => [
      env["dependencies"],
      env["extra-dependencies"],
    ]),
  ];
  const poetry = recordIn(tool, "poetry");
  const tables = [poetry, ...recordsIn(poetry, "group")].flatMap((owner) => [
    recordIn(owner, "dependencies"),
    recordIn(owner, "dev-dependencies"),
  ]);
  return [...lists.flatMap(textsIn), ...tables.flatMap(keysOf), ...keysOf(tool)];
}

/** The name at the start of a requirement such as `Flask[async]>=3 ; python_version > "3.8"`, in its normal form. */
function distributionName(requirement: string): string {
  const name = /^\s*([A-Za-z0-9][\w.-]*)/.exec(requirement)?.[1] ?? "";
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

const REQUIREMENT_KEYS = new Set(["install_requires", "tests_require", "deps"]);

/** The sections of an INI file, and the lines of the keys that list requirements. */
function parseIni(text: string): {
  readonly sections: readonly string[];
  readonly values: readonly string[];
} {
  const sections: string[] = [];
  const values: string[] = [];
  let isList = false;
  for (const line of text.split("\n")) {
    if (/^\s*[#;]/.test(line)) continue;
    const section = /^\[([^\]]+)\]/.exec(line)?.[1];
    const [, key, value = ""] = /^([\w.-]+)\s*[=:](.*)$/.exec(line) ?? [];
    if (section !== undefined) sections.push(section);
    if (section !== undefined || key !== undefined)
      isList =
        key !== undefined &&
        (REQUIREMENT_KEYS.has(key) || /extras_require$/.test(sections.at(-1) ?? ""));
    if (isList) values.push(key === undefined ? line : value);
  }
  return { sections, values };
}

/** The texts in the lists `install_requires` and `tests_require` of a setup.py, without its comments. */
function requirementsInCode(code: string): readonly string[] {
  const lists = code
    .replace(/^[ \t]*#.*$/gm, "")
    .split(/\b(?:install_requires|tests_require)\s*=\s*\[/)
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf("]")));
  return lists.flatMap((list) =>
    [...list.matchAll(/#.*$|(["'])(.*?)\1/gm)].map(([, , text = ""]) => text),
  );
}

function managerOf(project: ProjectFiles, tool: Fields) {
  if (project.has("uv.lock") || "uv" in tool) return { packageManager: "uv", run: "uv run " };
  if (project.has("poetry.lock") || "poetry" in tool)
    return { packageManager: "poetry", run: "poetry run " };
  if (project.has("pdm.lock") || "pdm" in tool) return { packageManager: "pdm", run: "pdm run " };
  if (project.has("Pipfile")) return { packageManager: "pipenv", run: "pipenv run " };
  if ("hatch" in tool) return { packageManager: "hatch", run: "" };
  return { packageManager: "pip", run: "" };
}

function testCommand(project: ProjectFiles, frameworks: readonly string[], run: string) {
  if (
    frameworks.includes("pytest") ||
    project.first("pytest.ini", "conftest.py", "tests/conftest.py")
  )
    return `${run}pytest`;
  if (project.has("tox.ini") || frameworks.includes("tox")) return "tox";
  if (project.has("noxfile.py")) return "nox";
  if (project.has("manage.py")) return `${run}python manage.py test`;
  if (project.matching(/(?:^|\/)test_[^/]+\.py$|_test\.py$/).length > 0)
    return `${run}python -m unittest discover`;
  return undefined;
}

function first(
  names: readonly string[],
  choices: readonly (readonly [string, string])[],
): string | undefined {
  return choices.find(([name]) => names.includes(name))?.[1];
}

function entryPointsOf(project: ProjectFiles): readonly string[] {
  const usual = ["manage.py", "main.py", "app.py", "src/main.py", "cli.py"].filter((path) =>
    project.has(path),
  );
  return [...new Set([...usual, ...project.matching(/^(?:src\/)?[^/]+\/__main__\.py$/)])].slice(
    0,
    10,
  );
}
