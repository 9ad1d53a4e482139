import type { Ecosystem } from "./findings.js";
import { go } from "./go.js";
import { jvm } from "./jvm.js";
import { make } from "./make.js";
import { node } from "./node.js";
import { dart, dotnet, elixir, php, ruby, swift } from "./others.js";
import { python } from "./python.js";
import { rust } from "./rust.js";

/** All detected ecosystems. The last one, `make`, only adds commands, for projects in any language. */
export const ecosystems: readonly Ecosystem[] = [
  node,
  python,
  rust,
  go,
  jvm,
  ruby,
  php,
  dotnet,
  elixir,
  swift,
  dart,
  make,
];
