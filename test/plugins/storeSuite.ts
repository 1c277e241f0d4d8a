import * as assert from "uvu/assert";
import {
  rowsOfBatch,
  type BatchColumn,
  type Plugin,
  type Query,
  type Write,
} from "../../plugins/protocol/index.ts";
import { rounds } from "../support/layer.ts";
import { createRandom, withSeed } from "../support/random.ts";
import { plainUpdate } from "../support/plainUpdate.ts";
import { failureOf } from "../support/refused.ts";
import { suite, type SuiteOptions } from "../support/suite.ts";

type Row = Readonly<Record<string, number | string | null>>;

const call = { credentials: { properties: {} }, signal: new AbortController().signal };
const at = Date.UTC(2024, 1, 29, 12, 30, 15, 123);

const numbers = (...values: readonly (number | null)[]): BatchColumn => ({
  type: "numeric",
  values: Float64Array.from(values, (value) => value ?? NaN),
});
const instants = (...values: readonly (number | null)[]): BatchColumn => ({
  type: "datetime",
  values: Float64Array.from(values, (value) => value ?? NaN),
});
const texts = (...values: readonly (string | null)[]): BatchColumn => {
  const dictionary = [...new Set(values.filter((value) => value !== null))];
  const codes = Int32Array.from(values, (value) =>
    value === null ? -1 : dictionary.indexOf(value),
  );
  return { type: "hierarchy", codes, dictionary };
};
const rowsOf = (columns: Readonly<Record<string, BatchColumn>>) => {
  const [first] = Object.values(columns);
  const rowCount = first?.type === "hierarchy" ? first.codes.length : (first?.values.length ?? 0);
  const batch = { rowCount, columns: Object.values(columns) };
  return { columnIds: Object.keys(columns), batch };
};

/**
 * Declares the tests that every store must pass. They check that `write` keeps its promises, and that the store returns
 * the right values after each write.
 */
export function storeSuite(
  name: string,
  open: () => Promise<{ readonly plugin: Plugin; close(): Promise<void> }>,
  options: SuiteOptions = {},
): void {
  suite(
    name,
    (test) => {
      let plugin: Plugin;
      let close: () => Promise<void>;
      let count = 0;
      test.before(async () => {
        ({ plugin, close } = await open());
      });
      test.after(() => close());

      const write = async (change: Write) => {
        if (!plugin.write) throw new Error("a store can be written to");
        return plugin.write({ ...call, write: change });
      };
      const fetchRows = async (
        id: string,
        columnIds: readonly string[],
        more: Partial<Query> = {},
      ) => {
        const columns = columnIds.map((column_id) => ({ column_id }));
        const query = { id, columns, filters: [], options: { pushdown: false }, ...more };
        return rowsOfBatch(await plugin.query({ ...call, query }));
      };
      const countOf = async (id: string) => {
        const columns = [{ column_id: "*", aggregation: "count" as const }];
        const [row] = await fetchRows(id, [], { columns, options: { pushdown: true } });
        return row?.[0];
      };
      const refusal = async (change: Write) => {
        const { code, message } = await failureOf(write(change));
        return `${String(code)}: ${message}`;
      };
      const create = async (...columns: Extract<Write, { action: "create" }>["columns"]) => {
        const id = `set ${++count}`;
        await write({ action: "create", id, columns });
        return id;
      };

      test("a store returns values as they were written, even at the limits of their ranges", async () => {
        const id = await create(
          { id: "n", type: "numeric" },
          { id: "at", type: "datetime" },
          { id: "word", type: "hierarchy" },
        );
        const rows = rowsOf({
          n: numbers(0, 0.1, -1.5e300, 5e-324, Number.MAX_VALUE, 2 ** 53, null),
          at: instants(at, 0, -1, -62_135_596_800_000, 253_402_300_799_999, 8.64e15, null),
          word: texts("", "Zoë 🎈", "a\0b", "'\"`\\\n\t", "x".repeat(300), "NULL", null),
        });
        assert.is((await write({ action: "append", id, rows })).rowCount, 7);
        const found = await fetchRows(id, ["n", "at", "word"], {
          order: [{ column: 0, order: "asc" }],
        });
        assert.equal(
          found.map(([n]) => n),
          [-1.5e300, 0, 5e-324, 0.1, 2 ** 53, Number.MAX_VALUE, null],
        );
        const byNumber = new Map(found.map(([n, ...rest]) => [n, rest]));
        assert.equal(byNumber.get(0), ["2024-02-29T12:30:15.123Z", ""]);
        assert.equal(byNumber.get(0.1), ["1970-01-01T00:00:00.000Z", "Zoë 🎈"]);
        assert.equal(byNumber.get(-1.5e300), ["1969-12-31T23:59:59.999Z", "a\0b"]);
        assert.equal(byNumber.get(5e-324), ["0001-01-01T00:00:00.000Z", "'\"`\\\n\t"]);
        assert.equal(byNumber.get(Number.MAX_VALUE), ["9999-12-31T23:59:59.999Z", "x".repeat(300)]);
        assert.equal(byNumber.get(2 ** 53), ["+275760-09-13T00:00:00.000Z", "NULL"]);
        assert.equal(byNumber.get(null), [null, null]);
      });

      test("an update replaces, inserts and deletes rows by key, and counts them", async () => {
        if (!plugin.capabilities.update) return;
        const id = await create(
          { id: "k", type: "hierarchy" },
          { id: "n", type: "numeric" },
          { id: "at", type: "datetime" },
        );
        const rows = rowsOf({
          k: texts("a", "b", "c", null),
          n: numbers(1, 2, 3, 4),
          at: instants(at, null, 0, 0),
        });
        await write({ action: "append", id, rows });
        const read = async () => {
          const found = await fetchRows(id, ["k", "n", "at"]);
          return found.toSorted((left, right) => Number(left[1]) - Number(right[1]));
        };
        const update = async (
          change: Omit<Extract<Write, { action: "update" }>, "action" | "id">,
        ) => {
          const { counts, refused, rowCount } = await write({ action: "update", id, ...change });
          assert.is(await countOf(id), rowCount);
          return { ...counts, ...refused };
        };
        const whole = rowsOf({ k: texts("b", "d"), n: numbers(20.5, 40), at: instants(null, at) });
        assert.equal(await update({ rows: whole, key: ["k"] }), {
          updated: 1,
          inserted: 1,
          deleted: 0,
          ignored: 0,
        });
        const start = "1970-01-01T00:00:00.000Z";
        assert.equal(await read(), [
          ["a", 1, "2024-02-29T12:30:15.123Z"],
          ["c", 3, start],
          [null, 4, start],
          ["b", 20.5, null],
          ["d", 40, "2024-02-29T12:30:15.123Z"],
        ]);
        const part = { rows: rowsOf({ n: numbers(10, 50), k: texts("a", "e") }), key: ["k"] };
        assert.equal(await update({ ...part, missing: "refuse" }), {
          reason: "missing",
          rows: [1],
        });
        assert.equal(await update({ ...part, missing: "ignore" }), {
          updated: 1,
          inserted: 0,
          deleted: 0,
          ignored: 1,
        });
        assert.equal(await update(part), { updated: 1, inserted: 1, deleted: 0, ignored: 0 });
        const gone = rowsOf({ k: texts("b", "z", "c"), n: numbers(20.5, 1, 4) });
        assert.equal(await update({ rows: gone, key: ["n", "k"], deletes: true }), {
          updated: 0,
          inserted: 0,
          deleted: 1,
          ignored: 2,
        });
        assert.equal(await read(), [
          ["c", 3, start],
          [null, 4, start],
          ["a", 10, "2024-02-29T12:30:15.123Z"],
          ["d", 40, "2024-02-29T12:30:15.123Z"],
          ["e", 50, null],
        ]);
        assert.is((await plugin.datasets(call)).find((each) => each.id === id)?.rows, 5);
        const none = rowsOf({ k: texts("y") });
        const nothing = { updated: 0, inserted: 0, deleted: 0, ignored: 1 };
        assert.equal(await update({ rows: none, key: ["k"], missing: "ignore" }), nothing);
        const every = rowsOf({ k: texts("a", "c", "d", "e") });
        await update({ rows: every, key: ["k"], deletes: true });
        assert.equal(await read(), [[null, 4, start]]);
        await write({ action: "append", id, rows });
        assert.is(await countOf(id), 5);
      });

      test("random updates change the same rows as updates of a map", async () => {
        if (!plugin.capabilities.update) return;
        const random = createRandom();
        await withSeed(random, async () => {
          const id = await create(
            { id: "k", type: "hierarchy" },
            { id: "m", type: "numeric" },
            { id: "n", type: "numeric" },
          );
          const wordOf = () => (random.chance(0.1) ? null : `w${random.below(6)}`);
          const numberOf = () => (random.chance(0.1) ? null : random.below(12) / 2);
          const makers = { k: wordOf, m: numberOf, n: () => random.below(1e6) / 8 };
          const toRows = (of: readonly Row[]) =>
            rowsOf(
              Object.fromEntries(
                Object.keys(of[0] ?? {}).map((name) => [
                  name,
                  name === "k"
                    ? texts(...of.map((row) => (row[name] === null ? null : String(row[name]))))
                    : numbers(...of.map((row) => (row[name] === null ? null : Number(row[name])))),
                ]),
              ),
            );
          let plain: readonly Row[] = Array.from({ length: 60 }, () => ({
            k: wordOf(),
            m: numberOf(),
            n: makers.n(),
          }));
          await write({ action: "append", id, rows: toRows(plain) });
          for (let round = 0; round < rounds({ quick: 3, deep: 30 }); round++) {
            const key = random.pick([["k"], ["m"], ["k", "m"], ["m", "k"]] as const);
            const deletes = random.chance(0.25);
            const isWhole = random.chance(0.6);
            const names = (["n", "k", "m"] as const).filter(
              (name) => key.some((each) => each === name) || (isWhole && !deletes),
            );
            const seen = new Set<string>();
            const given: Row[] = [];
            for (let each = 0; each < 1 + random.below(20); each++) {
              const row: Row = Object.fromEntries(names.map((name) => [name, makers[name]()]));
              const values = key.map((name) => row[name] ?? null);
              const isUsed = seen.has(JSON.stringify(values)) || values.includes(null);
              seen.add(JSON.stringify(values));
              if (!isUsed) given.push(row);
            }
            if (given.length === 0) continue;
            const missing = random.pick(
              deletes ? (["ignore", "refuse"] as const) : (["insert", "ignore", "refuse"] as const),
            );
            const change = { key, missing, deletes };
            const expected = plainUpdate(plain, { ...change, rows: given }, ["k", "m", "n"]);
            const found = await write({ action: "update", id, rows: toRows(given), ...change });
            assert.equal(found.refused, expected.refused);
            if (!found.refused) assert.equal(found.counts, expected.counts);
            assert.is(found.rowCount, expected.rows.length);
            plain = expected.rows;
            const cells = await fetchRows(id, ["k", "m", "n"]);
            const inText = (of: readonly unknown[]) =>
              of.map((row) => JSON.stringify(row)).toSorted();
            assert.equal(inText(cells), inText(plain.map((row) => [row["k"], row["m"], row["n"]])));
          }
        });
      });

      test("one row takes the place of all rows with its key, unless their other columns would be lost", async () => {
        if (!plugin.capabilities.update) return;
        const id = await create({ id: "k", type: "numeric" }, { id: "n", type: "numeric" });
        const rows = rowsOf({ k: numbers(1, 1, 2), n: numbers(1, 2, 3) });
        await write({ action: "append", id, rows });
        const key = ["k"];
        const part = await write({ action: "update", id, rows: rowsOf({ k: numbers(2, 1) }), key });
        assert.equal(part.refused, { reason: "repeated", rows: [1] });
        const whole = rowsOf({ k: numbers(1), n: numbers(9) });
        const { counts } = await write({ action: "update", id, rows: whole, key });
        assert.equal(counts, { updated: 1, inserted: 0, deleted: 1, ignored: 0 });
        const found = await fetchRows(id, ["k", "n"]);
        assert.equal(
          found.toSorted((left, right) => Number(left[0]) - Number(right[0])),
          [
            [1, 9],
            [2, 3],
          ],
        );
      });

      test("rows that arrive in batches are stored at the same time, or not at all", async () => {
        if (!plugin.writeBatches) return;
        const id = await create({ id: "n", type: "numeric" }, { id: "word", type: "hierarchy" });
        await write({ action: "append", id, rows: rowsOf({ n: numbers(0), word: texts("a") }) });
        const batchOf = (from: number, rowCount: number) =>
          rowsOf({
            word: texts(...Array.from({ length: rowCount }, (_, row) => `w${(from + row) % 9}`)),
            n: numbers(...Array.from({ length: rowCount }, (_, row) => from + row)),
          }).batch;
        const counts: unknown[] = [];
        async function* batches(failure?: Error) {
          for (const [from, rowCount] of [
            [1, 10],
            [11, 9000],
            [9011, 1],
          ] as const) {
            yield batchOf(from, rowCount);
            counts.push(await countOf(id));
          }
          if (failure) throw failure;
        }
        const columnIds = ["word", "n"];
        const failed = new Error("the file is damaged");
        for (const action of ["append", "replace"] as const) {
          const change = { action, id, columnIds };
          const failure = await plugin
            .writeBatches({ ...call, write: change, batches: batches(failed) })
            .then(
              () => undefined,
              (thrown: unknown) => thrown,
            );
          assert.ok(failure);
          assert.is(await countOf(id), 1);
        }
        const append = { action: "append" as const, id, columnIds };
        const added = await plugin.writeBatches({ ...call, write: append, batches: batches() });
        assert.is(added.rowCount, 9012);
        assert.equal(new Set(counts), new Set([1]));
        const order = [{ column: 0, order: "asc" as const }];
        const rows = await fetchRows(id, ["n", "word"], { order });
        assert.equal(
          [rows[0], rows[11], rows.at(-1)],
          [
            [0, "a"],
            [11, "w2"],
            [9011, "w2"],
          ],
        );
        const columns = [
          { id: "n", type: "numeric" as const },
          { id: "word", type: "hierarchy" as const },
          { id: "at", type: "datetime" as const },
        ];
        const replace = { action: "replace" as const, id, columnIds, columns };
        const replaced = await plugin.writeBatches({ ...call, write: replace, batches: batches() });
        assert.is(replaced.rowCount, 9011);
        assert.equal((await fetchRows(id, ["n", "word", "at"], { order }))[0], [1, "w1", null]);
        const unknown = { ...append, columnIds: ["word", "x"] };
        const refused = await failureOf(
          plugin.writeBatches({ ...call, write: unknown, batches: batches() }),
        );
        assert.is(refused.code, "PLUGIN_UNKNOWN_COLUMN");
      });

      test("a store turns negative zero into 0, even in groups", async () => {
        const id = await create({ id: "n", type: "numeric" });
        await write({ action: "append", id, rows: rowsOf({ n: numbers(-0, 0) }) });
        const groups = await fetchRows(id, [], {
          columns: [{ column_id: "n" }, { column_id: "*", aggregation: "count" }],
          options: { pushdown: true },
        });
        assert.equal(groups, [[0, 2]]);
      });

      test("columns that an append omits are null in its rows, and its new columns are null in earlier rows", async () => {
        const id = await create({ id: "a", type: "numeric" }, { id: "b", type: "hierarchy" });
        await write({ action: "append", id, rows: rowsOf({ a: numbers(1) }) });
        const addColumns = [{ id: "c", type: "datetime" as const }];
        const rows = rowsOf({ c: instants(at), a: numbers(2) });
        assert.is((await write({ action: "append", id, rows, addColumns })).rowCount, 2);
        const order = [{ column: 0, order: "asc" as const }];
        assert.equal(await fetchRows(id, ["a", "b", "c"], { order }), [
          [1, null, null],
          [2, null, "2024-02-29T12:30:15.123Z"],
        ]);
      });

      test("`replace` changes a dataset's rows, and its columns if the write lists columns", async () => {
        const id = await create({ id: "a", type: "numeric" }, { id: "b", type: "hierarchy" });
        await write({
          action: "append",
          id,
          rows: rowsOf({ a: numbers(1, 2), b: texts("x", "y") }),
        });
        await write({ action: "replace", id, rows: rowsOf({ b: texts("z") }) });
        assert.equal(await fetchRows(id, ["a", "b"]), [[null, "z"]]);
        const columns = [
          { id: "a", type: "hierarchy" as const },
          { id: "n", type: "numeric" as const },
        ];
        const rows = rowsOf({ a: texts("other type"), n: numbers(3) });
        assert.is((await write({ action: "replace", id, rows, columns })).rowCount, 1);
        const stored = (await plugin.datasets(call)).find((dataset) => dataset.id === id);
        assert.equal(
          stored?.columns.map((column) => [column.id, column.type]),
          [
            ["a", "hierarchy"],
            ["n", "numeric"],
          ],
        );
        assert.is(stored?.rows, 1);
        assert.equal(await fetchRows(id, ["n"]), [[3]]);
        assert.is(
          (await write({ action: "replace", id, rows: rowsOf({ n: numbers() }) })).rowCount,
          0,
        );
        assert.is(await countOf(id), 0);
      });

      test("altering a dataset can add columns of nulls and drop columns with their values", async () => {
        const id = await create({ id: "a", type: "numeric" }, { id: "b", type: "hierarchy" });
        await write({ action: "append", id, rows: rowsOf({ a: numbers(1), b: texts("x") }) });
        const add = [{ id: "c", type: "datetime" as const }];
        assert.is((await write({ action: "alter", id, add, drop: ["b"] })).rowCount, 1);
        assert.equal(await fetchRows(id, ["a", "c"]), [[1, null]]);
        assert.is((await failureOf(fetchRows(id, ["b"]))).code, "PLUGIN_UNKNOWN_COLUMN");
        await write({ action: "alter", id, add: [{ id: "b", type: "hierarchy" }] });
        assert.equal(await fetchRows(id, ["a", "b"]), [[1, null]]);
      });

      test("a dropped dataset no longer exists, and its id may be reused", async () => {
        const id = await create({ id: "a", type: "numeric" });
        await write({ action: "append", id, rows: rowsOf({ a: numbers(1) }) });
        await write({ action: "drop", id });
        assert.is((await failureOf(fetchRows(id, ["a"]))).code, "PLUGIN_UNKNOWN_DATASET");
        assert.not((await plugin.datasets(call)).some((dataset) => dataset.id === id));
        await write({ action: "create", id, columns: [{ id: "a", type: "hierarchy" }] });
        await write({ action: "append", id, rows: rowsOf({ a: texts("new") }) });
        assert.equal(await fetchRows(id, ["a"]), [["new"]]);
      });

      test("an invalid write changes nothing, and the error says why", async () => {
        const id = await create({ id: "a", type: "numeric" });
        await write({ action: "append", id, rows: rowsOf({ a: numbers(1) }) });
        const none = "no such set";
        const rows = rowsOf({ a: numbers(2) });
        assert.match(
          await refusal({ action: "append", id: none, rows }),
          /UNKNOWN_DATASET.*no such/,
        );
        assert.match(
          await refusal({ action: "replace", id: none, rows }),
          /UNKNOWN_DATASET.*no such/,
        );
        assert.match(await refusal({ action: "alter", id: none, drop: ["a"] }), /UNKNOWN_DATASET/);
        assert.match(await refusal({ action: "drop", id: none }), /UNKNOWN_DATASET.*no such/);
        const columns = [{ id: "a", type: "numeric" as const }];
        assert.match(await refusal({ action: "create", id, columns }), /CONFLICT/);
        assert.match(await refusal({ action: "alter", id, add: columns }), /CONFLICT.*\ba\b/);
        assert.match(await refusal({ action: "alter", id, drop: ["z"] }), /UNKNOWN_COLUMN.*\bz\b/);
        const other = rowsOf({ z: numbers(2) });
        assert.match(await refusal({ action: "append", id, rows: other }), /UNKNOWN_COLUMN.*\bz\b/);
        const wrong = rowsOf({ a: texts("x") });
        assert.match(await refusal({ action: "append", id, rows: wrong }), /INVALID.*\ba\b/);
        assert.match(await refusal({ action: "replace", id, rows: wrong }), /INVALID.*\ba\b/);
        assert.equal(await fetchRows(id, ["a"]), [[1]]);
      });

      test("the names of datasets and columns may contain any characters", async () => {
        const id = "a.b`c\\'\"; drop table x --";
        const columnId = "x`y\\'z\" {p1:String}";
        await write({ action: "create", id, columns: [{ id: columnId, type: "hierarchy" }] });
        await write({ action: "append", id, rows: rowsOf({ [columnId]: texts("{p1:String}") }) });
        const filters = [{ column_id: columnId, expression: "=" as const, value: ["{p1:String}"] }];
        assert.equal(await fetchRows(id, [columnId], { filters }), [["{p1:String}"]]);
        await write({ action: "drop", id });
      });

      test("readers see only complete writes while rows are appended and replaced", async () => {
        const id = await create({ id: "push", type: "numeric" }, { id: "n", type: "numeric" });
        const size = rounds({ quick: 500, deep: 5000 });
        const push = (number: number) =>
          rowsOf({
            push: numbers(...Array.from({ length: size }, () => number)),
            n: numbers(...Array.from({ length: size }, () => 1)),
          });
        let isDone = false;
        const seen: (readonly unknown[])[] = [];
        const read = async () => {
          while (!isDone)
            seen.push(
              ...(await fetchRows(id, [], {
                columns: [{ column_id: "push" }, { column_id: "n", aggregation: "sum" }],
                options: { pushdown: true },
              })),
            );
        };
        const reading = Promise.all([read(), read()]);
        try {
          for (let number = 0; number < rounds({ quick: 2, deep: 4 }); number++) {
            await write({ action: "append", id, rows: push(number) });
            await write({ action: "replace", id, rows: push(100 + number) });
          }
        } finally {
          isDone = true;
        }
        await reading;
        assert.ok(seen.length > 0);
        assert.equal(
          seen.filter(([, sum]) => sum !== size),
          [],
        );
        assert.is(await countOf(id), size);
      });

      test("writes to different datasets run concurrently, each with its own version", async () => {
        const ids = await Promise.all(
          Array.from({ length: 6 }, () => create({ id: "a", type: "numeric" })),
        );
        const rows = rowsOf({ a: numbers(1, 2, 3) });
        const results = await Promise.all(ids.map((id) => write({ action: "append", id, rows })));
        assert.equal(
          results.map(({ rowCount }) => rowCount),
          ids.map(() => 3),
        );
        const again = await write({ action: "append", id: ids[0]!, rows });
        assert.is(again.rowCount, 6, "a second write with equal rows adds the rows again");
        assert.not(results.some(({ version }) => version === again.version));
      });
    },
    options,
  );
}
