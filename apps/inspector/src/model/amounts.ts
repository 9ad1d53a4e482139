/** A whole number with a thousands separator: `1,234`. */
export function number(amount: number): string {
  return amount.toLocaleString("en-GB");
}

/** `1 file`, `1,234 files`. */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${number(amount)} ${amount === 1 ? one : many}`;
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** A size for people: `812 bytes`, `1.4 kB`. */
export function size(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 1000 && unit < UNITS.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return unit === 0 ? count(bytes, "byte") : `${amount.toFixed(1)} ${UNITS[unit]}`;
}
