import { drawQuestions } from "./randomQueries.ts";
import { createQueries } from "./queries.ts";
import { openStrataStore } from "./systems/openStrataStore.ts";

/** How much longer the first run of a shape took than its second, in milliseconds, one a shape. */
export interface FirstTimes {
  readonly extraMs: readonly number[];
  /** The shape with the largest difference. */
  readonly worst: string;
}

const shapeCount = 60;

/** Asks shapes that a fresh store has never seen, each twice in a row, after one question that wakes the threads. */
export async function runFirstTime({
  dir,
  rowCount,
  seed,
}: {
  readonly dir: string;
  readonly rowCount: number;
  readonly seed: number;
}): Promise<FirstTimes> {
  const system = await openStrataStore({
    name: "strata",
    rowCount,
    seed,
    dir,
    callers: 1,
    files: { facts: [], dimension: "" },
  });
  try {
    const [wakes, ...shapes] = [...createQueries(), ...drawQuestions(seed + 1, shapeCount)];
    await system.ask(wakes!, 0);
    const extras: { readonly name: string; readonly extraMs: number }[] = [];
    for (const shape of shapes) {
      const timed = async () => {
        const startedAt = performance.now();
        await system.ask(shape, 0);
        return performance.now() - startedAt;
      };
      const first = await timed();
      const second = await timed();
      extras.push({ name: `${shape.name} ${shape.duckdb}`, extraMs: first - second });
    }
    const sorted = extras.toSorted((one, other) => one.extraMs - other.extraMs);
    return {
      extraMs: sorted.map(({ extraMs }) => extraMs),
      worst: sorted.at(-1)?.name ?? "",
    };
  } finally {
    await system.close();
  }
}
