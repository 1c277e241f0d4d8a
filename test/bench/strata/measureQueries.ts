import { setTimeout as wait } from "node:timers/promises";
import { spreadOf } from "../spread.ts";
import { compareAnswers, compareChoice } from "./compareAnswers.ts";
import type { Cell, BenchQuery } from "./benchQuery.ts";
import type { Reading } from "./readInTurn.ts";
import type { BenchProcess } from "./startProcess.ts";
import type { SystemName } from "./systems/system.ts";

/** Measurements of one query on one system. */
export interface Measured {
  /** Milliseconds of every counted run, in order. Empty if no run is counted. */
  readonly durations: readonly number[];
  readonly rowCount: number;
  readonly scannedRowCount?: number;
  /**
   * The reason why no run is counted: the system does not support the query, has failed, or returned a different
   * answer.
   */
  readonly refusal?: string;
}

export interface MeasuredQuery {
  readonly query: BenchQuery;
  readonly systems: ReadonlyMap<SystemName, Measured>;
  /** Median times of reading memory in the same rounds. Empty if there is no reader. */
  readonly readings: readonly Reading[];
}

export interface Rounds {
  readonly warmUps: number;
  readonly repeats: number;
  /** A process that takes turns with the systems. In its turn, it reads memory. */
  readonly reader?: BenchProcess;
}

/**
 * Milliseconds to pause before each turn, so that a system that is still working after its answer does not slow down
 * the next system.
 */
const settleMs = 20;

interface Running {
  durations: number[];
  rowCount: number;
  scannedRowCount?: number;
  refusal?: string;
}

/**
 * Runs each query on one system after another, so that noise of the machine affects all systems equally. The answers of
 * the first round are compared with those of the first DuckDB system. A system that returns a different answer is not
 * timed.
 */
export async function measureQueries(
  processes: ReadonlyMap<SystemName, BenchProcess>,
  queries: readonly BenchQuery[],
  { warmUps, repeats, reader }: Rounds,
  onMeasured: (measured: MeasuredQuery) => void,
): Promise<MeasuredQuery[]> {
  const names = [...processes.keys()];
  const reference = names.find((name) => name.startsWith("duckdb"));
  if (!reference) throw new Error("answers are compared with DuckDB, which is missing");
  const all: MeasuredQuery[] = [];
  for (const query of queries) {
    const systems = new Map<SystemName, Running>(
      names.map((name) => [name, { durations: [], rowCount: 0 }]),
    );
    const expected = query.reference
      ? (
          await processes.get(reference)!.run("query", {
            query: {
              ...query,
              name: `${query.name} reference`,
              duckdb: query.reference,
            },
            sendsCells: true,
          })
        ).cells
      : undefined;
    let reported: readonly (readonly Cell[])[] | undefined = expected;
    const readings = new Map<number, number[]>();
    const turnsOf = [...names, ...(reader ? (["reader"] as const) : [])];
    for (let round = 0; round < warmUps + repeats; round++) {
      const turns =
        round === 0
          ? [reference, ...names.filter((name) => name !== reference)]
          : rotated(turnsOf, round);
      for (const name of turns) {
        await wait(settleMs);
        if (name === "reader") {
          const found = (await reader?.run("readInTurn")) ?? [];
          if (round < warmUps) continue;
          for (const { sizeBytes, ms } of found)
            readings.set(sizeBytes, [...(readings.get(sizeBytes) ?? []), ms]);
          continue;
        }
        const running = systems.get(name)!;
        if (running.refusal !== undefined) continue;
        try {
          const sendsCells = round === 0 || query.isChoice === true;
          const timed = await processes.get(name)!.run("query", { query, sendsCells });
          running.rowCount = timed.rowCount;
          if (timed.scannedRowCount !== undefined) running.scannedRowCount = timed.scannedRowCount;
          reported ??= timed.cells ?? [];
          const difference =
            timed.difference ??
            (timed.cells &&
              (query.isChoice ? compareChoice : compareAnswers)(reported, timed.cells, query));
          if (difference !== undefined) {
            running.refusal = `returned a different answer: ${difference}`;
            running.durations = [];
          } else if (round >= warmUps) running.durations.push(timed.ms);
        } catch (error) {
          running.refusal = error instanceof Error ? error.message : String(error);
          running.durations = [];
        }
      }
    }
    for (const process of processes.values())
      await process.run("forget", [query.name, `${query.name} reference`]).catch(() => {});
    const measured = {
      query,
      systems,
      readings: [...readings].map(([sizeBytes, durations]) => ({
        sizeBytes,
        ms: spreadOf(durations).median,
      })),
    };
    all.push(measured);
    onMeasured(measured);
  }
  return all;
}

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
