import { nextTurn } from "../../reply/step-counter.js";
import { type Ecosystem, known } from "./findings.js";
import type { ProjectFiles } from "./project-files.js";

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
  const requirements = project.matching(/^(?:requirements[^/]*\.txt|requirements\/[^/]+\.txt)$/);
  const texts = await project.readAll([...new Set([...manifests, ...requirements])]);
  const text = texts.join("\n");
  const names = new Set<string>();
  for (const each of texts) {
    for (const name of namesIn(each)) if (Object.hasOwn(FRAMEWORKS, name)) names.add(name);
    await nextTurn();
  }
  const frameworks = known(names, FRAMEWORKS);
  const { packageManager, run } = managerOf(project, text);
  const isPackage = /^\[(?:project|tool\.poetry)\]/m.test(text) || project.has("setup.py");
  return {
    kind: isPackage ? "Python package" : "Python project",
    language: "Python",
    packageManager,
    commands: {
      test: testCommand(project, text, frameworks, run),
      lint: first(frameworks, [
        ["Ruff", `${run}ruff check`],
        ["Flake8", `${run}flake8`],
        ["Pylint", `${run}pylint .`],
        ["mypy", `${run}mypy .`],
      ]),
      build: /^\[build-system\]/m.test(text)
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

/** All words that could be the name of a dependency or tool. Ignores comments. */
function namesIn(text: string): readonly string[] {
  return (
    text
      .replace(/#.*$/gm, "")
      .toLowerCase()
      .match(/[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*/g) ?? []
  );
}

function managerOf(project: ProjectFiles, text: string) {
  if (project.has("uv.lock") || /^\[tool\.uv\b/m.test(text))
    return { packageManager: "uv", run: "uv run " };
  if (project.has("poetry.lock") || /^\[tool\.poetry\]/m.test(text))
    return { packageManager: "poetry", run: "poetry run " };
  if (project.has("pdm.lock") || /^\[tool\.pdm\b/m.test(text))
    return { packageManager: "pdm", run: "pdm run " };
  if (project.has("Pipfile")) return { packageManager: "pipenv", run: "pipenv run " };
  if (/^\[tool\.hatch\b/m.test(text)) return { packageManager: "hatch", run: "" };
  return { packageManager: "pip", run: "" };
}

function testCommand(
  project: ProjectFiles,
  text: string,
  frameworks: readonly string[],
  run: string,
) {
  if (
    frameworks.includes("pytest") ||
    project.first("pytest.ini", "conftest.py", "tests/conftest.py")
  )
    return `${run}pytest`;
  if (project.has("tox.ini") || /^\[tool\.tox\b/m.test(text)) return "tox";
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
