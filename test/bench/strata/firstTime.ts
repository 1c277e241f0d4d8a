import type { Store } from "../../../engine/index.ts";
import { collectGarbage } from "../../../engine/memory/collectGarbage.ts";
import { spreadOf } from "../spread.ts";
import type { BenchQuery } from "./benchQuery.ts";
import { drawQueries } from "./randomQueries.ts";
import { createQueries } from "./queries.ts";
import { fillDimension, fillFacts, openBenchStore } from "./systems/openStrataStore.ts";

/** The cost of running a query shape for the first time, in milliseconds. */
export interface FirstTime {
  /** The query, by name and as SQL. */
  readonly shape: string;
  /** The first run minus the second one, including the noise of two single runs. */
  readonly toSecondMs: number;
  /** The first run minus the median of the later runs. */
  readonly extraMs: number;
  /** The second run minus the median of the runs after it. This is the value that noise alone would give `extraMs`. */
  readonly controlMs: number;
}

export interface FirstTimes {
  /** Shapes that the store has never run. */
  readonly newShapes: readonly FirstTime[];
  /** The same shapes over a second table with the same rows, to isolate the work that depends on its strings. */
  readonly newData: readonly FirstTime[];
}

const shapeCount = 60;
const runCount = 6;

/**
 * Runs query shapes that are new to a fresh store, which is warmed up like a host at its start. Each shape runs six
 * times in a row, then again over a second table.
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
    // Excludes files that the store would rewrite meanwhile, and garbage from the rows that the bench created.
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
