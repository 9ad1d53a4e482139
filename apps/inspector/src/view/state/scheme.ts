import type { Inspector } from "./inspector.js";

const SCHEMES = ["system", "light", "dark"] as const;

/** Switches to the next colour scheme. The first scheme is that of the system. */
export function nextScheme({ scheme }: Inspector): void {
  const next = SCHEMES[(SCHEMES.indexOf(scheme.value) + 1) % SCHEMES.length] ?? "system";
  scheme.value = next;
  document.documentElement.dataset["scheme"] = next;
}
