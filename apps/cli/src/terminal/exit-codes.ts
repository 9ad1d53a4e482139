/** The exit codes of `wink`. The numbers are stable. */
export const EXIT_CODES = {
  ok: 0,
  /** The command started and did not succeed: an agent, a test, a file that cannot be read. */
  failed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** Nothing was done because of a conflict, a no to a question, or a missing `--yes`. */
  refused: 3,
  /** Something required is missing on this machine: a key, a program, a package. */
  unavailable: 4,
  /** Ended by Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** The exit codes for the help. */
export const EXIT_CODE_HELP = `Exit codes:
  0    success; also if there was nothing to do
  1    the agent or the command failed
  2    the command line is wrong
  3    refused: a conflict, a no to a question, or a missing --yes
  4    something required is missing: a key, a program
  130  interrupted`;
