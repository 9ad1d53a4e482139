import { InMemoryFilesystem } from "@wink/filesystem";
import { expect, it } from "vitest";
import type { Files } from "../files/workspace.test.support.js";
import { WorkspaceDigest } from "./workspace-digest.js";

const digestOf = (files: Files) =>
  WorkspaceDigest.fromFilesystem(new InMemoryFilesystem({ files }));

const TOKIO_PROSE = "A rocket simulator with warp drive: clap your hands, hyper rayon tracing";

/** Manifests whose prose, comments and exclusions name packages that the project does not use. */
it.each<{ what: string; files: Files; frameworks: readonly string[]; test?: string }>([
  {
    what: "a description and a comment in Cargo.toml",
    files: {
      "Cargo.toml": `# we removed tokio and axum\n[package]\nname = "x"\ndescription = "${TOKIO_PROSE}"\nkeywords = ["tokio"]\n\n[features]\nserde = []\n`,
    },
    frameworks: [],
    test: "cargo test",
  },
  {
    what: "dependencies, renamed and by target, in Cargo.toml",
    files: {
      "Cargo.toml":
        '[package]\nname = "x"\n[dependencies]\njson = { package = "serde", version = "1" }\n[target."cfg(unix)".dependencies]\ntokio = "1"\n[dev-dependencies.proptest]\nversion = "1"\n',
    },
    frameworks: ["Tokio", "Serde", "proptest"],
    test: "cargo test",
  },
  {
    what: "members of a dotted workspace key in Cargo.toml",
    files: {
      "Cargo.toml": 'workspace.members = ["a"]\nworkspace.dependencies.axum = "0.8"\n',
      "a/Cargo.toml": '[package]\nname = "a"\n[dependencies]\naxum.workspace = true\nclap = "4"\n',
    },
    frameworks: ["Axum", "clap"],
    test: "cargo test --workspace",
  },
  {
    what: "prose in pyproject.toml",
    files: {
      "pyproject.toml":
        '[project]\nname = "x"\ndescription = "Click on pandas: a black and white flask requests more"\nclassifiers = ["Framework :: Django"]\n',
    },
    frameworks: [],
  },
  {
    what: "a number sign in a string of pyproject.toml",
    files: {
      "pyproject.toml":
        '[project]\nname = "x"\ndescription = "the # 1 tool"\ndependencies = ["Flask[async]>=3 ; python_version > \'3.8\'"]\n[dependency-groups]\ndev = ["pytest>=8", { include-group = "more" }]\n',
    },
    frameworks: ["Flask", "pytest"],
    test: "pytest",
  },
  {
    what: "poetry groups",
    files: {
      "pyproject.toml":
        '[tool.poetry]\nname = "x"\n[tool.poetry.dependencies]\npython = "^3.12"\nFastAPI = "*"\n[tool.poetry.group.dev.dependencies]\npytest = "*"\n',
    },
    frameworks: ["FastAPI", "pytest"],
    test: "poetry run pytest",
  },
  {
    what: "comments and options in requirements.txt",
    files: {
      "requirements.txt":
        "# pandas was too slow\n-r more.txt\n--extra-index-url https://flask.example\nscikit_learn==1 # not torch\nhttpx\n",
    },
    frameworks: ["scikit-learn", "HTTPX"],
  },
  {
    what: "setup.cfg and setup.py",
    files: {
      "setup.cfg":
        "[metadata]\ndescription = not django\n[options]\ninstall_requires =\n    # celery\n    click>=8\n[options.extras_require]\ntest = pytest\n[flake8]\nmax-line-length = 100\n",
      "setup.py":
        "# install_requires=['torch']\nsetup(description='numpy', install_requires=[\n  'requests',  # not 'scipy'\n])\n",
    },
    frameworks: ["Click", "Requests", "pytest", "Flake8"],
    test: "pytest",
  },
  {
    what: "comments, exclusions and indirect modules in go.mod",
    files: {
      "go.mod":
        "module github.com/gin-gonic/gin-demo\n\ngo 1.23\n\n// github.com/labstack/echo was slow\nexclude github.com/gofiber/fiber v1.0.0\nrequire (\n\tgithub.com/spf13/cobra v1.8.0\n\tgorm.io/gorm v1.25.0 // indirect\n)\nrequire github.com/go-chi/chi/v5 v5.1.0\nreplace google.golang.org/grpc => ../grpc\n",
    },
    frameworks: ["chi", "Cobra"],
    test: "go test ./...",
  },
  {
    what: "comments and exclusions in pom.xml",
    files: {
      "pom.xml":
        "<project><groupId>com.x</groupId><artifactId>quarkus-notes</artifactId><description>not spring-boot</description><!-- <groupId>org.springframework.boot</groupId> --><dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>a</artifactId><exclusions><exclusion><groupId>io.quarkus</groupId></exclusion></exclusions></dependency></dependencies></project>",
    },
    frameworks: ["JUnit"],
    test: "mvn test",
  },
  {
    what: "comments and prose in build.gradle",
    files: {
      "build.gradle":
        "// implementation 'io.quarkus:quarkus-core:3'\n/* id 'org.springframework.boot' */\ndescription = 'like junit'\ndependencies { testImplementation 'org.junit.jupiter:junit-jupiter:5' }\n",
    },
    frameworks: ["JUnit"],
    test: "gradle test",
  },
  {
    what: "comments in a .NET project",
    files: {
      "App.csproj":
        '<Project Sdk="Microsoft.NET.Sdk"><!-- Microsoft.NET.Sdk.Web <PackageReference Include="NUnit"/> --><Description>nunit</Description><ItemGroup><PackageReference Version="2" Include="xunit" /></ItemGroup></Project>',
    },
    frameworks: ["xUnit"],
    test: "dotnet test",
  },
  {
    what: "comments in a Gemfile and mix.exs",
    files: {
      Gemfile: "# gem 'rails'\ngem 'sinatra'\n",
      "mix.exs": '# {:phoenix, "~> 1"}\ndefp deps, do: [{:ecto_sql, "~> 3"}]\n',
    },
    frameworks: ["Ecto", "Sinatra"],
    test: "mix test",
  },
  {
    what: "a comment in pubspec.yaml",
    files: {
      "pubspec.yaml":
        "name: x\ndescription: |\n  flutter: not used\n# flutter:\ndependencies:\n  path: any\n",
    },
    frameworks: [],
    test: "dart test",
  },
  {
    what: "an anchor in pubspec.yaml",
    files: {
      "pubspec.yaml":
        "name: x\ndependencies: &d\n  flutter: { sdk: flutter }\ndev_dependencies: *d\n",
    },
    frameworks: ["Flutter"],
    test: "flutter test",
  },
])("a digest names only real dependencies: $what (TL-46)", async ({ files, frameworks, test }) => {
  const digest = await digestOf(files);
  expect(digest.frameworks).toEqual(frameworks);
  expect(digest.commands.test).toBe(test);
});

it.each<{ what: string; files: Files; typecheck: string | undefined }>([
  {
    what: "a script",
    files: { "package.json": '{"scripts":{"typecheck":"tsc -b"}}' },
    typecheck: "npm run typecheck",
  },
  {
    what: "TypeScript",
    files: { "package.json": '{"devDependencies":{"typescript":"5"}}', "pnpm-lock.yaml": "" },
    typecheck: "pnpm exec tsc --noEmit",
  },
  { what: "plain JavaScript", files: { "package.json": "{}" }, typecheck: undefined },
  {
    what: "Pyright",
    files: { "pyproject.toml": "[tool.pyright]\nstrict = []\n", "uv.lock": "" },
    typecheck: "uv run pyright",
  },
  { what: "mypy", files: { "requirements.txt": "mypy\n" }, typecheck: "mypy ." },
  { what: "Rust", files: { "Cargo.toml": "" }, typecheck: "cargo check" },
  { what: "Deno", files: { "deno.json": "{}" }, typecheck: "deno check ." },
  { what: "make", files: { Makefile: "typecheck:\n\tmypy .\n" }, typecheck: "make typecheck" },
])("a digest has the command that checks types: $what (TL-40)", async ({ files, typecheck }) => {
  const digest = await digestOf(files);
  expect(digest.commands.typecheck).toBe(typecheck);
  if (typecheck !== undefined) expect(digest.patterns).toContain(`Type checking: ${typecheck}`);
});

it("the percentages of the languages have the sum 100 (TL-40)", async () => {
  for (const sizes of [
    [864, 131, 5],
    [1, 1, 1],
    [333, 333, 334],
    [995, 5, 0],
    [1, 99_999, 7],
  ]) {
    const [ts = 0, md = 0, json = 0] = sizes;
    const { patterns } = await digestOf({
      "a.ts": "x".repeat(ts),
      "a.md": "x".repeat(md),
      "a.json": "x".repeat(json),
    });
    const shares = [...(patterns[0] ?? "").matchAll(/(\d+)%/g)].map(([, share]) => Number(share));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(100);
  }
});
