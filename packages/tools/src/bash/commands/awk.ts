import { type Execute, original, separateValues } from "./command.js";

/** `awk` with `-v OFS=…`, `length` without brackets, and `seen[$1];`, which creates an element. */
export const awk: Execute = async (args, context) => {
  const separated = separateValues(args, "Fvf");
  const at = separated.findIndex(
    (arg, index) => !/^-[Fvf]$/.test(separated[index - 1] ?? "") && !/^-./.test(arg),
  );
  const program = separated[at];
  if (program === undefined || separated.includes("-f")) return await original(context, args);
  const settings = separated
    .filter((_, index) => index < at && separated[index - 1] === "-v")
    .map((setting) => /^(O[FR]S|RS)=(.*)$/s.exec(setting))
    .map((match) => (match === null ? "" : `BEGIN { ${match[1]} = "${match[2]}" } `));
  const repaired = settings.join("") + repair(program);
  return await original(context, separated.with(at, repaired));
};

/** Skips strings and patterns. */
function repair(program: string): string {
  return program
    .replace(
      /"(?:\\.|[^"\\])*"|(?<=(?:^|[\s({!~,;&|])\s*)\/(?:\\.|[^/\\\n])+\/|\blength\b(?!\s*\()/g,
      (found) => (found === "length" ? "length($0)" : found),
    )
    .replace(/([{;]\s*)(\w+\[[^\][="]*\])(?=\s*[;}])/g, "$1$2 = $2");
}
