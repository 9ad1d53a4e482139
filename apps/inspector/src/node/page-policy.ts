import { createHash } from "node:crypto";

const POLICY_SLOT = "<!--wink-csp-->";
const DATA_SLOT = "<!--wink-data-->";

/**
 * The Content-Security-Policy of the page: only its own script and style run, nothing else is loaded, and images come
 * from memory. `connect` allows questions to the server that sent the page.
 */
export function policyOf(page: string, { connect }: { readonly connect: boolean }): string {
  const hashes = (tag: "script" | "style") =>
    Array.from(page.matchAll(new RegExp(`<${tag}\\b([^>]*)>([^]*?)</${tag}>`, "g")))
      .filter(([, attributes = ""]) => !attributes.includes("text/plain"))
      .map(([, , content = ""]) => `'sha256-${sha256(content)}'`)
      .join(" ");
  return [
    "default-src 'none'",
    `script-src ${hashes("script") || "'none'"}`,
    `style-src ${hashes("style") || "'none'"}`,
    "img-src blob:",
    ...(connect ? ["connect-src 'self'", "frame-ancestors 'none'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** The page for a server, which sends the policy as a header. */
export function servedPage(template: string): string {
  return fill(fill(template, POLICY_SLOT, ""), DATA_SLOT, "");
}

/** The parts of a page with data: the data is inserted between them. */
export function exportedPage(template: string): { readonly head: string; readonly tail: string } {
  const policy = policyOf(template, { connect: false });
  const page = fill(
    template,
    POLICY_SLOT,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
  const at = page.indexOf(DATA_SLOT);
  if (at < 0) throw new Error("inspector page: it has no place for data.");
  return { head: page.slice(0, at), tail: page.slice(at + DATA_SLOT.length) };
}

function fill(page: string, slot: string, text: string): string {
  if (page.split(slot).length !== 2)
    throw new Error(`inspector page: it must have ${slot} exactly once.`);
  return page.replace(slot, () => text);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
