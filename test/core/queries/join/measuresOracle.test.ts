import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import type { Cell, Plugin } from "../../../../plugins/protocol/index.ts";
import { openStrata } from "../../../../plugins/strata/index.ts";
import { rounds } from "../../../support/layer.ts";
import { createJoinedHost, type JoinedDataset } from "../../../support/joinedHost.ts";
import { createPlainPlugin, everyCapability } from "../../../support/plainPlugin.ts";
import { createRandom, type Random } from "../../../support/random.ts";
import { embedOf } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";
import { openOracle, type Oracle, type OracleCell } from "../oracle/openOracle.ts";
import { filterOn, ref } from "./joinedSales.ts";

const seed = Number(process.env["SEED"] ?? 20261130);
const queryCount = Number(process.env["QUERIES"] ?? rounds({ quick: 8, deep: 80, soak: 250 }));

/** The datasets that each dataset determines, in the order in which SQL joins them. F and G both join A. */
const determined = {
  F: ["F", "A", "B", "C"],
  G: ["G", "A", "C"],
  A: ["A", "C"],
  B: ["B"],
  C: ["C"],
} as const;
type Id = keyof typeof determined;
const ids = Object.keys(determined) as Id[];
const joinSql: Readonly<Record<Id, string>> = {
  F: "",
  G: "",
  A: "left join A on A.akey = base.toa",
  B: "left join B on B.bkey = base.tob",
  C: "left join C on C.ckey = A.toc",
};
const types: Readonly<Record<Id, readonly (readonly [string, "hierarchy" | "numeric"])[]>> = {
  F: [
    ["toa", "numeric"],
    ["tob", "hierarchy"],
    ["tag", "hierarchy"],
    ["num", "numeric"],
  ],
  G: [
    ["toa", "numeric"],
    ["tag", "hierarchy"],
    ["num", "numeric"],
  ],
  A: [
    ["akey", "numeric"],
    ["toc", "numeric"],
    ["tag", "hierarchy"],
    ["num", "numeric"],
  ],
  B: [
    ["bkey", "hierarchy"],
    ["tag", "hierarchy"],
    ["num", "numeric"],
  ],
  C: [
    ["ckey", "numeric"],
    ["tag", "hierarchy"],
    ["num", "numeric"],
  ],
};
const links = [
  ["F.toa", "A.akey"],
  ["F.tob", "B.bkey"],
  ["G.toa", "A.akey"],
  ["A.toc", "C.ckey"],
] as const;

function randomWorld(random: Random): readonly JoinedDataset[] {
  const nullShare = random.pick([0, 0.2, 0.4]);
  const orNull = (value: Cell): Cell => (random.chance(nullShare) ? null : value);
  const cellOf = (column: string, row: number): Cell => {
    switch (column) {
      case "akey":
      case "ckey":
        return random.chance(0.2) ? null : row;
      case "bkey":
        return random.chance(0.2) ? null : `b${row}`;
      case "tob":
        // The first rows repeat a value, so that rows match many to one.
        return row < 2 ? "b0" : orNull(`b${random.below(6)}`);
      case "toa":
      case "toc":
        return row < 2 ? 1 : orNull(random.below(6));
      case "tag":
        return orNull(random.pick(["p", "q", "r"]));
      default:
        return orNull(random.below(7) - 2);
    }
  };
  return ids.map((id) => ({
    id,
    columns: types[id].map(([name, type]) => ({ id: `${id}.${name}`, type })),
    rows: Array.from({ length: random.pick([2, 4, 9]) }, (_, row) =>
      types[id].map(([name]) => cellOf(name, row)),
    ),
  }));
}

interface RandomQuery {
  readonly dimensions: readonly Id[];
  readonly measures: readonly { readonly id: Id; readonly name: keyof typeof aggregateSql }[];
  readonly tests: readonly {
    readonly id: Id;
    readonly word: ">=" | "!=";
    readonly value: number;
  }[];
  readonly rowFilter: Id | undefined;
}

const aggregateSql = {
  sum: "sum(v)",
  count: "count(v)",
  average: "avg(v)",
  min: "min(v)",
  max: "max(v)",
  distinctcount: "count(distinct v)",
  median: "median(v)",
} as const;

function randomQuery(random: Random): RandomQuery {
  const names = Object.keys(aggregateSql) as (keyof typeof aggregateSql)[];
  return {
    dimensions: random.some(ids, 0.25),
    measures: Array.from({ length: 1 + random.below(3) }, () => ({
      id: random.pick(ids),
      name: random.pick(names),
    })),
    tests: Array.from({ length: random.pick([0, 0, 1]) }, () => ({
      id: random.pick(ids),
      word: random.pick([">=", "!="] as const),
      value: random.below(4) - 1,
    })),
    rowFilter: random.chance(0.3) ? random.pick(ids) : undefined,
  };
}

/**
 * Removes the row filter from a query for which no dataset has the finest rows. The rows that the caller may see would
 * decide how its datasets are joined.
 */
function withoutDecidingRows(query: RandomQuery): RandomQuery {
  const { dimensions, measures, tests } = query;
  const named = [...dimensions, ...[...measures, ...tests].map(({ id }) => id)];
  const isTorn = named.includes("G") && (named.includes("F") || named.includes("B"));
  return isTorn ? { ...query, rowFilter: undefined } : query;
}

interface Expected {
  readonly rows: readonly (readonly OracleCell[])[];
  readonly warnings: readonly string[];
}

/** Answers a query with a statement per measure. Undefined if no dataset determines a measure and its groups. */
async function expected(oracle: Oracle, query: RandomQuery): Promise<Expected | undefined> {
  const { dimensions, measures, tests } = query;
  const framing = [...dimensions, ...tests.map(({ id }) => id)];
  const groups = new Map<string, { keys: OracleCell[]; values: OracleCell[] }>();
  const warnings = new Set<string>();
  const empty = measures.map(({ name }) => (/count/.test(name) ? 0 : null));
  for (const [index, { id, name }] of measures.entries()) {
    const wanted = [id, ...framing];
    const base = ids
      .filter((each) => wanted.every((other) => determined[each].some((one) => one === other)))
      .toSorted((one, other) => determined[one].length - determined[other].length)[0];
    if (!base) return undefined;
    const joins = determined[base].slice(1).map((each) => joinSql[each].replace("base", base));
    const from = `from ${base} ${joins.join(" ")}`;
    const where = tests.map(({ id: tested, word, value }) =>
      word === ">=" ? `${tested}.num >= ${value}` : `${tested}.num is distinct from ${value}`,
    );
    const keys = dimensions.map((each, place) => `${each}.tag as k${place}`);
    const names = dimensions.map((_, place) => `k${place}`);
    const filter = where.length > 0 ? ` where ${where.join(" and ")}` : "";
    const rows = `select distinct ${[...keys, `${id}.rowid as r`, `${id}.num as v`].join(", ")} ${from}${filter}`;
    const answered = await oracle.sendQuery(
      `select ${[...names, aggregateSql[name]].join(", ")} from (${rows}) ${names.length > 0 ? `group by ${names.join(", ")}` : ""}`,
    );
    for (const cells of answered) {
      const own = cells.slice(0, -1);
      const key = JSON.stringify(own);
      const group = groups.get(key) ?? { keys: own, values: [...empty] };
      const value = cells.at(-1) ?? null;
      group.values[index] = typeof value === "bigint" ? Number(value) : value;
      groups.set(key, group);
    }
    const isMeant = tests.some(
      ({ id: tested, word }) => word === ">=" && !determined[id].some((one) => one === tested),
    );
    if (id === base || isMeant) continue;
    const [[all]] = (await oracle.sendQuery(`select count(*) from ${id}`)) as [[number]];
    const [[matched]] = (await oracle.sendQuery(`select count(distinct ${id}.rowid) ${from}`)) as [
      [number],
    ];
    if (Number(all) > Number(matched))
      warnings.add(
        `${Number(all) - Number(matched)} of ${all} rows of dataset ${id} match no row of dataset ${base}`,
      );
  }
  const rank = (cell: OracleCell) => (cell === null ? "~" : String(cell));
  const rows = [...groups.values()]
    .map(({ keys, values }) => [...keys, ...values])
    .toSorted((one, other) => {
      const [left, right] = [one, other].map((row) =>
        row.slice(0, dimensions.length).map(rank).join(" "),
      ) as [string, string];
      return left < right ? -1 : Number(left > right);
    });
  return { rows, warnings: [...warnings].toSorted() };
}

async function load(oracle: Oracle, world: readonly JoinedDataset[], hidden: Id | undefined) {
  for (const { id, rows } of world) {
    const columns = types[id as Id].map(
      ([name, type]) => `${name} ${type === "numeric" ? "double" : "varchar"}`,
    );
    await oracle.sendQuery(`create or replace table ${id} (${columns.join(", ")})`);
    const visible = rows.filter((row) => id !== hidden || Number(row.at(-1) ?? -9) >= 0);
    const lines = visible.map(
      (row) =>
        `(${row.map((cell) => (typeof cell === "string" ? `'${cell}'` : String(cell))).join(", ")})`,
    );
    if (lines.length > 0) await oracle.sendQuery(`insert into ${id} values ${lines.join(", ")}`);
  }
}

suite("core/queries/join/measuresOracle", (test) => {
  let dir = "";
  let strata: Plugin;
  let oracle: Oracle;
  test.before(async () => {
    dir = await mkdtemp(join(tmpdir(), "manifold-measures-"));
    strata = await openStrata({ dir, workers: 1, memoryBytes: 2 ** 28, warmUp: false });
    oracle = await openOracle();
  });
  test.after(async () => {
    oracle?.close();
    await strata?.close?.();
    await rm(dir, { recursive: true, force: true });
  });

  test("measures of several datasets equal those of DuckDB, which joins each dataset separately, and rows without a match are counted", async () => {
    let answeredCount = 0;
    for (let index = 0; index < queryCount; index++) {
      const random = createRandom(seed + index);
      const world = randomWorld(random);
      const query = withoutDecidingRows(randomQuery(random));
      const { dimensions, measures, tests, rowFilter } = query;
      await load(oracle, world, rowFilter);
      const right = await expected(oracle, query);
      const plugin = random.pick([strata, createPlainPlugin(everyCapability), undefined]);
      const host = await createJoinedHost({
        datasets: world,
        links,
        scratch: strata,
        ...(plugin && { plugins: Object.fromEntries(ids.map((id) => [id, plugin])) }),
      });
      const filters = rowFilter ? [filterOn(rowFilter, `${rowFilter}.num`, "? >= ?", 0)] : [];
      const find = {
        dimensions: dimensions.map((id) => ref(id, `${id}.tag`)),
        measures: measures.map(({ id, name }) => ref(id, `${id}.num`, { aggregation: name })),
        where: tests.map(({ id, word, value }) => ({
          expression: `? ${word} ?`,
          parameters: [ref(id, `${id}.num`), value],
        })),
        options: { cells: "plain" },
      };
      const about = `SEED=${seed + index} QUERIES=1 ${JSON.stringify(query)}`;
      const principal = embedOf({ filters });
      const answer = await host.sendQuery(find, principal).catch((failure: unknown) => {
        if (right) throw new Error(`${String(failure)}\n${about}`, { cause: failure });
        assert.match(String(failure), "cannot be joined", about);
        return undefined;
      });
      if (!right) {
        assert.is(answer, undefined, about);
        continue;
      }
      answeredCount++;
      assert.equal(answer?.data, right.rows, about);
      const warned = (answer?.warnings ?? []).map((text) => text.split(", so ")[0]).toSorted();
      assert.equal([...new Set(warned)], right.warnings, about);
    }
    if (queryCount >= 30) assert.ok(answeredCount > queryCount / 2, String(answeredCount));
  });
});
