import * as assert from "uvu/assert";
import { createDriver } from "../../../../connectors/clickhouse/createDriver.ts";
import { storeCredentials } from "../../../../connectors/clickhouse/store/storeCredentials.ts";
import { storeDialect } from "../../../../connectors/clickhouse/store/storeDialect.ts";
import { storedTables } from "../../../../connectors/clickhouse/store/storedTables.ts";
import {
  columnOfCells,
  rowsOfBatch,
  type Cell,
  type Plugin,
  type Query,
} from "../../../../plugins/protocol/index.ts";
import { createSqlPlugin, tableId } from "../../../../plugins/sql/index.ts";
import { clickhouseSuite } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseStore, type ClickhouseStore } from "../../../support/clickhouseStore.ts";
import { rounds } from "../../../support/layer.ts";
import { openReach } from "../../../support/openReach.ts";
import { createRandom, withSeed } from "../../../support/random.ts";

const columns = [
  { id: "n", type: "numeric" as const },
  { id: "at", type: "datetime" as const },
  { id: "word", type: "hierarchy" as const },
];
const cells: Readonly<Record<string, readonly Cell[]>> = {
  n: [0, 1, -2.5, 7, 7, null],
  at: ["0001-01-01T00:00:00.001Z", "1969-12-31T23:59:59.999Z", "2024-02-29T12:00:00.000Z", null],
  word: ["", "a", "B", "é", "😀", null],
};

clickhouseSuite("connectors/clickhouse/store/topRows", (test) => {
  let store: ClickhouseStore;
  const opened: Plugin[] = [];
  test.before(async () => {
    store = await openClickhouseStore();
  });
  test.after(async () => {
    for (const plugin of opened) await plugin.close?.();
    await store.close();
  });
  /**
   * Opens the part of a store that answers queries. It treats tables with at least the given number of rows as large,
   * and counts its statements.
   */
  const reading = (largeRows: number) => {
    let statementCount = 0;
    const driver = createDriver({ reach: openReach(), timeoutMs: 60_000, sizeBytes: 2 ** 28 });
    const plugin = createSqlPlugin({
      dialect: { ...storeDialect, largeRows },
      sizeBytes: 2 ** 28,
      driver: {
        ...driver,
        use: (credentials, signal, run) =>
          driver.use(credentials, signal, (session) =>
            run({
              ...session,
              rows(statement, until) {
                statementCount++;
                return session.rows(statement, until);
              },
            }),
          ),
        tables: (session, signal, only) =>
          storedTables(session, signal, store.database.database, only?.name),
      },
    });
    opened.push(plugin);
    return { plugin, count: () => statementCount };
  };
  const call = () => ({
    credentials: storeCredentials({
      url: store.settings.clickhouseUrl,
      database: store.database.database,
      timeoutMs: 60_000,
      sizeBytes: 2 ** 28,
    }).reader,
    signal: new AbortController().signal,
  });

  const random = createRandom();
  test("reading only the top rows returns the same rows as a full sort, even with ties, nulls and offsets", () =>
    withSeed(random, async () => {
      const [cut, whole] = [reading(0), reading(Infinity)];
      for (let round = 0; round < rounds({ quick: 2, deep: 25 }); round++) {
        const id = `top ${round}`;
        const rowCount = random.pick([0, 3, 40]);
        const vectors = columns.map((column) =>
          columnOfCells(
            column,
            Array.from({ length: rowCount }, () => random.pick(cells[column.id] ?? [])),
          ),
        );
        const rows = {
          columnIds: columns.map((each) => each.id),
          batch: { rowCount, columns: vectors },
        };
        const write = { action: "create" as const, id, columns, rowsFollow: true };
        await store.plugin.write?.({ ...call(), write });
        await store.plugin.write?.({ ...call(), write: { action: "append", id, rows } });
        for (let attempt = 0; attempt < 6; attempt++) {
          const first = random.below(3);
          const query: Query = {
            id: tableId({ schema: store.database.database, name: id }),
            columns: columns.map((each) => ({ column_id: each.id })),
            filters: random.chance(0.5)
              ? [{ column_id: "word", expression: "!=", value: [random.pick(["a", ""])] }]
              : [],
            order: [first, (first + 1) % 3, (first + 2) % 3].map((column) => ({
              column,
              order: random.pick(["asc", "desc"] as const),
            })),
            limit: { by: random.pick([1, 5, 100]), offset: random.pick([0, 0, 3]) },
            options: { pushdown: false },
          };
          const expected = rowsOfBatch(await whole.plugin.query({ ...call(), query }));
          const found = rowsOfBatch(await cut.plugin.query({ ...call(), query }));
          assert.equal(found, expected, JSON.stringify(query));
        }
      }
      assert.ok(cut.count() > whole.count(), "short answers were queried again");
    }));
});
