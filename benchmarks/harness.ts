/** The result of a subject: the number of operations, nothing for one, or a time that it measured itself. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that counts nothing has nothing to return.
type Done = number | void | { readonly micros: number };

/** One thing to time. */
export type Subject = () => Done | Promise<Done>;

/** The target for the ratio of a peer's time to ours. */
export type Target =
  /** We are at least this many times faster than the peer. */
  | { readonly peer: string; readonly atLeast: number; readonly atMost?: undefined }
  /** We take at most this many times the peer's time. */
  | { readonly peer: string; readonly atMost: number; readonly atLeast?: undefined };

interface Comparison {
  readonly name: string;
  readonly ours: Subject;
  readonly peers: Readonly<Record<string, Subject>>;
  readonly targets: readonly Target[];
  /** How often each subject runs. @default 5, or 3 with `--quick` */
  readonly rounds?: number;
  /** Runs before each timed call and is not timed. */
  readonly before?: () => void | Promise<void>;
}

interface Row {
  readonly suite: string;
  readonly name: string;
  /** Median microseconds for one operation. */
  readonly oursMicros: number;
  readonly peersMicros: Readonly<Record<string, number>>;
  readonly verdicts: readonly Verdict[];
}

interface Verdict {
  readonly peer: string;
  readonly ratio: number;
  readonly target: string;
  readonly holds: boolean;
}

export interface Run {
  readonly quick: boolean;
  readonly rows: readonly Row[];
  /** Alternates between ours and every peer, so that a busy moment of the machine affects all of them. */
  compare(comparison: Comparison): Promise<void>;
}

export function startRun(suite: string, options: { readonly quick: boolean }): Run {
  const rows: Row[] = [];
  return {
    quick: options.quick,
    rows,
    async compare(comparison) {
      const rounds = comparison.rounds ?? (options.quick ? 3 : 5);
      const samples = new Map<string, number[]>();
      const subjects: [string, Subject][] = [
        ["wink", comparison.ours],
        ...Object.entries(comparison.peers),
      ];
      for (let round = 0; round <= rounds; round++) {
        for (const [name, subject] of subjects) {
          await comparison.before?.();
          const micros = await timeOnce(subject);
          // The first round warms up caches and the compiler.
          if (round > 0) samples.set(name, [...(samples.get(name) ?? []), micros]);
        }
      }
      const row = judge(suite, comparison, samples);
      rows.push(row);
      printRow(row);
    },
  };
}

/** Microseconds for one operation. */
export async function timeOnce(subject: Subject): Promise<number> {
  const start = process.hrtime.bigint();
  const done = (await subject()) ?? 1;
  if (typeof done === "object") return done.micros;
  return Number(process.hrtime.bigint() - start) / 1_000 / done;
}

function judge(suite: string, comparison: Comparison, samples: Map<string, number[]>): Row {
  const oursMicros = median(samples.get("wink") ?? []);
  const peersMicros: Record<string, number> = {};
  for (const peer of Object.keys(comparison.peers))
    peersMicros[peer] = median(samples.get(peer) ?? []);
  const verdicts = comparison.targets.map(({ peer, atLeast, atMost }): Verdict => {
    const peerMicros = peersMicros[peer];
    if (peerMicros === undefined) throw new Error(`${comparison.name}: no peer named ${peer}`);
    if (atMost !== undefined) {
      const ratio = oursMicros / peerMicros;
      return { peer, ratio, target: `≤ ${atMost}× ${peer}`, holds: ratio <= atMost };
    }
    const ratio = peerMicros / oursMicros;
    return {
      peer,
      ratio,
      target: `≥ ${atLeast}× faster than ${peer}`,
      holds: ratio >= atLeast,
    };
  });
  return { suite, name: comparison.name, oursMicros, peersMicros, verdicts };
}

function printRow(row: Row): void {
  console.log(`\n${row.name}`);
  console.log(`  ${"wink".padEnd(28)} ${formatMicros(row.oursMicros).padStart(12)}`);
  for (const [peer, micros] of Object.entries(row.peersMicros)) {
    const verdict = row.verdicts.find((each) => each.peer === peer);
    const judged = verdict
      ? `${verdict.ratio.toFixed(2)}×  target ${verdict.target}  ${verdict.holds ? "holds" : "MISSED"}`
      : `${(micros / row.oursMicros).toFixed(2)}× ours`;
    console.log(`  ${peer.padEnd(28)} ${formatMicros(micros).padStart(12)}   ${judged}`);
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function formatMicros(micros: number): string {
  if (micros >= 1_000_000) return `${(micros / 1_000_000).toFixed(2)} s`;
  if (micros >= 1_000) return `${(micros / 1_000).toFixed(2)} ms`;
  return `${micros.toFixed(2)} µs`;
}
