import * as assert from "uvu/assert";
import type { Capabilities, Plugin } from "../../../../plugins/protocol/index.ts";
import type { Principal, RowFilter } from "../../../../core/base/contracts/index.ts";
import { ApiError } from "../../../../core/base/errors.ts";
import { createQueries, type QueryAnswer } from "../../../../core/queries/index.ts";
import { rounds } from "../../../support/layer.ts";
import { needsClickhouse } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseStore } from "../../../support/clickhouseStore.ts";
import { openEverySource, type EverySource } from "../../../support/everySource.ts";
import { createPlainConnections } from "../../../support/plainConnections.ts";
import { createPlainHost, principalOf, type PlainHost } from "../../../support/plainHost.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { createRandom, type Random } from "../../../support/random.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf, override, rowFilter } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";
import { comparePlain } from "./comparePlain.ts";
import { conditionSql } from "./conditionSql.ts";
import { openOracle, type Oracle } from "./openOracle.ts";
import type { OracleAnswer } from "./finishAnswer.ts";
import { oracleAnswer } from "./oracleAnswer.ts";
import type { OracleQuery } from "./oracleQuery.ts";
import { randomCapabilities } from "../../../support/randomCapabilities.ts";
import { randomQuery } from "./randomQuery.ts";
import { rowValue } from "./values.ts";
import { columns, randomValue, randomWorld, type World } from "./world.ts";

const seed = Number(process.env["SEED"] ?? 20261123);
const worldCount = Number(process.env["WORLDS"] ?? rounds({ quick: 1, deep: 2, soak: 4 }));
const queryCount = rounds({ quick: 3, deep: 8, soak: 14 });

/** A caller, with SQL for the rows that the caller may see. */
interface Caller {
  readonly name: string;
  readonly principal: Principal;
  /** SQL for these rows. Undefined if a filter of the caller cannot be applied, so that every query fails. */
  readonly rows: string | undefined;
  readonly hidden: ReadonlySet<string>;
}

const texts = ["", "a", "A", "ab", "Ghent", "a,b", "𝒳a", "é", " a ", "it's", "b,a,c"];
const organizations = {
  north: ["", "a", "A", "ab", "Ghent"],
  south: ["a,b", "𝒳a", "é", " a ", "it's"],
} as const;

/**
 * Returns row filters. The first filters select the tenant's rows, which are the rows with one of the tenant's strings
 * in `t`. Random filters follow.
 */
function filtersOf(organization: keyof typeof organizations): RowFilter {
  return rowFilter("t", "? in ?", organizations[organization]);
}

function randomFilter(random: Random): RowFilter {
  if (random.chance(0.2))
    return rowFilter(random.pick(["w", "day"]), random.pick(["to_date", "more_than_ago"]), {
      unit: random.pick([1, 3, 5]),
    });
  const id = random.pick(["s", "n", "m", "w", "day", "city", "t", "cost", "large"]);
  const value = () => randomValue(id, random);
  const isText = ["s", "city", "t", "large"].includes(id);
  const [word, given] = random.pick<readonly [string, unknown]>([
    ["? != ?", value()],
    ["? not in ?", [value(), null]],
    ["? is not null", undefined],
    isText ? ["? not like ?", "a"] : ["? >= ?", value()],
    isText ? ["? in ?", [null, ...texts.slice(random.below(6))]] : ["? <= ?", value()],
  ]);
  return rowFilter(id, word, given);
}

function sqlOf(
  filters: readonly RowFilter[],
  world: World,
  parameters: OracleQuery["parameters"],
): string {
  const tested = (mention: { readonly column_id?: string }) => rowValue(mention, new Map(), 0);
  const options = { tested, parameters, nowMs: world.nowMs, zone: "UTC", lastOf: () => null };
  const tests = filters.flatMap(
    ({ column_id, expression, value }) =>
      conditionSql(
        { expression, parameters: value === undefined ? [{ column_id }] : [{ column_id }, value] },
        options,
      ) ?? [],
  );
  return ["true", ...tests].join(" and ");
}

function callersOf(world: World, random: Random): readonly Caller[] {
  return (["north", "south"] as const).flatMap((organization): Caller[] => {
    const own = filtersOf(organization);
    const self = { ...principalOf(`user of ${organization}`), organizationId: organization };
    const token = (name: string, bounds: Parameters<typeof embedOf>[0], closed = false): Caller => {
      const filters = bounds?.filters ?? [];
      const parameters = bounds?.parameters ?? new Map<string, never>();
      return {
        name: `${name} of ${organization}`,
        principal: { ...embedOf(bounds), userId: self.userId, organizationId: organization },
        rows: closed ? undefined : sqlOf([own, ...filters], world, parameters),
        hidden: bounds?.hiddenColumns ?? new Set(),
      };
    };
    const byParameter = (type: string, value?: unknown) => ({
      parameter: "metadata.of",
      type,
      ...(value !== undefined && { value }),
    });
    const some = random.pick(texts);
    return [
      {
        name: `a user of ${organization}`,
        principal: self,
        rows: sqlOf([own], world, new Map()),
        hidden: new Set(),
      },
      token("a token with filters", { filters: [randomFilter(random), randomFilter(random)] }),
      token("a token with a parameter", {
        filters: [rowFilter("s", "? != ?", byParameter("hierarchy", "a"))],
        parameters: new Map([["of", override(some)]]),
      }),
      token("a token with a default", {
        filters: [rowFilter("s", "? != ?", byParameter("hierarchy", some))],
      }),
      token("a token with an empty list", {
        filters: [rowFilter("s", "? not in ?", byParameter("array[hierarchy]", ["a"]))],
        parameters: new Map([["of", override([])]]),
      }),
      token("a token with hidden columns", {
        filters: [randomFilter(random)],
        hiddenColumns: new Set(random.some(["n", "city", "w", "day", "t"], 0.5)),
      }),
      token(
        "a token without what its filter needs",
        { filters: [rowFilter("s", "? = ?", byParameter("hierarchy"))] },
        true,
      ),
    ];
  });
}

/** Lists the columns that a query reads, directly or through derived columns. */
function readBy({ query }: OracleQuery): ReadonlySet<string> {
  const text = JSON.stringify(query);
  const derived = columns
    .filter(({ id, expression }) => expression && text.includes(`"${id}"`))
    .map(({ expression }) => expression);
  const all = `${text} ${derived.join(" ")}`;
  return new Set(
    columns
      .map(({ id }) => id)
      .filter((id) => all.includes(`"column_id":"${id}"`) || all.includes(`{D:${id}}`)),
  );
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, at: random.below(2 ** 30) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

interface Case {
  readonly caller: Caller;
  readonly oracleQuery: OracleQuery;
  /** The expected answer. Undefined if the query must fail. */
  readonly expected: OracleAnswer | undefined;
}

/** A world together with its queries. */
interface DrawnWorld {
  readonly world: World;
  readonly capabilities: Capabilities;
  readonly cases: readonly Case[];
}

type Where = "a plugin" | "strata" | "ClickHouse" | "the store";

suite("core/queries/oracle/isolation", (test) => {
  let oracle: Oracle;
  let sources: EverySource;
  test.before(async () => {
    oracle = await openOracle();
    sources = await openEverySource();
  });
  test.after(async () => {
    oracle.close();
    await sources.close();
  });

  /** Creates a query path over a live or a stored dataset. The path caches answers. */
  const createPath = async (
    plain: PlainHost,
    where: Where,
    world: World,
    held: Plugin = plain.source,
  ) => {
    const { records, scratch } = plain;
    const store = createPlainPlugin();
    const stored = columns.filter(({ expression }) => expression === undefined);
    store.fill(
      "D",
      stored.map(({ id, type }) => ({ id, type: type as "numeric" })),
      world.rows,
    );
    if (where === "the store")
      await records.change("securable", "D", {
        storage: "strata",
        shared_storage_version: "1",
        rows: world.rows.length,
      });
    for (const organization of Object.keys(organizations))
      records.grant("D", `user of ${organization}`, "read");
    return createQueries({
      records,
      connections: createPlainConnections({
        store,
        scratch,
        accounts: { A: held },
      }),
      rowFilters: async ({ organizationId, restriction }) => [
        filtersOf(organizationId as keyof typeof organizations),
        ...(restriction?.filters ?? []),
      ],
      cacheBytes: 2 ** 26,
      now: () => world.nowMs,
    });
  };

  /** Creates a random world and queries for it. Computes the expected answers with the oracle. */
  const draw = async (index: number): Promise<DrawnWorld> => {
    const random = createRandom(seed + index);
    const world = randomWorld(random);
    await oracle.load(world);
    const capabilities = randomCapabilities(random);
    const callers = callersOf(world, random);
    const oracleQueries = Array.from({ length: Math.max(32, queryCount * 4) }, () =>
      randomQuery(random, world),
    )
      .filter(({ query }) => !JSON.stringify(query).includes('"parameter"'))
      .slice(0, queryCount);
    const cases: Case[] = [];
    for (const caller of callers)
      for (const oracleQuery of oracleQueries) {
        const isRefused =
          caller.rows === undefined || [...readBy(oracleQuery)].some((id) => caller.hidden.has(id));
        const expected = isRefused
          ? undefined
          : await oracleAnswer(oracle, oracleQuery, world, caller.rows);
        if (!expected?.isDoubtful) cases.push({ caller, oracleQuery, expected });
      }
    return { world, capabilities, cases };
  };
  /** The random worlds, by index. They are reused, so that the same queries run on each way to store the rows. */
  const requested: Promise<DrawnWorld>[] = [];

  for (const where of ["a plugin", "strata", "ClickHouse", "the store"] as const) {
    const isOther = where === "ClickHouse";
    if (isOther && needsClickhouse.missing !== undefined) continue;
    (isOther ? test.deep : test)(
      `tenants and tokens see exactly their own rows of a dataset in ${where}, with and without cache, concurrently`,
      async () => {
        let cachedCount = 0;
        let comparedCount = 0;
        const held = isOther ? await openEverySource(openClickhouseStore) : sources;
        for (let index = 0; index < worldCount; index++) {
          const { world, capabilities, cases } = await (requested[index] ??= draw(index));
          const random = createRandom(seed + index);
          const source = createPlainPlugin(capabilities);
          const { scratch } = await held.stored({ columns, rows: world.rows });
          const options = { columns, rows: world.rows, now: () => world.nowMs };
          const plain = await createPlainHost({ ...options, source, scratch, cacheS: 60 });
          const isStored = where === "strata" || isOther;
          const queries = await createPath(plain, where, world, isStored ? held.store : source);
          const askOne = async ({ caller, oracleQuery, expected }: Case): Promise<void> => {
            const about = `SEED=${seed + index} WORLDS=1, ${caller.name}\n${JSON.stringify(oracleQuery.query)}`;
            const answer = await queries
              .answer(oracleQuery.query, caller.principal, new AbortController().signal)
              .catch((failure: unknown) => failure);
            if (!expected) {
              assert.ok(
                answer instanceof ApiError,
                `${about}\nwas answered: ${JSON.stringify(answer)}`,
              );
              return;
            }
            if (answer instanceof Error)
              throw new Error(`${String(answer)}\n${about}`, { cause: answer });
            const { data, cached } = answer as QueryAnswer;
            const difference = comparePlain(data, expected);
            assert.is(
              difference,
              undefined,
              `${difference}${cached ? ", from the cache" : ""}\n${about}`,
            );
            cachedCount += Number(cached);
            comparedCount++;
          };
          for (let pass = 0; pass < 2; pass++) {
            const mixed = shuffled(cases, random);
            for (let start = 0; start < mixed.length; start += 16)
              await Promise.all(mixed.slice(start, start + 16).map(askOne));
          }
        }
        assert.ok(
          comparedCount > worldCount * queryCount * rounds({ quick: 4, deep: 7 }),
          `${comparedCount} answers were compared`,
        );
        assert.ok(
          cachedCount > comparedCount * 0.4,
          `${cachedCount} of ${comparedCount} came from the cache`,
        );
        if (isOther) await held.close();
      },
    );
  }

  test("in every clause, a hidden column causes the same error as a column that does not exist", async () => {
    const world = { ...randomWorld(createRandom(seed)), rows: [] };
    const plain = await createPlainHost({ columns, rows: [] });
    const queries = await createPath(plain, "a plugin", world);
    const hiddenColumns = new Set(["n", "cost"]);
    const principal = {
      ...embedOf({ hiddenColumns }),
      userId: "user of north",
      organizationId: "north",
    };
    const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
    const places: readonly ((id: string) => object)[] = [
      (id) => ({ dimensions: [ref(id)] }),
      (id) => ({ measures: [ref(id, { aggregation: "max" })] }),
      (id) => ({ measures: [ref(id)], options: { rollup_data: false } }),
      (id) => ({
        dimensions: [ref("s")],
        where: [{ or: [{ expression: "? is null", parameters: [ref(id)] }] }],
      }),
      (id) => ({
        dimensions: [ref("s")],
        having: [{ expression: "? is null", parameters: [ref(id, { aggregation: "sum" })] }],
      }),
      (id) => ({
        measures: [
          ref("m", { aggregation: { type: "weightedaverage", column_id: id, dataset_id: "D" } }),
        ],
      }),
      (id) => ({ measures: [ref("", { column_id: null, expression: `{D:${id}} + 1` })] }),
      (id) => ({ measures: [{ formula: `SUM({D:m}) - SUM({D:${id}})` }] }),
    ];
    for (const place of places) {
      const [hidden, absent] = await Promise.all(
        ["n", "x"].map(async (id) =>
          refusal(queries.answer(place(id), principal, new AbortController().signal)),
        ),
      );
      assert.is(hidden?.code, absent?.code);
      assert.is(
        hidden?.message.replaceAll(/\bn\b/g, "x"),
        absent?.message.replaceAll(/\bn\b/g, "x"),
      );
      assert.not.match(String(absent?.message), /cost|\(n\)/);
    }
  });
});
