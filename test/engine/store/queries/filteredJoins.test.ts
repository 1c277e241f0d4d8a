import { join } from "node:path";
import * as assert from "uvu/assert";
import {
  openStore,
  type Plan,
  type Predicate,
  type Scalar,
  type ColumnDefinition,
  type Store,
} from "../../../../engine/index.ts";
import { FilteredJoins } from "../../../../engine/store/queries/filteredJoins.ts";
import type { Snapshot } from "../../../../engine/table/snapshot.ts";
import { suite } from "../../../support/suite.ts";
import { makeFolder, rejects, toBatch, toCells } from "../../tables.ts";

const facts = [
  { name: "code", type: "text" },
  { name: "at", type: "number" },
] as const;
const codes = [
  { name: "id", type: "text" },
  { name: "number", type: "number" },
  { name: "owner", type: "text" },
  { name: "label", type: "text" },
] as const;

const column = (name: string, joined?: string) =>
  ({ kind: "column", name, ...(joined !== undefined && { join: joined }) }) as const;
const isOwner = (value: string): Predicate => ({
  kind: "compare",
  left: column("owner"),
  operator: "=",
  value,
});
const planned = (filter?: Predicate): Plan => ({
  table: "facts",
  grouped: false,
  joins: [
    { name: "c", table: "codes", left: { name: "code" }, right: "id", ...(filter && { filter }) },
    { name: "n", table: "codes", left: { name: "at" }, right: "number", ...(filter && { filter }) },
  ],
  outputs: [
    { kind: "key", of: column("code") },
    { kind: "key", of: column("label", "c") },
    { kind: "key", of: column("number", "c") },
    { kind: "key", of: column("label", "n") },
  ],
});

suite("engine/store/queries/filteredJoins", (test) => {
  let store: Store;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  const batch = (columns: readonly ColumnDefinition[], rows: readonly (readonly Scalar[])[]) =>
    toBatch(
      columns,
      rows.map((row) =>
        Object.fromEntries(columns.map(({ name }, index): [string, Scalar] => [name, row[index]])),
      ),
    );
  const append = (rows: readonly (readonly Scalar[])[]) =>
    store.append({ table: "codes", rows: batch(codes, rows) });
  test.before(async () => {
    folder = await makeFolder();
    store = await openStore({ dir: join(folder.path, "store"), workers: 2, memoryBytes: 2 ** 27 });
    await store.create({ name: "facts", columns: facts });
    await store.create({ name: "codes", columns: codes });
    const rows = [
      ["a", 1],
      ["b", 2],
      [null, 3],
    ];
    await store.append({ table: "facts", rows: batch(facts, rows) });
    await append([
      ["a", 1, "me", "A"],
      ["a", 1, "you", "their A"],
      ["b", 2, "you", "their B"],
    ]);
  });
  test.after(async () => {
    await store.close();
    await folder.remove();
  });
  const query = async (filter?: Predicate) => toCells(await store.query(planned(filter)));

  test("rows that fail a join's filter are neither joined nor counted as duplicates", async () => {
    const expected = [
      ["a", "A", 1, "A"],
      ["b", null, null, null],
      [null, null, null, null],
    ];
    assert.equal(await query(isOwner("me")), expected);
    assert.equal(await query(isOwner("me")), expected);
    assert.equal(await query(isOwner("you")), [
      ["a", "their A", 1, "their A"],
      ["b", "their B", 2, "their B"],
      [null, null, null, null],
    ]);
    assert.equal(await query(isOwner("nobody")), [
      ["a", null, null, null],
      ["b", null, null, null],
      [null, null, null, null],
    ]);
    await rejects(query(), "JOIN_AMBIGUOUS");
  });

  test("a filtered join uses the rows of the version that the query reads", async () => {
    assert.equal((await query(isOwner("me")))[1], ["b", null, null, null]);
    await append([["b", 2, "me", "B"]]);
    assert.equal((await query(isOwner("me")))[1], ["b", "B", 2, "B"]);
    await append([["b", 2, "me", "B"]]);
    await rejects(query(isOwner("me")), "JOIN_AMBIGUOUS");
  });

  test("a filtered table is scanned once per filter and set of columns until its version changes", async () => {
    const filtered = new FilteredJoins();
    let scans = 0;
    const scanned = async (version: number, isKept: boolean, filter: Predicate) => {
      scans = 0;
      const snapshot: Snapshot = { table: "codes", version, rowCount: 0, columns: new Map() };
      const run = () => {
        scans++;
        return Promise.resolve({ columns: [new Float64Array()], scannedRowCount: 0 });
      };
      const plan: Plan = {
        table: "facts",
        grouped: false,
        joins: [{ name: "c", table: "codes", left: { name: "code" }, right: "id", filter }],
        outputs: [{ kind: "key", of: column("code") }],
      };
      const bind = () => Promise.resolve({ rowCount: 0, laneCount: 0, columns: [], order: [] });
      const rows = await filtered.of(plan, {
        snapshots: new Map([["codes", snapshot]]),
        bind,
        run,
        isKept: () => isKept,
      });
      assert.equal([...rows.keys()], ["c"]);
      return scans;
    };
    assert.is(await scanned(1, true, isOwner("me")), 1);
    assert.is(await scanned(1, true, isOwner("me")), 0);
    assert.is(await scanned(1, true, isOwner("you")), 1);
    assert.is(await scanned(2, true, isOwner("me")), 1);
    assert.is(await scanned(3, false, isOwner("me")), 1);
    assert.is(await scanned(3, false, isOwner("me")), 1);
  });
});
