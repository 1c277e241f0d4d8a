import { setTimeout as pause } from "node:timers/promises";
import type { Cell } from "../strata/benchQuery.ts";
import type { BenchProcess } from "../strata/startProcess.ts";
import { compareRanked } from "./compareRanked.ts";
import type { HostSystem } from "./openHostSystem.ts";
import type { PublicPart, PublicQuestion } from "./publicPart.ts";
import type { PublicJobs } from "./publicJobs.ts";
import { spell } from "./spell.ts";
import type { PublicSystemName } from "./systems/publicSystem.ts";
import { threadTime } from "./threadTime.ts";
import { toPublicCells } from "./toPublicCells.ts";
import { typesOf } from "./typeOf.ts";

export type SideName = "host" | PublicSystemName;

/** The times of one question on one system, in milliseconds, one per counted round. */
export interface Times {
  readonly wall: number[];
  /** Processor time of all threads of the system's process. */
  readonly processor: number[];
  /** The reason why no time is counted. */
  refusal?: string;
}

export interface MeasuredQuestion {
  readonly question: PublicQuestion;
  readonly rowCount: number;
  readonly sides: ReadonlyMap<SideName, Times>;
}

export interface MeasureRequest {
  readonly part: PublicPart;
  readonly host: HostSystem;
  readonly processes: ReadonlyMap<PublicSystemName, BenchProcess<PublicJobs>>;
  readonly repeats: number;
  readonly onMeasured: (measured: MeasuredQuestion) => void;
}

/** Pauses before each turn, so that a system that still works after its answer does not slow down the next one. */
const settleMs = 15;
const warmUps = 2;

/**
 * Asks each question of all systems in turns. The first answers are compared with those of DuckDB. The times of a
 * system with another answer do not count.
 */
export async function measurePart({
  part,
  host,
  processes,
  repeats,
  onMeasured,
}: MeasureRequest): Promise<readonly MeasuredQuestion[]> {
  const reference = [...processes.keys()].find((name) => name.startsWith("duckdb"));
  if (!reference) throw new Error("answers are compared with DuckDB, which is missing");
  const names: readonly SideName[] = [
    reference,
    "host",
    ...[...processes.keys()].filter((name) => name !== reference),
  ];
  const all: MeasuredQuestion[] = [];
  for (const question of part.questions) {
    const spelled = spell(question, part);
    const types = typesOf(question, part);
    const sides = new Map<SideName, Times>(
      names.map((name) => [name, { wall: [], processor: [] }]),
    );
    let expected: readonly (readonly Cell[])[] = [];
    const ask = async (name: SideName, sendsCells: boolean) => {
      if (name === "host") {
        const { ms, rows } = await host.ask(question);
        return { ms, cells: sendsCells ? toPublicCells(rows, types) : [] };
      }
      return processes.get(name)!.run("ask", { question: spelled, types, sendsCells });
    };
    for (let round = 0; round < warmUps + repeats; round++) {
      const from = round === 0 ? 0 : round % names.length;
      for (const name of [...names.slice(from), ...names.slice(0, from)]) {
        const times = sides.get(name)!;
        if (times.refusal !== undefined) continue;
        await pause(settleMs);
        const pid = name === "host" ? host.pid : processes.get(name)!.pid;
        try {
          const before = threadTime(pid);
          const { ms, cells } = await ask(name, round === 0);
          const processorMs = threadTime(pid) - before;
          if (round === 0 && name === reference) expected = cells;
          const difference = round === 0 ? compareRanked(expected, cells, question) : undefined;
          if (difference !== undefined) times.refusal = `another answer: ${difference}`;
          if (round < warmUps) continue;
          times.wall.push(ms);
          times.processor.push(processorMs);
        } catch (failure) {
          times.refusal = failure instanceof Error ? failure.message : String(failure);
        }
      }
    }
    const measured = { question, rowCount: expected.length, sides };
    all.push(measured);
    onMeasured(measured);
  }
  return all;
}
