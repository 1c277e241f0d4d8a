import { availableParallelism, totalmem } from "node:os";
import type { Config } from "../../../base/index.ts";
import { type Diagnosis, good, weak } from "../diagnosis.ts";

const check = "machine";
/**
 * The maximum share of the memory that the store may use, because answers, PostgreSQL and the system need memory too.
 */
const mostShare = 0.75;

/** Checks how much memory and how many threads of the machine the store may use. */
export function checkMachine({ memoryMb, workers }: Config): Diagnosis[] {
  const memory = Math.floor(totalmem() / 2 ** 20);
  const cores = availableParallelism();
  return [
    memoryMb > mostShare * memory
      ? weak(
          check,
          `MANIFOLD_MEMORY_MB is ${memoryMb}, and the machine has ${memory} MiB`,
          "leave a quarter of the memory for answers, PostgreSQL and the system; otherwise the system may kill the host",
        )
      : good(check, `the store may use ${memoryMb} of ${memory} MiB`),
    workers > cores
      ? weak(
          check,
          `MANIFOLD_WORKERS is ${workers}, but there are ${cores} cores`,
          "unset it, because more threads than cores make queries slower",
        )
      : good(check, `${workers} threads on ${cores} cores, Node ${process.versions.node}`),
  ];
}
