import * as assert from "uvu/assert";
import type { Cell } from "../../../../plugins/protocol/index.ts";
import { openEverySource, type EverySource } from "../../../support/everySource.ts";
import { rounds } from "../../../support/layer.ts";
import { createPlainHost, type PlainColumn, type PlainHost } from "../../../support/plainHost.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf, rowFilter } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";

const columns: readonly PlainColumn[] = [
  { id: "at", type: "datetime" },
  { id: "day", type: "datetime", subtype: "date" },
  { id: "city", type: "hierarchy" },
  { id: "km", type: "numeric" },
];
type Row = readonly [at: string | null, day: string | null, city: string | null, km: number | null];
const on = (day: string, city: string | null, km: number | null): Row => [
  `${day}T12:00:00.000Z`,
  `${day}T00:00:00.000Z`,
  city,
  km,
];
const rows: readonly Row[] = [
  on("2023-01-31", "Ghent", 1),
  on("2023-02-28", "Ghent", 2),
  on("2023-02-10", "Lille", 10),
  on("2024-01-31", "Ghent", 4),
  on("2024-02-29", "Ghent", 8),
  on("2024-02-01", null, 100),
  on("2024-03-01", "Lille", null),
];
const ref = (column_id: string, more: object = {}) => ({ dataset_id: "D", column_id, ...more });
const sum = (calculation?: object) =>
  ref("km", { aggregation: "sum", ...(calculation && { calculation }) });
const between = (from: string, to: string, column = "day") => ({
  expression: "? between ? and ?",
  parameters: [ref(column), from, to],
});
const plain = { cells: "plain" };
const answerOf = async (host: PlainHost, query: object) =>
  (
    await host.sendQuery({
      ...query,
      options: { ...plain, ...("options" in query ? Object(query.options) : {}) },
    })
  ).data;

/** Moves a date by whole periods. A day that the month lacks becomes its last day. */
function movedDay(
  day: string | null,
  unit: "year" | "month" | "day",
  count: number,
): string | null {
  if (day === null) return null;
  const date = new Date(day);
  if (unit === "day") date.setUTCDate(date.getUTCDate() + count);
  else {
    const months = unit === "year" ? 12 * count : count;
    const wanted = date.getUTCDate();
    date.setUTCDate(1);
    date.setUTCMonth(date.getUTCMonth() + months);
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
    date.setUTCDate(Math.min(wanted, last));
  }
  return date.toISOString();
}

suite("core/queries/calculations/comparisons", (test) => {
  let sources: EverySource;
  test.before(async () => {
    sources = await openEverySource();
  });
  test.after(() => sources.close());

  test("a measure has its value of a year earlier, the change and the relative change next to it, from every source", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows }))
      for (const column of ["day", "at"]) {
        const year = { level: 1, quantity: 1 };
        const data = await answerOf(host, {
          dimensions: [ref(column, { level: 3 })],
          measures: [
            sum(),
            sum({ type: "past", ...year }),
            sum({ type: "absolute_change", ...year }),
            sum({ type: "percentage_change", ...year }),
          ],
          where: [between("2024-01-01", "2024-12-31", column)],
        });
        assert.equal(
          data.map(([month, ...rest]) => [String(month).slice(0, 7), ...rest]),
          [
            ["2024-01", 4, 1, 3, 3],
            ["2024-02", 108, 12, 96, 8],
            ["2024-03", null, null, null, null],
          ],
          `${name}, ${column}`,
        );
      }
  });

  test("groups that occur only in the earlier period are rows without values in the present", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const count = ref("km", { aggregation: "count" });
      const data = await answerOf(host, {
        dimensions: [ref("city")],
        measures: [
          sum(),
          count,
          sum({ type: "past", column_id: "day", dataset_id: "D", level: 1 }),
        ],
        where: [between("2024-01-01", "2024-02-29")],
      });
      assert.equal(
        data,
        [
          ["Ghent", 12, 2, 3],
          ["Lille", null, 0, 10],
          [null, 100, 1, null],
        ],
        name,
      );
    }
  });

  test("the comparison does not add periods after the last period of the query", async () => {
    const host = await createPlainHost({ columns, rows });
    const data = await answerOf(host, {
      dimensions: [ref("day", { level: 1 })],
      measures: [sum(), sum({ type: "past", level: 1 })],
    });
    assert.equal(
      data.map(([year, ...rest]) => [String(year).slice(0, 4), ...rest]),
      [
        ["2023", 13, null],
        ["2024", 112, 13],
      ],
    );
  });

  test("without a level, the earlier period is as long as the filtered range", async () => {
    const host = await createPlainHost({ columns, rows });
    const past = async (...where: readonly object[]) =>
      (
        await answerOf(host, {
          measures: [sum({ type: "past", column_id: "day", dataset_id: "D" })],
          where,
        })
      )[0]?.[0];
    assert.is(await past(between("2024-02-01", "2024-02-29")), 4, "the month before");
    assert.is(await past(between("2024-01-01", "2024-12-31")), 13, "the year before");
    assert.is(await past(between("2024-02-02", "2024-03-01")), 104, "the 29 days before");
    assert.is(
      await past(
        { expression: "? >= ?", parameters: [ref("day"), "2024-02-01"] },
        {
          expression: "? < ?",
          parameters: [ref("day"), "2024-03-01"],
        },
      ),
      4,
    );
    const open = refusal(past({ expression: "? >= ?", parameters: [ref("day"), "2024-02-01"] }));
    assert.match((await open).message, /must limit the column on both sides/);
  });

  test("order, having, limit and formulas can use a comparison", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const past = { type: "past", column_id: "day", dataset_id: "D", level: 1 };
      const data = await answerOf(host, {
        dimensions: [ref("city")],
        measures: [
          { formula: "2 * sum({D:km})" },
          { formula: "2 * sum({D:km})", calculation: past },
          sum(past),
        ],
        where: [between("2024-01-01", "2024-02-29")],
        having: [{ expression: "? > ?", parameters: [sum({ type: "past" }), 0] }],
        order: [{ ...sum({ type: "past" }), order: "desc" }],
        limit: { by: 1 },
      });
      assert.equal(data, [["Lille", null, 20, 10]], name);
    }
  });

  test("an item of order or having refers to the measure with the same members in its calculation", async () => {
    const host = await createPlainHost({ columns, rows });
    const ask = async (measures: readonly object[], calculation: object, more: object = {}) =>
      await host.sendQuery({
        dimensions: [ref("city")],
        measures: measures.map((each) => sum(each)),
        where: [between("2024-01-01", "2024-03-31")],
        order: [{ ...sum(calculation), order: "desc" }],
        options: plain,
        ...more,
      });
    const citiesBy = async (measures: readonly object[], calculation: object) =>
      (await ask(measures, calculation)).data.map(([city]) => city);
    const past = { type: "past", column_id: "day", dataset_id: "D" };
    const years = [
      { ...past, level: 1 },
      { ...past, level: 1, quantity: 2 },
    ];
    assert.equal(await citiesBy(years, years[0]!), ["Lille", "Ghent", null]);
    assert.equal(await citiesBy(years.toReversed(), years[0]!), ["Lille", "Ghent", null]);
    const share = { type: "share_of_total" };
    const ofCity = { ...share, per: [ref("city")] };
    const shares = [share, ofCity];
    for (const measures of [shares, shares.toReversed()]) {
      assert.equal(await citiesBy(measures, share), [null, "Ghent", "Lille"]);
      assert.equal(await citiesBy(measures, ofCity), ["Ghent", null, "Lille"]);
    }
    const ranks = [
      { type: "rank", order: "asc" },
      { type: "rank", order: "desc" },
    ];
    assert.equal(await citiesBy(ranks, ranks[0]!), [null, "Ghent", "Lille"]);
    assert.equal(await citiesBy(ranks, ranks[1]!), ["Ghent", null, "Lille"]);
    const refused = async (measures: readonly object[], calculation: object) =>
      (await refusal(ask(measures, calculation))).message;
    assert.match(await refused(years, past), /several .* calculation to choose one/);
    assert.match(await refused(ranks, { type: "rank" }), /several .* calculation to choose one/);
    assert.match(await refused([share], ofCity), /order\[0\].* calculation must be/);
    assert.match(await refused([years[0]!], years[1]!), /order\[0\].* calculation must be/);
    assert.match(
      await refused([{ ...past, level: 1 }], { ...past, level: 1, period_to_date: true }),
      /order\[0\].* calculation must be/,
    );
    const having = [{ expression: "? > ?", parameters: [sum(years[1]), 0] }];
    assert.match(
      (await refusal(ask([years[0]!], years[0]!, { having }))).message,
      /having\[0\].* calculation must be/,
    );
  });

  test("the period to date ends at the same point of the earlier period", async () => {
    const now = () => Date.UTC(2024, 1, 10);
    const host = await createPlainHost({ columns, rows, now });
    const measures = (isToDate: boolean) => [
      sum({ type: "past", level: 1, period_to_date: isToDate }),
    ];
    const pastOf = async (isToDate: boolean) => {
      const [month] = await answerOf(host, {
        dimensions: [ref("day", { level: 3 })],
        measures: measures(isToDate),
        where: [between("2024-02-01", "2024-02-29")],
      });
      return month?.[1];
    };
    assert.is(await pastOf(false), 12);
    assert.is(await pastOf(true), 10);
  });

  test("shares and ranks are those of all groups, before having and limit", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const data = await answerOf(host, {
        dimensions: [ref("city")],
        measures: [
          sum(),
          sum({ type: "share_of_total" }),
          sum({ type: "rank" }),
          sum({ type: "rank", order: "asc" }),
          { formula: "count({D:km})", calculation: { type: "rank" } },
        ],
        having: [{ expression: "? < ?", parameters: [sum(), 100] }],
        order: [{ ...sum({ type: "rank" }), order: "asc" }],
        limit: { by: 1 },
      });
      assert.equal(data, [["Ghent", 15, 15 / 125, 2, 2, 1]], name);
    }
  });

  test("`per` starts shares and ranks again for each value of a dimension, and equal values share a rank", async () => {
    const host = await createPlainHost({
      columns,
      rows: [
        on("2024-01-01", "a", 1),
        on("2024-01-02", "b", 1),
        on("2024-01-03", "c", 2),
        on("2024-02-03", "a", 5),
        on("2024-02-04", "b", null),
      ],
    });
    const month = ref("day", { level: 3 });
    const data = await answerOf(host, {
      dimensions: [month, ref("city")],
      measures: [
        sum({ type: "share_of_total", per: [month] }),
        sum({ type: "rank", per: [month] }),
        sum({ type: "rank" }),
      ],
    });
    assert.equal(
      data.map(([, ...rest]) => rest),
      [
        ["a", 0.25, 2, 3],
        ["b", 0.25, 2, 3],
        ["c", 0.5, 1, 2],
        ["a", 1, 1, 1],
        ["b", null, null, null],
      ],
    );
  });

  test("row filters of the caller apply to the earlier period too", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const seen = embedOf({ filters: [rowFilter("city", "? = ?", "Ghent")] });
      const { data } = await host.askAs(seen, {
        dimensions: [ref("city")],
        measures: [sum({ type: "past", column_id: "day", dataset_id: "D", level: 1 })],
        where: [between("2024-01-01", "2024-02-29")],
        options: plain,
      });
      assert.equal(data, [["Ghent", 3]], name);
    }
  });

  test("random comparisons match a plain count of the moved rows", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 3, deep: 40 }); round++) {
        const all = Array.from({ length: 80 }, () => {
          const ms = Date.UTC(2022, 0, 1) + random.below(900) * 86_400_000;
          return on(
            new Date(ms).toISOString().slice(0, 10),
            random.pick([null, "", "a", "b"]),
            random.pick([null, random.below(100) - 50]),
          );
        });
        const [unit, level] = random.pick([
          ["year", 1],
          ["month", 3],
          ["day", 5],
        ] as const);
        const quantity = 1 + random.below(3);
        const aggregation = random.pick(["sum", "median", "distinctcount", "average"] as const);
        const key = random.pick([1, 2, 3, 5]);
        const from = new Date(Date.UTC(2023, random.below(12), 1 + random.below(28)));
        const to = new Date(from.getTime() + random.below(300) * 86_400_000);
        const [low, high] = [from, to].map((each) => each.toISOString());
        const query = {
          dimensions: [ref("city"), ref("day", { level: key })],
          where: [between(low ?? "", high ?? "")],
        };
        const moved = all.map(([at, day, city, km]): Row => [
          at,
          movedDay(day, unit, quantity),
          city,
          km,
        ]);
        const plainly = await createPlainHost({ columns, rows: moved });
        const measure = ref("km", { aggregation });
        const expected = new Map(
          (await answerOf(plainly, { ...query, measures: [measure] })).map((cells) => [
            JSON.stringify(cells.slice(0, 2)),
            cells[2] ?? null,
          ]),
        );
        for (const [name, host] of await sources.hosts({ columns, rows: all })) {
          const data = await answerOf(host, {
            ...query,
            measures: [{ ...measure, calculation: { type: "past", level, quantity } }],
          });
          const about = `${name}, ${aggregation} by ${key}, ${quantity} ${unit}, ${low} to ${high}`;
          const empty = null;
          for (const cells of data)
            assert.equal(cells[2], expected.get(JSON.stringify(cells.slice(0, 2))) ?? empty, about);
          const periods = new Set(data.map((cells) => cells[1]));
          const keys = new Set(data.map((cells) => JSON.stringify(cells.slice(0, 2))));
          for (const group of expected.keys()) {
            const [, period] = JSON.parse(group) as [unknown, unknown];
            assert.is(keys.has(group), periods.has(period as Cell), `${about}: ${group}`);
          }
        }
      }
    });
  });

  test("mistakes in a calculation are refused with the way out", async () => {
    const host = await createPlainHost({ columns, rows });
    const refused = async (query: object) =>
      (await refusal(host.sendQuery({ dimensions: [ref("day", { level: 3 })], ...query }))).message;
    const measured = (calculation: unknown) => refused({ measures: [ref("km", { calculation })] });
    assert.match(await measured({ type: "before" }), /must be one of past, absolute_change/);
    assert.match(await measured({ type: "past", level: 12 }), /calculation\.level/);
    assert.match(await measured({ type: "past", level: 1, quantity: 0 }), /from 1 to 100000/);
    assert.match(
      await measured({ type: "past", level: 1, per: [ref("city")] }),
      /per.*cannot have it/,
    );
    assert.match(await measured({ type: "rank", level: 1 }), /level.*cannot have it/);
    assert.match(await measured({ type: "rank", order: "up" }), /must be desc/);
    assert.match(await measured({ type: "past", years: 1 }), /years/);
    assert.match(
      await measured({ type: "past", level: 1, column_id: "km", dataset_id: "D" }),
      /must group or filter by this column/,
    );
    assert.match(await measured({ type: "past", level: 6 }), /dates without a time|whole days/);
    assert.match(
      await refused({ measures: [sum({ type: "past", level: 1 })], dimensions: [ref("city")] }),
      /groups by none/,
    );
    assert.match(
      await refused({
        measures: [sum({ type: "past", level: 1 })],
        where: [
          {
            expression: "? = ?",
            parameters: [{ dataset_id: "D", expression: "year({D:day})", column_id: "y" }, 2024],
          },
        ],
      }),
      /cannot be moved with that column/,
    );
    assert.match(
      await refused({
        measures: [ref("km", { aggregation: "average", calculation: { type: "share_of_total" } })],
      }),
      /needs a sum or a count/,
    );
    assert.match(
      await refused({
        measures: [ref("km", { aggregation: "cumulativesum", calculation: { type: "rank" } })],
      }),
      /cumulativesum/,
    );
    assert.match(
      await refused({
        measures: [ref("day", { aggregation: "max", calculation: { type: "rank" } })],
      }),
      /needs a measure of numbers/,
    );
    assert.match(
      await refused({ measures: [], dimensions: [ref("city", { calculation: { type: "rank" } })] }),
      /only measures of groups/,
    );
    assert.match(
      await refused({ measures: [sum({ type: "rank" })], options: { rollup_data: false } }),
      /rollup_data|plain rows/,
    );
  });
});
