import * as assert from "uvu/assert";
import type { Cell } from "../../../../plugins/protocol/index.ts";
import { ApiError } from "../../../../core/base/errors.ts";
import { rounds } from "../../../support/layer.ts";
import {
  type NarrowCounts,
  narrowPlugin,
  randomNarrowings,
  withSupersets,
} from "../../../support/narrowPlugin.ts";
import { createPlainHost, isStored, type PlainHost } from "../../../support/plainHost.ts";
import { everyCapability, type PlainPlugin } from "../../../support/plainPlugin.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { randomCapabilities } from "../../../support/randomCapabilities.ts";
import { embedOf, rowFilter } from "../../../support/restricted.ts";
import { rounded } from "../../../support/rounded.ts";
import { suite } from "../../../support/suite.ts";
import type { OracleQuery } from "../oracle/oracleQuery.ts";
import { randomQuery } from "../oracle/randomQuery.ts";
import { columns, randomWorld } from "../oracle/world.ts";

const worldCount = rounds({ quick: 3, deep: 60, soak: 200 });
const queryCount = 12;
const stored = columns.filter(isStored);

suite("core/queries with plugins whose columns have narrowings", (test) => {
  const counts: NarrowCounts = { supersets: 0, silent: 0, grouped: 0, limited: 0 };

  for (const isTrusted of [true, false])
    test(`${isTrusted ? "a" : "an un"}trusted plugin that returns supersets and randomly acknowledges filters gives the same cells as a plain plugin`, async () => {
      const seeds = createRandom();
      for (let round = 0; round < worldCount; round++) {
        const random = createRandom(seeds.below(2 ** 31));
        await withSeed(seeds, async () => {
          const world = randomWorld(random);
          const narrowed = randomNarrowings(
            stored.map(({ id }) => id),
            random,
          );
          const capabilities = withSupersets(
            random.chance(0.5)
              ? everyCapability
              : { ...everyCapability, ...randomCapabilities(random, 0.95) },
            random,
          );
          const named = Object.entries(narrowed).map(([id, each]) => [`source.${id}`, each]);
          const options = { rows: world.rows.map(withoutCancelling), now: () => world.nowMs };
          const honest = await createPlainHost({ ...options, columns });
          const host = await createPlainHost({
            ...options,
            isTrusted,
            columns: columns.map((column) => ({ ...column, ...withNarrowed(narrowed[column.id]) })),
            wrap: (plugin) =>
              narrowPlugin(plugin as PlainPlugin, {
                capabilities,
                narrowings: { sheet: Object.fromEntries(named) },
                random,
                isChecked: !isTrusted,
                counts,
              }),
          });
          for (let index = 0; index < queryCount; index++) {
            const oracleQuery = randomQuery(random, world);
            const filters = random.chance(0.5)
              ? []
              : [rowFilter("s", "? in ?", ["a", "A", null]), rowFilter("t", "? != ?", "é")];
            const about = JSON.stringify([
              oracleQuery.query,
              filters,
              capabilities.filters,
              narrowed,
            ]);
            const expected = await cellsOf(honest, oracleQuery, filters);
            const cells = await cellsOf(host, oracleQuery, filters).catch((failure: unknown) => {
              throw new Error(`${String(failure)}\n${about}`, { cause: failure });
            });
            assert.equal(cells, expected, about);
          }
        });
      }
    });

  test.deep(
    "the random queries of this test include supersets, unacknowledged filters, groups and limits",
    () => {
      for (const [what, count] of Object.entries(counts))
        assert.ok(count >= 10, `${what}: ${count}`);
    },
  );
});

const wild = columns.findIndex(({ id }) => id === "wild");

/**
 * Replaces numbers that can cancel each other in sums. The executors of this test add in different orders, so nothing
 * would be left of such a sum but the rounding errors.
 */
function withoutCancelling(row: readonly Cell[]): readonly Cell[] {
  const value = row[wild];
  return typeof value === "number" && Math.abs(value) > 1e6 ? row.with(wild, 1e6) : row;
}

function withNarrowed(narrowed: object | undefined) {
  return narrowed ? { narrowed } : {};
}

/** Returns the cells with numbers rounded to twelve digits. Undefined if the query fails. */
async function cellsOf(
  host: PlainHost,
  { query, parameters }: OracleQuery,
  filters: ReturnType<typeof rowFilter>[],
): Promise<unknown> {
  try {
    const { data } = await host.askAs(embedOf({ parameters, filters }), query);
    return rounded(data);
  } catch (failure) {
    if (failure instanceof ApiError) return undefined;
    throw failure;
  }
}
