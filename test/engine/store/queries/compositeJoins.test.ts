import { join } from "node:path";
import * as assert from "uvu/assert";
import {
  openStore,
  type ColumnDefinition,
  type Plan,
  type Scalar,
  type Store,
} from "../../../../engine/index.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { makeFolder, rejects, toBatch, toCells } from "../../tables.ts";

const keys = ["text", "number", "datetime"] as const;
const factColumns: readonly ColumnDefinition[] = [
  ...keys.map((type) => ({ name: `f_${type}`, type })),
  { name: "row", type: "number" },
];
const stockColumns: readonly ColumnDefinition[] = [
  ...keys.map((type) => ({ name: `s_${type}`, type })),
  { name: "label", type: "text" },
];
const key = (name: string, joined?: string) =>
  ({
    kind: "key",
    of: { kind: "column", name, ...(joined !== undefined && { join: joined }) },
  }) as const;

suite("engine/store/queries/compositeJoins", (test) => {
  let store: Store;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  const fill = async (
    table: string,
    columns: readonly ColumnDefinition[],
    rows: readonly (readonly Scalar[])[],
  ) => {
    await store.drop({ table }).catch(() => undefined);
    await store.create({ name: table, columns });
    const named = rows.map((row) =>
      Object.fromEntries(columns.map(({ name }, index): [string, Scalar] => [name, row[index]])),
    );
    await store.append({ table, rows: toBatch(columns, named) });
  };
  /** Returns a plan that joins `stock` by the first `count` columns of its key. */
  const planOf = (count: number, isFiltered: boolean): Plan => {
    const [first, ...others] = keys
      .slice(0, count)
      .map((type) => ({ left: { name: `f_${type}` }, right: `s_${type}` }));
    return {
      table: "facts",
      grouped: false,
      joins: [
        {
          name: "s",
          table: "stock",
          ...first,
          and: others,
          ...(isFiltered && {
            filter: {
              kind: "not",
              of: { kind: "compare", left: key("label").of, operator: "<", value: "label 3" },
            } as const,
          }),
        },
      ],
      outputs: [key("row"), key("label", "s"), key("s_number", "s")],
      order: [{ output: 0, descending: false }],
    };
  };
  test.before(async () => {
    folder = await makeFolder();
    store = await openStore({ dir: join(folder.path, "store"), workers: 2, memoryBytes: 2 ** 27 });
  });
  test.after(async () => {
    await store.close();
    await folder.remove();
  });

  test("a join by two or three columns finds the row that is equal in all of them, with random keys", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 12; round++) {
        const scale = random.pick([1, 0.5, 1e9]);
        const cells = (): Scalar[] => [
          random.chance(0.1) ? null : `t${random.below(6)}`,
          random.chance(0.1) ? null : (random.below(6) - 2) * scale,
          random.chance(0.1) ? null : random.below(3) * 86_400_000,
        ];
        const count = 2 + random.below(2);
        const keyOf = (row: readonly Scalar[]) => JSON.stringify(row.slice(0, count));
        const isWhole = (row: readonly Scalar[]) => !row.slice(0, count).includes(null);
        const made = Array.from({ length: 60 }, cells);
        const unique = [...new Map(made.map((row) => [keyOf(row), row])).values()];
        const stock = unique.map((row, index): Scalar[] => [...row, `label ${index}`]);
        const facts = Array.from({ length: 300 }, (_, row): Scalar[] => [...cells(), row]);
        await fill("stock", stockColumns, stock);
        await fill("facts", factColumns, facts);
        for (const isFiltered of [false, true]) {
          const kept = stock.filter(
            (row) => isWhole(row) && (!isFiltered || String(row[3]) >= "label 3"),
          );
          const byKey = new Map(kept.map((row) => [keyOf(row), row]));
          const expected = facts.map((row) => {
            const found = isWhole(row) ? byKey.get(keyOf(row)) : undefined;
            return [row[3], found?.[3] ?? null, found?.[1] ?? null];
          });
          assert.equal(toCells(await store.query(planOf(count, isFiltered))), expected);
        }
      }
    });
  });

  test("a combination that occurs twice fails with JOIN_AMBIGUOUS, but a repeated value of one column does not", async () => {
    const rows = [
      ["a", 1, 0, "x"],
      ["a", 2, 0, "y"],
      ["b", 1, 0, "z"],
    ];
    await fill("facts", factColumns, [["a", 2, 0, 1]]);
    await fill("stock", stockColumns, rows);
    assert.equal(toCells(await store.query(planOf(2, false))), [[1, "y", 2]]);
    await fill("stock", stockColumns, [...rows, ["a", 2, 5, "again"]]);
    await rejects(store.query(planOf(2, false)), "JOIN_AMBIGUOUS");
    assert.equal(toCells(await store.query(planOf(3, false))), [[1, "y", 2]]);
  });
});
