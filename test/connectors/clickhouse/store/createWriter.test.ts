import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { openStore } from "../../../../connectors/clickhouse/index.ts";
import { rowsOfBatch, type Plugin } from "../../../../plugins/protocol/index.ts";
import { needsClickhouse } from "../../../support/clickhouseDatabase.ts";
import { clickhouseUrl, openClickhouseStore } from "../../../support/clickhouseStore.ts";
import { openProxy } from "../../../support/openProxy.ts";
import { failureOf } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

const credentials = { properties: {} };
const call = { credentials, signal: new AbortController().signal };
const rowCount = 4;
const rows = {
  columnIds: ["a"],
  batch: {
    rowCount,
    columns: [{ type: "numeric" as const, values: Float64Array.of(1, 2, 3, 4) }],
  },
};

suite(
  "connectors/clickhouse/store/createWriter",
  (test) => {
    const create = async (plugin: Plugin, id: string) => {
      const columns = [{ id: "a", type: "numeric" as const }];
      await plugin.write?.({ ...call, write: { action: "create", id, columns } });
    };
    const append = (plugin: Plugin, id: string, signal = call.signal) =>
      Promise.resolve(
        plugin.write?.({ credentials, signal, write: { action: "append", id, rows } }),
      );
    /** Reconciles the dataset, as the outbox does after a push whose outcome is unknown. */
    const settle = async (plugin: Plugin, id: string) =>
      (await plugin.write?.({ ...call, write: { action: "alter", id, add: [] } }))?.rowCount;
    const countOf = async (plugin: Plugin, id: string) => {
      const columns = [{ column_id: "*", aggregation: "count" as const }];
      const query = { id, columns, filters: [], options: { pushdown: true } };
      return rowsOfBatch(await plugin.query({ ...call, query }))[0]?.[0];
    };

    test("a push that exceeds its deadline is stopped on the server before the host counts the rows", async () => {
      const { plugin, database, close } = await openClickhouseStore();
      try {
        await create(plugin, "slow");
        // Each block of the insert waits on the server.
        await database.run("alter table slow add constraint waits check sleep(1.5) = 0");
        const deadline = new AbortController();
        const push = failureOf(append(plugin, "slow", deadline.signal));
        const running = `select count() from system.processes where query like 'insert into%${database.database}%' and query not like '%system.processes%'`;
        while ((await database.run(running)).trim() === "0") await sleep(10);
        deadline.abort(new Error("too late"));
        const counted = await settle(plugin, "slow");
        assert.is(
          (await database.run(running)).trim(),
          "0",
          "no insert is running when rows are counted",
        );
        await push;
        assert.is(await countOf(plugin, "slow"), counted);
        await database.run("alter table slow drop constraint waits");
        assert.is((await append(plugin, "slow"))?.rowCount, Number(counted) + rowCount);
      } finally {
        await close();
      }
    });

    test("before a host counts rows, it waits for a push that another host abandoned but could not stop", async () => {
      const { plugin, database, close } = await openClickhouseStore();
      const proxy = await openProxy({ host: database.host, port: database.port });
      const other = await openStore({
        url: clickhouseUrl(proxy, database.admin),
        database: database.database,
        timeoutMs: 60_000,
        sizeBytes: 2 ** 26,
      });
      try {
        await create(plugin, "slow");
        await database.run("alter table slow add constraint waits check sleep(2) = 0");
        const deadline = new AbortController();
        const push = failureOf(append(other, "slow", deadline.signal));
        const running = `select count() from system.processes where query like 'insert into%${database.database}%' and query not like '%system.processes%'`;
        while ((await database.run(running)).trim() === "0") await sleep(10);
        // The network between the hosts and the server fails without closing connections.
        proxy.stall(true);
        deadline.abort(new Error("too late"));
        assert.is(await settle(plugin, "slow"), rowCount, "the rows arrived and are counted");
        assert.is(await countOf(plugin, "slow"), rowCount);
        proxy.cut();
        proxy.stall(false);
        await push;
      } finally {
        await other.close?.();
        await proxy.close();
        await close();
      }
    });
  },
  needsClickhouse,
);
