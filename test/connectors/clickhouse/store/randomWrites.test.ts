import * as assert from "uvu/assert";
import { rowsOfBatch, type Plugin, type WriteColumn } from "../../../../plugins/protocol/index.ts";
import { openClickhouseClusterStore } from "../../../support/clickhouseClusterStore.ts";
import { needsClickhouse } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseStore } from "../../../support/clickhouseStore.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const call = { credentials: { properties: {} }, signal: new AbortController().signal };
const runCount = rounds({ quick: 1, deep: 4, soak: 60 });
const writeCount = 25;
const start: readonly WriteColumn[] = [
  { id: "n", type: "numeric" },
  { id: "word", type: "hierarchy" },
];

function randomRows(random: Random, columns: readonly WriteColumn[]) {
  // In some rounds, a replace has enough rows for every shard. In some, strings rarely repeat.
  const rowCount = random.below(5) === 0 ? 20_000 + random.below(5000) : random.below(40);
  const size = random.below(3) === 0 ? rowCount : Math.min(rowCount, 6);
  const dictionary = Array.from({ length: size }, (_, index) => `text ${index}`);
  return {
    columnIds: columns.map(({ id }) => id),
    batch: {
      rowCount,
      columns: columns.map(({ type }) =>
        type === "hierarchy"
          ? {
              type,
              dictionary,
              codes: Int32Array.from({ length: rowCount }, () => random.below(size + 1) - 1),
            }
          : {
              type,
              values: Float64Array.from({ length: rowCount }, () =>
                random.below(8) === 0 ? NaN : random.below(1000),
              ),
            },
      ),
    },
  };
}

suite(
  "connectors/clickhouse/store on two shards and on one server",
  (test) => {
    test.deep(
      "after any sequence of writes, a single server and a cluster contain the same rows, columns and counts",
      async () => {
        const one = await openClickhouseStore();
        const two = await openClickhouseClusterStore();
        const plugins: readonly Plugin[] = [one.plugin, two.plugin];
        const random = createRandom();
        try {
          await withSeed(random, async () => {
            for (let run = 0; run < runCount; run++) {
              const id = `set ${run}`;
              let columns = start;
              let added = 0;
              const onBoth = async <Result>(work: (plugin: Plugin) => Promise<Result>) => {
                const [first, second] = await Promise.all(plugins.map(work));
                assert.equal(second, first);
                return first;
              };
              const rowsOf = async (plugin: Plugin) => {
                const query = {
                  id,
                  columns: columns.map((column) => ({ column_id: column.id })),
                  filters: [],
                  options: { pushdown: false },
                };
                const rows = rowsOfBatch(await plugin.query({ ...call, query }));
                return rows.map((row) => JSON.stringify(row)).toSorted();
              };
              await onBoth(async (plugin) => {
                await plugin.write?.({ ...call, write: { action: "create", id, columns } });
              });
              for (let write = 0; write < writeCount; write++) {
                const action = random.pick([
                  "append",
                  "append",
                  "append",
                  "replace",
                  "alter",
                ] as const);
                const more: readonly WriteColumn[] =
                  random.below(4) === 0
                    ? [
                        {
                          id: `added ${added++}`,
                          type: random.pick(["numeric", "hierarchy"] as const),
                        },
                      ]
                    : [];
                const drop =
                  action === "alter" && columns.length > 1 ? [String(columns.at(-1)?.id)] : [];
                const rows = randomRows(random, [...columns, ...more]);
                const change =
                  action === "append"
                    ? { action, id, rows, addColumns: more }
                    : action === "replace"
                      ? { action, id, rows, columns: [...columns, ...more] }
                      : { action, id, add: more, drop };
                await onBoth(
                  async (plugin) => (await plugin.write?.({ ...call, write: change }))?.rowCount,
                );
                columns = [...columns, ...more].filter((column) => !drop.includes(column.id));
                await onBoth(rowsOf);
              }
              await onBoth(async (plugin) => {
                const [stored] = (await plugin.datasets(call)).filter((each) => each.id === id);
                return { rows: stored?.rows, columns: stored?.columns.map((column) => column.id) };
              });
            }
          });
        } finally {
          await one.close();
          await two.close();
        }
      },
    );
  },
  needsClickhouse,
);
