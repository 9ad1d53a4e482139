import { type Ecosystem, known, withoutXmlComments } from "./findings.js";
import { keysOf, recordIn } from "./project-files.js";

export const ruby: Ecosystem = async (project) => {
  const manifest = project.first("Gemfile", "Rakefile") ?? project.matching(/^[^/]+\.gemspec$/)[0];
  if (manifest === undefined) return undefined;
  const text = `${await project.read("Gemfile")}\n${await project.read("Rakefile")}`;
  const gems = [...text.matchAll(/^[ \t]*gem[ \t(]*["']([\w-]+)["']/gm)].map(
    ([, name = ""]) => name,
  );
  const usesRspec = gems.some((gem) => gem.startsWith("rspec")) || project.has(".rspec");
  const usesRails = gems.includes("rails");
  return {
    kind: usesRails ? "Rails application" : "Ruby project",
    language: "Ruby",
    packageManager: "bundler",
    commands: {
      test: usesRspec
        ? "bundle exec rspec"
        : usesRails
          ? "bin/rails test"
          : "bundle exec rake test",
      lint:
        gems.includes("rubocop") || project.has(".rubocop.yml") ? "bundle exec rubocop" : undefined,
      format: gems.includes("rubocop") ? "bundle exec rubocop -a" : undefined,
    },
    frameworks: known(gems, {
      rails: "Rails",
      sinatra: "Sinatra",
      rspec: "RSpec",
      "rspec-rails": "RSpec",
      rubocop: "RuboCop",
    }),
    entryPoints: project.matching(/^(?:config\.ru|bin\/[^/]+|lib\/[^/]+\.rb)$/).slice(0, 5),
    manifests: [manifest],
  };
};

export const php: Ecosystem = async (project) => {
  if (!project.has("composer.json")) return undefined;
  const manifest = await project.readJson("composer.json");
  const scripts = recordIn(manifest, "scripts");
  const names = ["require", "require-dev"].flatMap((field) => keysOf(recordIn(manifest, field)));
  const script = (name: string) =>
    scripts[name] === undefined
      ? undefined
      : `composer ${name === "test" ? "test" : `run ${name}`}`;
  return {
    kind: "PHP package",
    language: "PHP",
    packageManager: "composer",
    commands: {
      test:
        script("test") ??
        (names.includes("pestphp/pest")
          ? "vendor/bin/pest"
          : names.includes("phpunit/phpunit")
            ? "vendor/bin/phpunit"
            : undefined),
      lint:
        script("lint") ??
        (names.includes("phpstan/phpstan") ? "vendor/bin/phpstan analyse" : undefined),
      build: script("build"),
      format: script("format") ?? (names.includes("laravel/pint") ? "vendor/bin/pint" : undefined),
    },
    frameworks: known(names, {
      "laravel/framework": "Laravel",
      "symfony/framework-bundle": "Symfony",
      "phpunit/phpunit": "PHPUnit",
      "pestphp/pest": "Pest",
    }),
    entryPoints: project.matching(/^(?:public\/index\.php|index\.php|artisan)$/),
    manifests: ["composer.json"],
  };
};

const MAX_TAG_CHARACTERS = 1_000;

export const dotnet: Ecosystem = async (project) => {
  const manifests = project.matching(/^[^/]+\.slnx?$|^(?:[^/]+\/){0,2}[^/]+\.(?:cs|fs|vb)proj$/);
  if (manifests.length === 0) return undefined;
  const text = withoutXmlComments((await project.readAll(manifests.slice(0, 20))).join("\n"));
  // Split first: an expression over all tags takes quadratic time if no tag is closed.
  const tags = text.split("<").map((tag) => tag.slice(0, MAX_TAG_CHARACTERS));
  const uses = (tag: RegExp) => tags.some((each) => tag.test(each));
  return {
    kind: ".NET project",
    language: manifests.some((path) => path.endsWith(".fsproj")) ? "F#" : "C#",
    packageManager: "nuget",
    commands: { test: "dotnet test", build: "dotnet build", format: "dotnet format" },
    frameworks: [
      ...(uses(/^Project\b.*\bSdk="Microsoft\.NET\.Sdk\.Web"/s) ? ["ASP.NET Core"] : []),
      ...(uses(/^PackageReference\b.*\bInclude="xunit/is) ? ["xUnit"] : []),
      ...(uses(/^PackageReference\b.*\bInclude="nunit/is) ? ["NUnit"] : []),
    ],
    entryPoints: project.matching(/(?:^|\/)Program\.(?:cs|fs)$/).slice(0, 5),
    manifests: manifests.slice(0, 3),
  };
};

export const elixir: Ecosystem = async (project) => {
  if (!project.has("mix.exs")) return undefined;
  const code = (await project.read("mix.exs")).replace(/(^|\s)#.*$/gm, "$1");
  const packages = [...code.matchAll(/\{\s*:(\w+)\s*,/g)].map(([, name = ""]) => name);
  return {
    kind: "Elixir project",
    language: "Elixir",
    packageManager: "mix",
    commands: {
      test: "mix test",
      lint: packages.includes("credo") ? "mix credo" : undefined,
      typecheck: packages.includes("dialyxir") ? "mix dialyzer" : undefined,
      build: "mix compile",
      format: "mix format",
    },
    frameworks: known(packages, { phoenix: "Phoenix", ecto: "Ecto", ecto_sql: "Ecto" }),
    entryPoints: project.matching(/^lib\/[^/]+\.ex$/).slice(0, 5),
    manifests: ["mix.exs"],
  };
};

export const swift: Ecosystem = async (project) => {
  if (!project.has("Package.swift")) return undefined;
  return {
    kind: "Swift package",
    language: "Swift",
    packageManager: "swift",
    commands: { test: "swift test", build: "swift build" },
    frameworks: [],
    entryPoints: project.matching(/^Sources\/[^/]+\/main\.swift$/).slice(0, 5),
    manifests: ["Package.swift"],
  };
};

export const dart: Ecosystem = async (project) => {
  if (!project.has("pubspec.yaml")) return undefined;
  const isFlutter = "flutter" in recordIn(await project.readYaml("pubspec.yaml"), "dependencies");
  const tool = isFlutter ? "flutter" : "dart";
  return {
    kind: isFlutter ? "Flutter application" : "Dart package",
    language: "Dart",
    packageManager: "pub",
    commands: { test: `${tool} test`, lint: `${tool} analyze`, format: "dart format ." },
    frameworks: isFlutter ? ["Flutter"] : [],
    entryPoints: project.matching(/^(?:lib\/main|bin\/[^/]+)\.dart$/).slice(0, 5),
    manifests: ["pubspec.yaml"],
  };
};
