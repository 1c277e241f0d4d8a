import * as assert from "uvu/assert";
import { ApiError } from "../../../../core/base/errors.ts";
import {
  PluginError,
  type Cell,
  type DataType,
  type Plugin,
  type Query,
} from "../../../../plugins/protocol/index.ts";
import { rounds } from "../../../support/layer.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { legacyPushdown } from "../../../support/everySource.ts";
import { liars, repeater } from "../../../support/liars.ts";
import { createPlainHost, type PlainHost } from "../../../support/plainHost.ts";
import {
  createPlainPlugin,
  everyCapability,
  type PlainPlugin,
} from "../../../support/plainPlugin.ts";
import { openPastingPlugin } from "../../../support/pastingPlugin.ts";
import { createRandom } from "../../../support/random.ts";
import { embedOf, rowFilter } from "../../../support/restricted.ts";
import { rounded } from "../../../support/rounded.ts";
import { suite } from "../../../support/suite.ts";
import type { OracleQuery } from "../oracle/oracleQuery.ts";
import { randomQuery } from "../oracle/randomQuery.ts";
import { columns, randomWorld, type World } from "../oracle/world.ts";

const seed = Number(process.env["SEED"] ?? 20261122);
const queryCount = Number(process.env["QUERIES"] ?? rounds({ quick: 30, deep: 150, soak: 3000 }));
/**
 * Minimum number of queries after which a lying plugin must have been detected. They run as if the plugin were trusted,
 * until an answer is wrong.
 */
const trustedCount = 250;

/**
 * The rows that the token may see have an `a` or null in `s`. Rows that it may not see can be recognized by their
 * strings and numbers.
 */
const filters = [rowFilter("s", "? in ?", ["a", "A", null]), rowFilter("t", "? != ?", "é")];
const foreignFilters = [
  rowFilter("s", "? in ?", ["Ghent", "ab", "a,b"]),
  rowFilter("t", "? != ?", "é"),
];
const stored = columns.filter(({ expression }) => expression === undefined);
const placeOf = (id: string) => stored.findIndex((column) => column.id === id);
const isOwn = (row: readonly Cell[]) =>
  ["a", "A", null].includes(row[placeOf("s")] as string | null) && row[placeOf("t")] !== "é";

function tenantsWorld(): World {
  let world = randomWorld(createRandom(seed));
  for (let other = seed + 1; world.rows.length < 30; other++)
    world = randomWorld(createRandom(other));
  const foreign = (row: readonly Cell[], index: number): readonly Cell[] =>
    row.map((cell, place) => {
      const { id, type } = stored[place] ?? { id: "", type: "hierarchy" };
      if (cell === null || id === "s" || id === "t") return cell;
      if (type === "hierarchy") return `foreign ${index}`;
      return type === "numeric" ? 1e9 + index : cell;
    });
  const rows = world.rows.slice(0, 30).map((row, index) => {
    const own = index % 2 === 0 ? row.with(placeOf("s"), index % 4 === 0 ? null : "a") : row;
    return isOwn(own) ? own : foreign(own, index);
  });
  // PostgreSQL and ECMAScript differ in the latest time that they can represent.
  const isNear = (row: readonly Cell[]) =>
    /^(?!0000)(?:\d{4}-|null$)/.test(String(row[placeOf("at")]));
  return { ...world, rows: rows.filter(isNear) };
}

const nothingElse = { twins: new Map(), formulas: new Map(), parameters: new Map() };

interface Expectation {
  readonly oracleQuery: OracleQuery;
  /** The expected answer. Undefined if the query must fail. */
  readonly expected: string | undefined;
}

suite("core/queries with plugins that lie", (test) => {
  const world = tenantsWorld();
  const options = { columns, rows: world.rows, now: () => world.nowMs };
  const requested: Promise<Expectation>[] = [];
  let honest: PlainHost;
  let catalog: TestCatalog;
  test.after(() => catalog.close());
  test.before(async () => {
    catalog = await openTestCatalog();
    honest = await createPlainHost(options);
  });
  const mostQueries = Math.max(queryCount, trustedCount);

  /** Returns a query and its expected answer. They are computed once, on first use. */
  const expectation = (index: number): Promise<Expectation> => (requested[index] ??= draw(index));
  const draw = async (index: number): Promise<Expectation> => {
    const oracleQuery = randomQuery(createRandom(seed * 1000 + index), world);
    const answer = await askAs(honest, oracleQuery).catch((failure: unknown) => {
      if (failure instanceof ApiError) return undefined;
      throw failure;
    });
    return { oracleQuery, expected: answer && JSON.stringify(answer.data) };
  };

  const askAs = (host: PlainHost, { query, parameters }: OracleQuery) =>
    host.askAs(embedOf({ parameters, filters }), query);
  const openHosts = (lie: (honest: PlainPlugin) => Plugin, isTrusted: boolean) =>
    Promise.all(
      [legacyPushdown, everyCapability].map((capabilities) =>
        createPlainHost({
          ...options,
          isTrusted,
          source: createPlainPlugin(everyCapability),
          wrap: (plugin) => ({ ...lie(plugin as PlainPlugin), capabilities }),
        }),
      ),
    );
  const inTwelveDigits = (text: string | undefined) =>
    text && JSON.stringify(rounded(JSON.parse(text)));
  const hostOf = (hosts: readonly PlainHost[], index: number) =>
    hosts[index % hosts.length] as PlainHost;
  const about = (index: number, { query }: OracleQuery) =>
    `SEED=${seed} QUERIES=${index + 1}\n${JSON.stringify(query)}`;
  const wrongOnes = async (
    hosts: readonly PlainHost[],
    count: number,
    most = Infinity,
  ): Promise<readonly string[]> => {
    const wrong: string[] = [];
    for (let index = 0; index < count; index++) {
      const { oracleQuery, expected } = await expectation(index);
      const answer = await askAs(hostOf(hosts, index), oracleQuery).catch((failure: unknown) => {
        if (failure instanceof ApiError && expected === undefined) return undefined;
        return { data: String(failure) };
      });
      const got = answer && JSON.stringify(answer.data);
      if (got !== expected && inTwelveDigits(got) !== inTwelveDigits(expected))
        wrong.push(`${about(index, oracleQuery)}\n${got}\nnot\n${expected}`);
      if (wrong.length >= most) break;
    }
    return wrong;
  };

  // The quick layer checks that some lying plugins are detected, and the deep layer that all are.
  for (const [at, { does, lie }] of liars.entries())
    (at % 4 === 0 ? test : test.deep)(
      `a plugin that ${does} still leads to correct answers from the caller's own rows`,
      async () => {
        const trusted = await wrongOnes(await openHosts(lie, true), mostQueries, 1);
        assert.ok(trusted.length > 0, "trusted, the plugin must give wrong answers");
        const wrong = await wrongOnes(await openHosts(lie, false), queryCount);
        assert.is(wrong.length, 0, `${wrong.length} are wrong; the first: ${wrong[0]}`);
      },
    );

  test("answers stay correct even if a plugin pastes values into PostgreSQL statements", async () => {
    const { knex } = catalog;
    const sheet = stored.map(({ id, type }) => ({ id: `source.${id}`, type: type as DataType }));
    const plugin = await openPastingPlugin(knex, "sheet", sheet, world.rows, legacyPushdown);
    const open = async (isTrusted: boolean) => [
      await createPlainHost({ ...options, isTrusted, wrap: () => plugin }),
    ];
    const trusted = await open(true);
    const stolen = await askAs(trusted[0] as PlainHost, {
      ...nothingElse,
      query: {
        dimensions: [{ column_id: "word", dataset_id: "D" }],
        where: [
          {
            expression: "? = ?",
            parameters: [{ column_id: "city", dataset_id: "D" }, "x' or 1 = 1 --"],
          },
        ],
      },
    });
    assert.match(
      JSON.stringify(stolen.data),
      "foreign",
      "trusted, the plugin must show foreign rows",
    );
    const wrong = await wrongOnes(await open(false), queryCount);
    assert.is(wrong.length, 0, `${wrong.length} are wrong; the first: ${wrong[0]}`);
  });

  test("if a plugin repeats answers that it gave to another caller, the host reveals none of that caller's rows", async () => {
    // Strings in other callers' rows are marked. The numbers and sums of these rows are in a range that the caller's
    // own numbers seldom reach. A number in that range is allowed only if it is one of the caller's own numbers.
    const isInRange = (cell: unknown): boolean =>
      typeof cell === "number" && Math.abs(cell) > 9e8 && Math.abs(cell) < 1e12;
    const isLeaked = (cells: readonly unknown[], expected = "[]"): boolean => {
      if (cells.some((cell) => JSON.stringify(cell).includes("foreign"))) return true;
      const own = new Set((rounded(JSON.parse(expected)) as unknown[][]).flat());
      return (rounded([cells]) as unknown[][])
        .flat()
        .some((cell) => isInRange(cell) && !own.has(cell));
    };
    // The host reads columns by position. For a caller without filters, other columns are in the positions of the
    // filtered columns. Their values may pass the filters, which no host can detect. Callers with the same filtered
    // columns have them in equal positions, so none of their rows may appear.
    const isMisread = (queries: readonly Query[], from: number): boolean =>
      queries
        .slice(from - 1, -1)
        .some(({ columns: before }) =>
          ["source.s", "source.t"].some((id, place) => before[place]?.column_id !== id),
        );
    const leaks = async (isTrusted: boolean, count: number) => {
      const hosts = await openHosts(repeater, isTrusted);
      let answeredCount = 0;
      let leakCount = 0;
      for (let index = 0; index < count; index++) {
        const { oracleQuery, expected } = await expectation(index);
        const host = hostOf(hosts, index);
        const otherFilters = [[], foreignFilters, foreignFilters.toReversed()][index % 3] ?? [];
        const others = embedOf({ parameters: oracleQuery.parameters, filters: otherFilters });
        await host.askAs(others, oracleQuery.query).catch(isRefusal);
        const from = host.source.requested.length;
        const answer = await askAs(host, oracleQuery).catch(isRefusal);
        if (typeof answer === "boolean") continue;
        answeredCount++;
        if (!isLeaked(answer.data.flat(), expected)) continue;
        const isExcused = otherFilters.length === 0 && isMisread(host.source.requested, from);
        if (isTrusted || !isExcused) leakCount++;
        if (isTrusted && leakCount > 0) break;
      }
      return { answeredCount, leakCount };
    };
    const isRefusal = (failure: unknown): true => {
      if (failure instanceof ApiError || failure instanceof PluginError) return true;
      throw failure;
    };
    const trusted = await leaks(true, mostQueries);
    assert.ok(trusted.leakCount > 0, "trusted, the plugin must show foreign rows");
    const checked = await leaks(false, queryCount);
    assert.ok(checked.answeredCount > queryCount / 3, `${checked.answeredCount} were answered`);
    assert.is(checked.leakCount, 0);
  });
});
