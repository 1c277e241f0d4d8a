import { availableParallelism, totalmem } from "node:os";
import type { Config } from "../../../base/index.ts";
import { type Finding, good, weak } from "../finding.ts";

const check = "machine";
/** The share of the memory that the store may have: answers, PostgreSQL and the system need some too. */
const mostShare = 0.75;

/** Looks at what the store was given of the machine. */
export function checkMachine({ memoryMb, workers }: Config): Finding[] {
  const memory = Math.floor(totalmem() / 2 ** 20);
  const cores = availableParallelism();
  return [
    memoryMb > mostShare * memory
      ? weak(
          check,
          `MANIFOLD_MEMORY_MB is ${memoryMb} of the machine's ${memory}`,
          "leave a quarter to answers, PostgreSQL and the system, or the machine ends the host",
        )
      : good(check, `the store may use ${memoryMb} of ${memory} MiB`),
    workers > cores
      ? weak(
          check,
          `MANIFOLD_WORKERS is ${workers}, and there are ${cores} cores`,
          "more threads than cores make queries slower: leave the setting out",
        )
      : good(check, `${workers} threads on ${cores} cores, Node ${process.versions.node}`),
  ];
}
