import * as assert from "uvu/assert";
import {
  createDictionary,
  PluginError,
  rowsOfBatch,
  type Batch,
  type Plugin,
} from "../../../../plugins/protocol/index.ts";
import { needsClickhouse } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseStore, type ClickhouseStore } from "../../../support/clickhouseStore.ts";
import { rounds } from "../../../support/layer.ts";
import { failureOf } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

type Row = readonly [number | null, string | null, number | null];

const credentials = { properties: {} };
const { signal } = new AbortController();
const columns = [
  { id: "n", type: "numeric" as const },
  { id: "word", type: "hierarchy" as const },
  { id: "at", type: "datetime" as const },
];
const columnIds = columns.map(({ id }) => id);

function batchOf(rows: readonly Row[]): Batch {
  const words = createDictionary();
  const codes = Int32Array.from(rows, ([, word]) => (word === null ? -1 : words.codeOf(word)));
  return {
    rowCount: rows.length,
    columns: [
      { type: "numeric", values: Float64Array.from(rows, ([n]) => n ?? NaN) },
      { type: "hierarchy", codes, dictionary: words.dictionary },
      { type: "datetime", values: Float64Array.from(rows, ([, , at]) => at ?? NaN) },
    ],
  };
}

async function* batchesOf(...parts: readonly (readonly Row[])[]): AsyncGenerator<Batch> {
  for (const part of parts) yield batchOf(part);
}

suite(
  "connectors/clickhouse/store/fillDraft",
  (test) => {
    let store: ClickhouseStore;
    test.before(async () => {
      store = await openClickhouseStore();
    });
    test.after(() => store.close());

    const create = async (id: string, rowsFollow = false): Promise<Plugin> => {
      const write = { action: "create", id, columns, rowsFollow } as const;
      await store.plugin.write?.({ credentials, signal, write });
      return store.plugin;
    };
    const fill = async (
      id: string,
      action: "append" | "replace",
      batches: AsyncIterable<Batch>,
    ): Promise<number | undefined> => {
      const write = { action, id, columnIds, ...(action === "replace" && { columns }) };
      const call = { credentials, signal, write, batches };
      return (await store.plugin.writeBatches?.(call))?.rowCount;
    };
    const rowsOf = async (id: string): Promise<readonly unknown[]> => {
      const query = {
        id,
        columns: columnIds.map((column_id) => ({ column_id })),
        filters: [],
        order: [{ column: 0, order: "asc" as const }],
        options: { pushdown: true },
      };
      const answer = await store.plugin.query({ credentials, signal, query });
      return rowsOfBatch(answer).map(([n, word, at]) => [
        n,
        word,
        typeof at === "string" ? Date.parse(at) : at,
      ]);
    };
    const draftCount = async () =>
      (await store.database.run("show tables")).split("\n").filter((name) => name.includes("~"))
        .length;

    const whole: readonly Row[] = [
      [1, "a", 86_400_000],
      [2, "b", 0],
    ];
    const wider: readonly Row[] = [
      [3.5, null, 1],
      [4, "c", null],
    ];

    for (const rowsFollow of [true, false])
      test(`batches fill ${rowsFollow ? "a new table" : "an empty table"}, and their types are widened`, async () => {
        const id = `fresh-${rowsFollow}`;
        await create(id, rowsFollow);
        assert.is(await fill(id, "append", batchesOf(whole, [], wider)), 4);
        assert.equal(await rowsOf(id), [...whole, ...wider]);
        assert.is(await draftCount(), 0);
      });

    test("an append by batches keeps the stored rows, and a replace by batches does not", async () => {
      await create("kept", true);
      await fill("kept", "append", batchesOf(whole));
      assert.is(await fill("kept", "append", batchesOf(wider)), 4);
      assert.equal(await rowsOf("kept"), [...whole, ...wider]);
      assert.is(await fill("kept", "replace", batchesOf(wider)), 2);
      assert.equal(await rowsOf("kept"), wider);
      assert.is(await fill("kept", "replace", batchesOf()), 0);
      assert.equal(await rowsOf("kept"), []);
      assert.is(await draftCount(), 0);
    });

    test("if the batches fail, nothing changes", async () => {
      await create("failing", true);
      await fill("failing", "append", batchesOf(whole));
      const broken = async function* () {
        yield batchOf(wider);
        throw new PluginError("PLUGIN_UNREADABLE", ["the file is cut"]);
      };
      for (const action of ["append", "replace"] as const)
        assert.match(String(await failureOf(fill("failing", action, broken()))), /the file is cut/);
      assert.equal(await rowsOf("failing"), whole);
      assert.is(await draftCount(), 0);
    });

    test("an append by batches is refused if another write has changed the rows meanwhile", async () => {
      const plugin = await create("shared", true);
      await fill("shared", "append", batchesOf(whole));
      const interrupted = async function* () {
        yield batchOf(wider);
        const rows = { columnIds, batch: batchOf([[9, "z", 0]]) };
        await plugin.write?.({
          credentials,
          signal,
          write: { action: "append", id: "shared", rows },
        });
      };
      const failure = await failureOf(fill("shared", "append", interrupted()));
      assert.match(String(failure), /another write has changed the rows/);
      assert.equal(await rowsOf("shared"), [...whole, [9, "z", 0]]);
    });

    test("rows that an update has deleted stay deleted, and are not counted", async () => {
      const plugin = await create("updated", true);
      await fill("updated", "append", batchesOf(whole));
      const batch = { rowCount: 1, columns: [batchOf([[1, null, null]]).columns[0]!] };
      const rows = { columnIds: ["n"], batch };
      const write = { action: "update", id: "updated", rows, key: ["n"], deletes: true } as const;
      await plugin.write?.({ credentials, signal, write });
      assert.is(await fill("updated", "append", batchesOf(wider)), 3);
      assert.equal(await rowsOf("updated"), [whole[1], ...wider]);
      const listed = await plugin.datasets({ credentials, signal });
      assert.is(listed.find(({ id }) => id === "updated")?.rows, 3);
    });

    test("batches of any total size are stored in several inserts", async () => {
      const [batchCount, size] = [
        rounds({ quick: 3, deep: 60 }),
        rounds({ quick: 1000, deep: 65_536 }),
      ];
      await create("large", true);
      const many = async function* () {
        for (let batch = 0; batch < batchCount; batch++)
          yield batchOf(
            Array.from({ length: size }, (_, row) => [batch * size + row, `${batch} ${row}`, row]),
          );
      };
      assert.is(await fill("large", "append", many()), batchCount * size);
      const found = await store.database.run(
        "select count(), sum(n), uniqExact(word) from large format TSV",
      );
      const count = batchCount * size;
      assert.equal(found.trim().split("\t").map(Number), [count, (count * (count - 1)) / 2, count]);
    });
  },
  needsClickhouse,
);
