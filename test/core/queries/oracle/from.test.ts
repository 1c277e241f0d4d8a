import * as assert from "uvu/assert";
import {
  aggregationDefinitions,
  type Cell,
  type DataType,
} from "../../../../plugins/protocol/index.ts";
import { rounds } from "../../../support/layer.ts";
import { openEverySource, type EverySource } from "../../../support/everySource.ts";
import { createPlainHost, type PlainColumn } from "../../../support/plainHost.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { createRandom, type Random } from "../../../support/random.ts";
import { randomCapabilities } from "../../../support/randomCapabilities.ts";
import { isClose } from "../../../support/isClose.ts";
import { embedOf, rowFilter } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";
import type { OracleQuery } from "./oracleQuery.ts";
import { randomQuery } from "./randomQuery.ts";
import { rowValue, type Mention } from "./values.ts";
import { columns, randomWorld, type World } from "./world.ts";

const seed = Number(process.env["SEED"] ?? 20261129);
const worldCount = Number(process.env["WORLDS"] ?? rounds({ quick: 1, deep: 12, soak: 100 }));
const perWorld = 12;

/**
 * Returns the types of an inner query's columns. The type of bins is undefined, because answers contain bins as
 * strings.
 */
function typesOf(
  { query, twins, formulas }: OracleQuery,
  world: World,
): readonly DataType[] | undefined {
  const zone = world.zones.indexOf(query.options?.timezone_id || "UTC");
  const isRollup = query.options?.rollup_data !== false;
  const isBinned = ({ discretization }: Mention) =>
    typeof discretization === "object" && JSON.stringify(discretization).includes("linear");
  const mentions = [...(query.dimensions ?? []), ...(query.measures ?? [])];
  if (mentions.some(isBinned)) return undefined;
  return mentions.map((mention, index): DataType => {
    const isMeasure = isRollup && index >= (query.dimensions ?? []).length;
    if (mention.formula !== undefined) return formulas.get(mention.formula)?.type ?? "numeric";
    if (mention.column_id === "*") return "numeric";
    const { type } = rowValue(mention, twins, zone);
    if (!isMeasure) return type;
    const { aggregation } = mention;
    const name = typeof aggregation === "object" ? aggregation.type : aggregation;
    const chosen = name ?? (type === "numeric" ? "sum" : "count");
    return aggregationDefinitions[chosen].result === "T" ? type : "numeric";
  });
}

/** Returns a random query over columns with the given types. The query uses `datasetId` as the id of their dataset. */
function outerQuery(random: Random, types: readonly DataType[], datasetId: string): object {
  const places = types.map((_, index) => index);
  const of = (index: number, more: object = {}) => ({
    dataset_id: datasetId,
    column_id: `c${index}`,
    ...more,
  });
  const dimensions = places
    .filter(() => random.chance(0.3))
    .map((index) =>
      of(
        index,
        types[index] === "datetime" && random.chance(0.5) ? { level: 1 + random.below(5) } : {},
      ),
    );
  const measured = places
    .filter(() => random.chance(0.5))
    .map((index) =>
      of(index, {
        aggregation: random.pick(
          types[index] === "numeric"
            ? (["sum", "average", "median", "max", "distinctcount", "stddev"] as const)
            : (["min", "max", "count", "distinctcount"] as const),
        ),
      }),
    );
  const numeric = places.filter((index) => types[index] === "numeric");
  const tested = numeric.length > 0 && random.chance(0.4) ? [random.pick(numeric)] : [];
  return {
    dimensions,
    measures: [{ dataset_id: datasetId, column_id: "*", aggregation: "count" }, ...measured],
    where: tested.map((index) => ({ expression: "? <= ?", parameters: [of(index), 3] })),
    ...(random.chance(0.3) && { limit: { by: 3, offset: random.below(2) } }),
    options: { cells: "plain" },
  };
}

suite("core/queries/oracle/from", (test) => {
  let sources: EverySource;
  test.before(async () => {
    sources = await openEverySource();
  });
  test.after(() => sources.close());

  test("a query over an inner query gets the same answer as over a dataset with the inner answer's rows", async () => {
    let comparedCount = 0;
    for (let index = 0; index < worldCount; index++) {
      const made = createRandom(seed + index);
      const world = randomWorld(made);
      const options = { columns, rows: world.rows, now: () => world.nowMs };
      const stored = await sources.stored(options);
      const source = createPlainPlugin(randomCapabilities(made));
      const other = await createPlainHost({ ...options, source, scratch: stored.scratch });
      for (let number = 0; number < perWorld; number++) {
        const random = createRandom((seed + index) * 1000 + number);
        const inner = randomQuery(random, world);
        const types = typesOf(inner, world);
        if (!types) continue;
        const { query, parameters } = inner;
        const { cells: _, ...innerOptions } = query.options ?? {};
        const filters = random.chance(0.5) ? [rowFilter("n", "? > ?", random.below(8) - 2)] : [];
        const principal = embedOf({ parameters, filters });
        const outerSeed = random.below(2 ** 30);
        const overFrom = {
          ...outerQuery(createRandom(outerSeed), types, "from"),
          from: {
            query: { ...query, options: innerOptions },
            columns: types.map((_type, place) => `c${place}`),
          },
        };
        const innerRows = await stored.askAs(principal, {
          ...query,
          options: { ...innerOptions, cells: "plain" },
        });
        const answered = await createPlainHost({
          columns: types.map((type, place): PlainColumn => ({ id: `c${place}`, type })),
          rows: innerRows.data as readonly (readonly Cell[])[],
          source: createPlainPlugin({}),
          scratch: stored.scratch,
        });
        const expected = await answered.sendQuery(outerQuery(createRandom(outerSeed), types, "D"));
        for (const [name, host] of [["strata", stored] as const, ["a plugin", other] as const]) {
          const about = `SEED=${seed + index} WORLDS=1, query ${number}, ${name}\n${JSON.stringify(overFrom)}`;
          const { data } = await host.askAs(principal, overFrom).catch((cause: unknown) => {
            throw new Error(`${String(cause)}\n${about}`, { cause });
          });
          // A plugin may add in another order, so the last bits of its sums may differ.
          if (!isClose(data, expected.data)) assert.equal(data, expected.data, about);
        }
        comparedCount++;
      }
    }
    assert.ok(comparedCount > worldCount * perWorld * 0.3, `${comparedCount} queries compared`);
  });
});
