import type { Store } from "../../../engine/index.ts";
import { collectGarbage } from "../../../engine/memory/collectGarbage.ts";
import { spreadOf } from "../spread.ts";
import type { BenchQuery } from "./benchQuery.ts";
import { drawQueries } from "./randomQueries.ts";
import { createQueries } from "./queries.ts";
import { fillDimension, fillFacts, openBenchStore } from "./systems/openStrataStore.ts";

/** The first time of a shape, in milliseconds. */
export interface FirstTime {
  /** The query, by name and as SQL. */
  readonly shape: string;
  /** The first run minus the second one, with the noise of two single runs. */
  readonly toSecondMs: number;
  /** The first run minus the median of the later runs. */
  readonly extraMs: number;
  /**
   * The second run less the median of those after it: what `extraMs` is where nothing is new, by the noise of one
   * single run.
   */
  readonly controlMs: number;
}

export interface FirstTimes {
  /** Shapes that the store has never seen. */
  readonly newShapes: readonly FirstTime[];
  /** The same shapes over a second table of the same rows, to separate the work that depends on its texts. */
  readonly newData: readonly FirstTime[];
}

const shapeCount = 60;
const runCount = 6;

/**
 * Asks shapes that a fresh store, warmed as a host does at its start, has never seen, each six times in a row; then
 * again over a second table.
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
    // Files that the store would make anew meanwhile, and garbage of the rows that the bench made, are not what is
    // timed.
    await store.compact();
    collectGarbage();
    const shapes = [...createQueries(), ...drawQueries(seed + 1, shapeCount)];
    const newShapes = await askInTurn(store, shapes, "f");
    return { newShapes, newData: await askInTurn(store, shapes, "g") };
  } finally {
    await store.close();
  }
}

async function askInTurn(
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
