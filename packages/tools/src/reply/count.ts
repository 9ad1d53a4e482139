/** `1 line`, `2 lines`. */
export function count(amount: number, singular: string, plural = `${singular}s`): string {
  return `${amount.toLocaleString("en")} ${amount === 1 ? singular : plural}`;
}
