import type { PageElements } from "../source/page-chunks.js";

/** A page with the places that the real one has. */
export const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><!--wink-csp--><title>Test</title><style>p{color:red}</style></head>
<body><p>Test</p><!--wink-data--><script type="module">document.title = "ran";</script></body></html>`;

/** The data elements of an exported page, as a browser finds them. */
export function chunksOf(html: string): PageElements {
  const found = new Map(
    Array.from(
      html.matchAll(/<script type="text\/plain" data-wink="(\w+)">([^<]*)<\/script>/g),
      ([, name = "", text = ""]) => [name, text],
    ),
  );
  return { text: (name) => found.get(name) };
}
