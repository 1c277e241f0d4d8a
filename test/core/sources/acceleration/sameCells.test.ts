import * as assert from "uvu/assert";
import { ApiError } from "../../../../core/base/errors.ts";
import type { Principal, WrittenValues } from "../../../../core/base/contracts/index.ts";
import { PluginError } from "../../../../plugins/protocol/index.ts";
import {
  awkwardColumns,
  randomAwkwardTable,
  randomAwkwardValue,
  type AwkwardColumn,
  type AwkwardTable,
} from "../../../support/awkward.ts";
import { isClose } from "../../../support/isClose.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { rowFilter } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";
import { randomAwkwardQuery } from "../../../connectors/randomAwkwardQuery.ts";
import {
  openAccelerated,
  type AcceleratedDataset,
  type AcceleratedHost,
} from "./openAccelerated.ts";

const nativeTypes: Readonly<Record<AwkwardColumn["kind"], string>> = {
  text: "text",
  whole: "integer",
  big: "numeric(20)",
  decimal: "numeric(30, 10)",
  double: "float8",
  datetime: "timestamptz",
  date: "date",
};

/** The soak layer runs 5,000 queries: 25 tables with 8 loads of 25 queries each. */
const tableCount = rounds({ quick: 1, deep: 3, soak: 25 });
const changeCount = rounds({ quick: 3, deep: 5, soak: 8 });
const questionCount = rounds({ quick: 15, deep: 25 });
/** Number of tables per test. */
const partCount = 5;

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

suite("core/sources/acceleration returns the same answers as the source", (test) => {
  let host: AcceleratedHost;
  test.before(async () => {
    host = await openAccelerated();
  });
  test.after(() => host.close());
  const signal = new AbortController().signal;

  const counts = { answered: 0, refused: 0 };

  const queryTables = async (first: number, last: number) => {
    const seeds = createRandom();
    await withSeed(seeds, async () => {
      for (let round = first; round < last; round++) {
        const random = createRandom(seeds.below(2 ** 31));
        const source = await openChangingTable(host, random, round);
        const { dataset } = source;
        await host.associate(dataset, randomSettings(random, dataset));
        for (let change = 0; change < changeCount; change++) {
          assert.is.not(
            await host.load(dataset),
            "failed",
            String((await host.copyOf(dataset))?.["failure"]),
          );
          for (let index = 0; index < questionCount; index++)
            await agree(
              host,
              dataset,
              random.chance(0.5) ? host.owner : limited(host, random, dataset),
              random,
            );
          // The copy stays the same while the source changes and the next load runs.
          const before = await count(host, dataset);
          await source.change(random);
          assert.equal(await count(host, dataset), before);
          if (random.chance(0.3)) {
            const loading = host.load(dataset);
            const during = await count(host, dataset);
            await loading;
            const after = await count(host, dataset);
            assert.ok(
              [JSON.stringify(before), JSON.stringify(after)].includes(JSON.stringify(during)),
            );
          }
        }
        await host.records.change("securable", dataset.id, { acceleration_id: null });
      }
      await host.dropUnused();
      assert.equal(await host.stored(), []);
    });
    const { answered, refused } = counts;
    assert.is(answered + refused, last * changeCount * questionCount);
    assert.ok(answered > refused, `${answered} queries were answered, ${refused} refused`);
  };
  for (let first = 0; first < tableCount; first += partCount) {
    const last = Math.min(tableCount, first + partCount);
    const which = tableCount > partCount ? ` (tables ${first + 1} to ${last})` : "";
    test(`after each load, random queries of the copy return the source's cells, even under token filters${which}`, () =>
      queryTables(first, last));
  }

  async function agree(
    { queries }: AcceleratedHost,
    dataset: AcceleratedDataset,
    principal: Principal,
    random: Random,
  ): Promise<void> {
    const drawn = JSON.stringify(randomAwkwardQuery(random), (member, value: unknown) => {
      if (member === "dataset_id") return dataset.id;
      if (member === "column_id" && value !== "*")
        return dataset.columns[`source.${String(value)}`];
      return value;
    });
    const sendQuery = async (options: object) => {
      const query = JSON.parse(drawn) as { options: object };
      try {
        const answered = await queries.answer(
          { ...query, options: { ...query.options, ...options }, explain: true },
          principal,
          signal,
        );
        const [answer] = [answered].flat();
        const told = answer?.explain?.datasets[0];
        assert.is(told?.live, "max_age" in options, "which of the two was queried");
        return answer?.data;
      } catch (failure) {
        if (failure instanceof ApiError || failure instanceof PluginError) return failure.code;
        throw failure;
      }
    };
    const [copied, live] = [await sendQuery({}), await sendQuery({ max_age: 0 })];
    counts[typeof live === "string" ? "refused" : "answered"]++;
    if (!isClose(copied, live))
      throw new Error(
        `the copy answers ${JSON.stringify(copied)}\nthe source ${JSON.stringify(live)}\n${drawn}\n${JSON.stringify(await host.copyOf(dataset))}`,
      );
  }
});

const count = async ({ queries, owner }: AcceleratedHost, { id }: AcceleratedDataset) => {
  const measures = [{ dataset_id: id, column_id: "*", aggregation: { type: "count" } }];
  const answered = await queries.answer({ measures }, owner, new AbortController().signal);
  return [answered].flat()[0]?.data;
};

interface ChangingTable {
  readonly dataset: AcceleratedDataset;
  /** Inserts, updates and deletes rows. Each change increases the values of `changed`. */
  change(random: Random): Promise<void>;
}

async function openChangingTable(
  host: AcceleratedHost,
  random: Random,
  round: number,
): Promise<ChangingTable> {
  const name = `awkward_${round}`;
  const limits = { nan: true, years: [1000, 9999] } as const;
  const table = randomAwkwardTable(random, limits, random.pick([0, 1, 40, 90]));
  const defined = awkwardColumns.map(
    ({ id, kind }) => `${quote(`source.${id}`)} ${nativeTypes[kind]}`,
  );
  await host.source.run(
    `create table ${name} (id int, part text, changed timestamptz(3), ${defined.join(", ")})`,
  );
  let [nextId, clockS] = [0, 0];
  const instant = () => new Date(Date.UTC(2024, 0, 1) + clockS * 1000).toISOString();
  const insert = async (rows: AwkwardTable["rows"]) => {
    for (const row of rows) {
      const places = row.map((_, index) => `$${index + 4}`).join(", ");
      await host.source.run(`insert into ${name} values ($1, $2, $3, ${places})`, [
        nextId,
        nextId % 2 === 0 ? "even" : null,
        instant(),
        ...row,
      ]);
      nextId++;
      if (random.chance(0.5)) clockS++;
    }
  };
  await insert(table.rows);
  return {
    dataset: await host.dataset(`public.${name}`),
    async change(draw) {
      clockS += draw.pick([0, 1, 20]);
      if (draw.chance(0.7)) await insert(randomAwkwardTable(draw, limits, draw.below(6)).rows);
      if (nextId > 0 && draw.chance(0.6))
        await host.source.run(
          `update ${name} set changed = $1, ${quote("source.whole")} = $2 where id % 5 = $3`,
          [instant(), draw.below(9), draw.below(5)],
        );
      if (nextId > 0 && draw.chance(0.4))
        await host.source.run(`delete from ${name} where id % 7 = $1`, [draw.below(7)]);
    },
  };
}

/** Returns random settings. With all of them, a copy is correct after every kind of change to the source. */
function randomSettings(
  random: Random,
  { columns }: AcceleratedDataset,
): WrittenValues<"acceleration"> {
  if (random.chance(0.25)) return { load_type: "full" };
  return {
    load_type: random.pick(["delta", "full-delta"]),
    data_storage_strategy: "insert-update-delete",
    updated_at_column_id: columns["changed"]!,
    primary_key_column_ids: [columns["id"]!, ...(random.chance(0.5) ? [columns["part"]!] : [])],
    overlap_seconds: random.pick([0, 1, 10, 300]),
  };
}

/** Returns the owner's principal with a token filter on a string, a number or an instant. */
function limited(
  host: AcceleratedHost,
  random: Random,
  { id, columns }: AcceleratedDataset,
): Principal {
  const column = random.pick(
    awkwardColumns.filter(({ kind }) => ["text", "whole", "datetime"].includes(kind)),
  );
  const columnId = columns[`source.${column.id}`]!;
  const value = () => randomAwkwardValue(random, column);
  const drawn = random.pick([
    rowFilter(columnId, "? in ?", [value(), value(), null]),
    rowFilter(columnId, "? not in ?", [value()]),
    rowFilter(columnId, "? = ?", value()),
    rowFilter(columnId, "? is not null"),
  ]);
  return host.limited([{ ...drawn, securable_id: id }]);
}
