import * as assert from "uvu/assert";
import { rounds } from "../../../support/layer.ts";
import { openEverySource, type EverySource } from "../../../support/everySource.ts";
import { createPlainHost, type PlainHost } from "../../../support/plainHost.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { createRandom, type Random } from "../../../support/random.ts";
import { embedOf } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";
import { randomCapabilities } from "../../../support/randomCapabilities.ts";
import { randomQuery } from "./randomQuery.ts";
import { columns, randomValue, randomWorld, type World } from "./world.ts";

const seed = Number(process.env["SEED"] ?? 20261122);
const worldCount = Number(process.env["WORLDS"] ?? rounds({ quick: 1, deep: 4, soak: 16 }));
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const count = { measures: [ref("*", { aggregation: "count" })] };
type Rows = readonly (readonly unknown[])[];

/** Returns the rows as strings, regardless of their order. */
function bag(rows: Rows): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

const numberOf = (rows: Rows): number => Number(rows[0]?.[0]);

function total(values: readonly unknown[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? known.reduce((sum: number, each) => sum + Number(each), 0) : null;
}

suite("core/queries/oracle/metamorphic", (test) => {
  let sources: EverySource;
  test.before(async () => {
    sources = await openEverySource();
  });
  test.after(() => sources.close());

  /** Runs a check for every world, on the stores and on a plugin with random capabilities. */
  const onWorlds = async (
    check: (host: PlainHost, world: World, random: Random) => Promise<void>,
  ): Promise<void> => {
    for (let index = 0; index < worldCount; index++) {
      const made = createRandom(seed + index);
      const world = randomWorld(made);
      const now = () => world.nowMs;
      const stores = await sources.stores({ columns, rows: world.rows, now });
      const source = createPlainPlugin(randomCapabilities(made));
      const other = await createPlainHost({
        columns,
        rows: world.rows,
        now,
        source,
        scratch: stores[0]![1].scratch,
      });
      for (const [name, host] of [...stores, [JSON.stringify(source.capabilities), other] as const])
        try {
          await check(host, world, createRandom(seed + index));
        } catch (cause) {
          const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
          throw new Error(`SEED=${seed + index} WORLDS=1, ${name}\n${text}`, { cause });
        }
    }
  };
  const sendQuery = async (host: PlainHost, query: object): Promise<Rows> =>
    (await host.sendQuery(query)).data;

  test.deep("every row passes either a test or its negation, but never both", () =>
    onWorlds(async (host, world, random) => {
      const counted = async (...where: object[]) =>
        numberOf(await sendQuery(host, { ...count, where }));
      for (const { id, type } of columns) {
        const texts = [
          ["like", "not like"],
          ["starts with", "not starts with"],
          ["ends with", "not ends with"],
        ] as const;
        const pairs = [
          ["=", "!="],
          ["in", "not in"],
          ["is null", "is not null"],
          ...(type === "hierarchy" ? texts : []),
        ] as const;
        const value = randomValue(id, random);
        for (const [word, negative] of pairs) {
          const marks = word === "is null" ? "" : " ?";
          const given = { in: [[value, null]], "is null": [] }[word as "in"] ?? [value];
          const where = (name: string) => ({
            expression: `? ${name}${marks}`,
            parameters: [ref(id), ...given],
          });
          const [some, rest] = [await counted(where(word)), await counted(where(negative))];
          assert.is(some + rest, world.rows.length, `${id} ${word} ${JSON.stringify(given)}`);
          const both = { and: [where(word), where(negative)] };
          assert.is(await counted(both), 0, `${id} ${word} and its complement`);
        }
        if (type === "hierarchy") continue;
        const compared = (word: string) => ({
          expression: `? ${word} ?`,
          parameters: [ref(id), value],
        });
        const none = { expression: "? is null", parameters: [ref(id)] };
        for (const [word, negative] of [
          ["<", ">="],
          [">", "<="],
        ] as const)
          assert.is(
            (await counted(compared(word))) +
              (await counted(compared(negative))) +
              (await counted(none)),
            world.rows.length,
            `${id} ${word}, ${negative}, and null`,
          );
      }
    }),
  );

  test("an OR returns the rows of its members and counts their common rows once", () =>
    onWorlds(async (host, _, random) => {
      const column = (): object => {
        const id = random.pick(columns).id;
        return { expression: "? != ?", parameters: [ref(id), randomValue(id, random)] };
      };
      const counted = async (where: object) =>
        numberOf(await sendQuery(host, { ...count, where: [where] }));
      for (let round = 0; round < 3; round++) {
        const [one, other] = [column(), column()];
        assert.is(
          (await counted({ or: [one, other] })) + (await counted({ and: [one, other] })),
          (await counted(one)) + (await counted(other)),
          JSON.stringify({ one, other }),
        );
      }
    }));

  test("the sums and counts of groups add up to the total, and their distinct counts to at least the total", () =>
    onWorlds(async (host, world, random) => {
      const measures = [
        ref("n"),
        ref("*", { aggregation: "count" }),
        ref("city", { aggregation: "distinctcount" }),
      ];
      const timezone_id = random.pick(world.zones);
      const [all] = await sendQuery(host, { measures });
      for (const dimension of [
        ref(random.pick(columns).id),
        ref("at", { level: 1 + random.below(9) }),
        ref("n", { discretization: { type: "linear", bins: 3 } }),
      ]) {
        const groups = await sendQuery(host, {
          dimensions: [dimension],
          measures,
          options: { timezone_id },
        });
        const about = JSON.stringify(dimension);
        assert.is(total(groups.map((row) => row[1])), all?.[0] ?? null, about);
        assert.is(total(groups.map((row) => row[2])) ?? 0, all?.[1], about);
        const distinct = groups.map((row) => Number(row[3]));
        assert.ok(Number(all?.[2]) <= (total(distinct) ?? 0), about);
        assert.ok(Number(all?.[2]) >= Math.max(0, ...distinct), about);
      }
    }));

  test.deep(
    "groups by a finer period add up to groups by a coarser period, in every time zone",
    () =>
      onWorlds(async (host, world) => {
        const measures = [ref("n"), ref("*", { aggregation: "count" })];
        for (const timezone_id of world.zones)
          for (const [coarse, fine] of [
            [1, 2],
            [2, 3],
            [1, 3],
            [3, 5],
            [4, 5],
            [6, 7],
            [7, 8],
          ]) {
            const options = { timezone_id };
            const of = (level: number | undefined) => ref("w", { level });
            const coarser = await sendQuery(host, { dimensions: [of(coarse)], measures, options });
            const both = await sendQuery(host, {
              dimensions: [of(coarse), of(fine)],
              measures,
              options,
            });
            const finer = await sendQuery(host, { dimensions: [of(fine)], measures, options });
            const sums = new Map<unknown, unknown[][]>();
            for (const [key, , ...cells] of both) sums.set(key, [...(sums.get(key) ?? []), cells]);
            const added = [...sums].map(([key, cells]) => [
              key,
              total(cells.map(([sum]) => sum)),
              total(cells.map(([, rows]) => rows)),
            ]);
            assert.equal(added, coarser, `levels ${coarse} and ${fine} in ${timezone_id}`);
            assert.equal(
              bag(both.map(([, ...rest]) => rest)),
              bag(finer),
              `each period of level ${fine} is within one of level ${coarse} in ${timezone_id}`,
            );
          }
      }),
  );

  test("`limit` and paging return consecutive parts of the answer, and `order` does not change the set of rows", () =>
    onWorlds(async (host, world, random) => {
      for (let round = 0; round < 8; round++) {
        const { query, parameters } = randomQuery(random, world);
        if (/cumulativesum/.test(JSON.stringify(query))) continue;
        const { limit: _, order, options, ...whole } = query;
        const { paging: __, ...settings } = options ?? {};
        const requested = async (more: object) =>
          (await host.askAs(embedOf({ parameters }), { ...whole, options: settings, ...more }))
            .data as Rows;
        const ordered = await requested({ order });
        const about = JSON.stringify(query);
        assert.equal(bag(await requested({})), bag(ordered), about);
        const [by, offset] = [random.below(8), random.below(5)];
        assert.equal(
          await requested({ order, limit: { by, offset } }),
          ordered.slice(offset, offset + by),
          about,
        );
        const paging = { by, offset };
        assert.equal(
          await requested({ order, options: { ...settings, paging } }),
          ordered.slice(offset, offset + by),
          about,
        );
      }
    }));

  test("`having` keeps exactly the groups whose value passes the test", () =>
    onWorlds(async (host, _, random) => {
      const measure = ref("n", {
        aggregation: random.pick(["sum", "count", "min", "max", "distinctcount", "average"]),
      });
      const dimensions = [ref(random.pick(["city", "word", "day", "large"]))];
      const all = await sendQuery(host, { dimensions, measures: [measure] });
      const bound = random.below(6) - 2;
      const passes: Readonly<Record<string, (value: number | null) => boolean>> = {
        ">": (value) => value !== null && value > bound,
        "<=": (value) => value !== null && value <= bound,
        "=": (value) => value === bound,
        "!=": (value) => value !== bound,
      };
      for (const [word, isKept] of Object.entries(passes)) {
        const having = [{ expression: `? ${word} ?`, parameters: [measure, bound] }];
        const kept = all.filter((row) => isKept(row[1] as number | null));
        assert.equal(
          await sendQuery(host, { dimensions, measures: [measure], having }),
          kept,
          word,
        );
        const hidden = await sendQuery(host, { dimensions, having });
        assert.equal(
          hidden,
          kept.map(([key]) => [key]),
          `hidden, ${word}`,
        );
      }
    }));

  test("a complete dimension adds rows and removes none", () =>
    onWorlds(async (host, _, random) => {
      const measures = [ref("n"), ref("s", { aggregation: "count" })];
      const where = [{ expression: "? > ?", parameters: [ref("m"), random.below(4)] }];
      for (const dimension of [
        ref("city"),
        ref("day", { level: 3 }),
        ref("n", { discretization: { type: "linear", size: 2 } }),
      ]) {
        const requested = (more: object) =>
          sendQuery(host, { dimensions: [{ ...dimension, ...more }], measures, where });
        const [plain, complete] = [
          await requested({}),
          await requested({ include_nonoccurring: true }),
        ];
        const keys = new Set(plain.map(([key]) => JSON.stringify(key)));
        assert.equal(
          complete.filter(([key]) => keys.has(JSON.stringify(key))),
          plain,
        );
        for (const [key, sum, rows] of complete)
          if (!keys.has(JSON.stringify(key))) assert.equal([sum, rows], [null, 0]);
      }
    }));
});
