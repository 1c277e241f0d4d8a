import * as assert from "uvu/assert";
import { clickhouseSuite, needsClickhouse } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseStore } from "../../../support/clickhouseStore.ts";
import { storeSuite } from "../../../plugins/storeSuite.ts";

storeSuite("connectors/clickhouse/store", () => openClickhouseStore(), needsClickhouse);

clickhouseSuite("connectors/clickhouse/store: rows with one write id", (test) => {
  test("rows that two hosts send with the same write id are stored once, and the rows of other writes are kept", async () => {
    const store = await openClickhouseStore();
    try {
      const call = { credentials: { properties: {} }, signal: new AbortController().signal };
      const columns = [{ id: "a", type: "numeric" as const }];
      await store.plugin.write?.({ ...call, write: { action: "create", id: "t", columns } });
      const values = Float64Array.of(1, 2);
      const rows = {
        columnIds: ["a"],
        batch: { rowCount: 2, columns: [{ ...columns[0]!, values }] },
      };
      const append = async (more: object) => {
        const write = { action: "append" as const, id: "t", rows, ...more };
        return (await store.plugin.write?.({ ...call, write }))?.rowCount;
      };
      assert.is(await append({ writeId: "one" }), 2);
      assert.is(await append({ writeId: "one", isRepeated: true }), 2);
      assert.is(await append({ writeId: "one" }), 2);
      assert.is(await append({ writeId: "two" }), 4);
      assert.is(await append({}), 6);
    } finally {
      await store.close();
    }
  });
});
