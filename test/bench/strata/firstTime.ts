import type { Store } from "../../../engine/index.ts";
import type { Question } from "./question.ts";
import { drawQuestions } from "./randomQueries.ts";
import { createQueries } from "./queries.ts";
import { fillDimension, fillFacts, openBenchStore } from "./systems/openStrataStore.ts";

/** How much longer the first run of a shape took than its second, in milliseconds, one a shape, least first. */
export interface FirstTimes {
  /** Shapes that the store has never seen. */
  readonly extraMs: readonly number[];
  /** The same shapes over a second table of the same rows: what is made of its texts, and the noise of the machine. */
  readonly dataExtraMs: readonly number[];
  /** The new shape with the largest difference. */
  readonly worst: string;
}

const shapeCount = 60;

/** Asks shapes that a fresh store, warmed as a host does at its start, has never seen, each twice in a row; then again over a second table. */
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
    const shapes = [...createQueries(), ...drawQuestions(seed + 1, shapeCount)];
    const firstTable = await askTwice(store, shapes, "f");
    const secondTable = await askTwice(store, shapes, "g");
    return {
      extraMs: firstTable.map(({ extraMs }) => extraMs),
      dataExtraMs: secondTable.map(({ extraMs }) => extraMs),
      worst: firstTable.at(-1)?.name ?? "",
    };
  } finally {
    await store.close();
  }
}

async function askTwice(
  store: Store,
  shapes: readonly Question[],
  table: string,
): Promise<readonly { readonly name: string; readonly extraMs: number }[]> {
  const extras: { readonly name: string; readonly extraMs: number }[] = [];
  for (const { name, plan, duckdb } of shapes) {
    const timed = async () => {
      const startedAt = performance.now();
      await store.query({ ...plan, table });
      return performance.now() - startedAt;
    };
    const first = await timed();
    const second = await timed();
    extras.push({ name: `${name} ${duckdb}`, extraMs: first - second });
  }
  return extras.toSorted((one, other) => one.extraMs - other.extraMs);
}
