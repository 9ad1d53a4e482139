import type { Inspector } from "./inspector.js";

const SCHEMES = ["system", "light", "dark"] as const;

/** The next colour scheme. The system decides until a reader does. */
export function nextScheme({ scheme }: Inspector): void {
  const next = SCHEMES[(SCHEMES.indexOf(scheme.value) + 1) % SCHEMES.length] ?? "system";
  scheme.value = next;
  document.documentElement.dataset["scheme"] = next;
}
