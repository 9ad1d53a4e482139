import { abort } from "./abort.js";
import { modes, times } from "./attributes.js";
import { concurrency } from "./concurrency.js";
import type { ContractArea } from "./contract-case.js";
import { deletePath } from "./delete.js";
import { driver } from "./driver.js";
import { errors } from "./errors.js";
import { glob } from "./glob.js";
import { grep } from "./grep.js";
import { identity } from "./identity.js";
import { limits } from "./limits.js";
import { links } from "./links.js";
import { list } from "./list.js";
import { mkdir } from "./mkdir.js";
import { paths } from "./paths.js";
import { quotas } from "./quotas.js";
import { read } from "./read.js";
import { readOnly } from "./read-only.js";
import { results } from "./results.js";
import { stat } from "./stat.js";
import { streams } from "./streams.js";
import { text } from "./text.js";
import { transactions } from "./transactions.js";
import { transfer } from "./transfer.js";
import { write } from "./write.js";

/** All requirements for a backend, in reading order. */
export const contractAreas: readonly ContractArea[] = [
  paths,
  read,
  text,
  write,
  list,
  stat,
  identity,
  links,
  modes,
  times,
  glob,
  grep,
  deletePath,
  mkdir,
  transfer,
  streams,
  limits,
  quotas,
  readOnly,
  errors,
  results,
  abort,
  concurrency,
  driver,
  transactions,
];
