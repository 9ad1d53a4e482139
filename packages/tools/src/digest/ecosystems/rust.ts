import { type Ecosystem, known } from "./findings.js";
import { type Fields, keysOf, recordIn, recordsIn } from "./project-files.js";

const FRAMEWORKS = {
  tokio: "Tokio",
  "actix-web": "Actix Web",
  axum: "Axum",
  rocket: "Rocket",
  warp: "warp",
  hyper: "hyper",
  serde: "Serde",
  clap: "clap",
  diesel: "Diesel",
  sqlx: "SQLx",
  bevy: "Bevy",
  tauri: "Tauri",
  rayon: "Rayon",
  tracing: "tracing",
  anyhow: "anyhow",
  criterion: "Criterion",
  proptest: "proptest",
};

export const rust: Ecosystem = async (project) => {
  if (!project.has("Cargo.toml")) return undefined;
  const root = await project.readToml("Cargo.toml");
  const members = project.matching(/^(?:[^/]+\/){1,2}Cargo\.toml$/).slice(0, 50);
  const names = new Set(cratesIn(root));
  for (const path of members)
    for (const name of cratesIn(await project.readToml(path))) names.add(name);
  const isWorkspace = "workspace" in root;
  const all = isWorkspace ? " --workspace" : "";
  return {
    kind: isWorkspace ? "Rust workspace" : "Rust crate",
    language: "Rust",
    packageManager: "cargo",
    commands: {
      test: `cargo test${all}`,
      lint: `cargo clippy${all}`,
      typecheck: `cargo check${all}`,
      build: `cargo build${all}`,
      format: "cargo fmt",
    },
    frameworks: known(names, FRAMEWORKS),
    entryPoints: project
      .matching(/^(?:[^/]+\/){0,2}src\/(?:main|lib)\.rs$|^src\/bin\/[^/]+\.rs$/)
      .slice(0, 10),
    manifests: ["Cargo.toml"],
  };
};

/** The dependencies of a crate, of its targets and of its workspace. A renamed one has the name in `package`. */
function cratesIn(manifest: Fields): readonly string[] {
  const owners = [manifest, recordIn(manifest, "workspace"), ...recordsIn(manifest, "target")];
  return owners.flatMap((owner) =>
    ["dependencies", "dev-dependencies", "build-dependencies"].flatMap((field) => {
      const crates = recordIn(owner, field);
      return keysOf(crates).map((name) => {
        const { package: original } = recordIn(crates, name);
        return typeof original === "string" ? original : name;
      });
    }),
  );
}
