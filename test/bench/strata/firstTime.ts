import type { Store } from "../../../engine/index.ts";
import { collectGarbage } from "../../../engine/memory/collectGarbage.ts";
import { spreadOf } from "../spread.ts";
import type { BenchQuery } from "./benchQuery.ts";
import { drawQueries } from "./randomQueries.ts";
import { createQueries } from "./queries.ts";
import { fillDimension, fillFacts, openBenchStore } from "./systems/openStrataStore.ts";

/** The additional time of the first run of a query shape, in milliseconds. */
export interface FirstTime {
  /** The query's name and SQL. */
  readonly shape: string;
  /** The time of the first run minus the time of the second run, including the noise of two single runs. */
  readonly toSecondMs: number;
  /** The time of the first run minus the median of the later runs. */
  readonly extraMs: number;
  /**
   * The time of the second run minus the median of the runs after it. If `extraMs` is about as large, it is only noise.
   */
  readonly controlMs: number;
}

export interface FirstTimes {
  /** First runs of query shapes that the store has never run before. */
  readonly newShapes: readonly FirstTime[];
  /**
   * First runs of the same shapes over a second table with the same rows. They show the cost of the work that depends
   * on the table's strings.
   */
  readonly newData: readonly FirstTime[];
}

const shapeCount = 60;
const runCount = 6;

/**
 * Runs query shapes for the first time in a fresh store, which is warmed up like a host at its start. Each shape runs
 * six times in a row, and then again over a second table.
 */
export async function runFirstTime({
  dir,
  rowCount,
  seed,
}: {
  readonly dir: string;
  readonly rowCount: number;
  readonly seed: number;
}): Promise<FirstTimes> {
  const store = await openBenchStore(dir);
  try {
    await store.warm();
    for (const name of ["f", "g"]) await fillFacts({ store, name, rowCount, seed });
    await fillDimension(store);
    // Excludes two costs: rewriting files during the measurement, and collecting the garbage of the rows that the bench
    // created.
    await store.compact();
    collectGarbage();
    const shapes = [...createQueries(), ...drawQueries(seed + 1, shapeCount)];
    const newShapes = await runInTurn(store, shapes, "f");
    return { newShapes, newData: await runInTurn(store, shapes, "g") };
  } finally {
    await store.close();
  }
}

async function runInTurn(
  store: Store,
  shapes: readonly BenchQuery[],
  table: string,
): Promise<readonly FirstTime[]> {
  const times: FirstTime[] = [];
  for (const { name, plan, duckdb } of shapes) {
    const runs: number[] = [];
    while (runs.length < runCount) {
      const startedAt = performance.now();
      await store.query({ ...plan, table });
      runs.push(performance.now() - startedAt);
    }
    const [first = NaN, second = NaN, ...others] = runs;
    times.push({
      shape: `${name} ${duckdb}`,
      toSecondMs: first - second,
      extraMs: first - spreadOf([second, ...others]).median,
      controlMs: second - spreadOf(others).median,
    });
  }
  return times;
}
