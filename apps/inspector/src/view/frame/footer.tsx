const HINTS = [
  ["j k", "rows"],
  ["[ ]", "turns"],
  ["n", "next problem"],
  ["a b", "pins"],
  ["1 … 9", "tabs"],
  ["/", "search"],
  ["?", "all keys"],
] as const;

/** The most useful keys. */
export function Footer() {
  return (
    <footer>
      {HINTS.map(([keys, what]) => (
        <span key={keys}>
          <kbd>{keys}</kbd> {what}
        </span>
      ))}
    </footer>
  );
}
