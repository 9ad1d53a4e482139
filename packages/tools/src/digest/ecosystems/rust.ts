import { nextTurn } from "../../reply/step-counter.js";
import { type Ecosystem, known } from "./findings.js";

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
  const members = project.matching(/^(?:[^/]+\/){1,2}Cargo\.toml$/).slice(0, 50);
  const texts = await project.readAll(["Cargo.toml", ...members]);
  const names = new Set<string>();
  for (const each of texts) {
    for (const name of each.match(/[a-z][a-z0-9_-]*/g) ?? [])
      if (Object.hasOwn(FRAMEWORKS, name)) names.add(name);
    await nextTurn();
  }
  const isWorkspace = /^\[workspace\]/m.test(texts[0] ?? "");
  const all = isWorkspace ? " --workspace" : "";
  return {
    kind: isWorkspace ? "Rust workspace" : "Rust crate",
    language: "Rust",
    packageManager: "cargo",
    commands: {
      test: `cargo test${all}`,
      lint: `cargo clippy${all}`,
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
