import { createServer, connect, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { openStore } from "../../../../connectors/clickhouse/index.ts";
import { rowsOfBatch, type Plugin } from "../../../../plugins/protocol/index.ts";
import { needsClickhouse, openClickhouseDatabase } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseServer, type ClickhouseUser } from "../../../support/clickhouseServer.ts";
import { clickhouseUrl } from "../../../support/clickhouseStore.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const call = { credentials: { properties: {} }, signal: new AbortController().signal };
const size = 2000;
const killCount = rounds({ quick: 2, deep: 6, soak: 300 });

/** Returns whether a promise is already settled. */
const isOver = (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => true), Promise.resolve(false)]);

/** Opens a proxy to a server. The proxy can discard the server's responses. */
async function openCut(to: { readonly host: string; readonly port: number }) {
  const sockets = new Set<Socket>();
  let lossCount = 0;
  const server = createServer((incoming) => {
    const outgoing = connect(to.port, to.host);
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.once("close", () => {
        sockets.delete(socket);
        incoming.destroy();
        outgoing.destroy();
      });
    }
    incoming.pipe(outgoing);
    outgoing.on("data", (answer: Buffer) => {
      if (lossCount === 0) return void incoming.write(answer);
      lossCount--;
      incoming.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: "127.0.0.1",
    port,
    /** Discards the next responses and closes their connections. */
    lose(count: number) {
      lossCount = count;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

suite(
  "connectors/clickhouse/store with lost connections and killed servers",
  (test) => {
    const open = (
      at: { readonly host: string; readonly port: number },
      admin: ClickhouseUser,
      database: string,
    ) =>
      openStore({
        url: clickhouseUrl(at, admin),
        database,
        timeoutMs: 60_000,
        sizeBytes: 2 ** 26,
      });
    const create = async (plugin: Plugin) => {
      const columns = [{ id: "push", type: "numeric" as const }];
      await plugin.write?.({ ...call, write: { action: "create", id: "t", columns } });
    };
    const change = (plugin: Plugin, action: "append" | "replace", push: number) => {
      const values = new Float64Array(size).fill(push);
      const batch = { rowCount: size, columns: [{ type: "numeric" as const, values }] };
      const rows = { columnIds: ["push"], batch };
      return plugin.write?.({ ...call, write: { action, id: "t", rows } });
    };
    const counts = async (plugin: Plugin) => {
      const query = {
        id: "t",
        columns: [{ column_id: "push" }, { column_id: "*", aggregation: "count" as const }],
        filters: [],
        order: [{ column: 0, order: "asc" as const }],
        options: { pushdown: true },
      };
      return rowsOfBatch(await plugin.query({ ...call, query }));
    };

    test("appends and replaces are stored once even if the server's responses are lost", async () => {
      const database = await openClickhouseDatabase();
      const cut = await openCut(database);
      const plugin = await open(cut, database.admin, database.database);
      try {
        await create(plugin);
        for (let push = 0; push < 12; push++) {
          // In each round, the discarded response belongs to a different statement of the write.
          if (push % 2 === 1) setImmediate(() => cut.lose(1 + (push % 3)));
          else cut.lose(1);
          await change(plugin, push === 6 ? "replace" : "append", push);
        }
        cut.lose(0);
        const expected = [6, 7, 8, 9, 10, 11].map((push) => [push, size]);
        assert.equal(await counts(plugin), expected);
      } finally {
        await plugin.close?.();
        await cut.close();
        await database.close();
      }
    });

    test.deep(
      "after a server is killed during appends and restarted, each append is stored once",
      async () => {
        const random = createRandom();
        const server = await openClickhouseServer();
        const run = async () => {
          const plugin = await open(server, server.admin, "killed");
          await create(plugin);
          let push = 0;
          let isDone = false;
          const acknowledged: number[] = [];
          const pushing = (async () => {
            while (!isDone) {
              const number = push++;
              const failure = await change(plugin, "append", number)?.then(
                () => undefined,
                (thrown: unknown) => thrown,
              );
              if (!failure) acknowledged.push(number);
              // The server was down before the first attempt of the statement, so these rows are missing.
              else if (!/refused the connection/.test(String(failure))) return failure;
            }
            return undefined;
          })();
          for (let kill = 0; kill < killCount; kill++) {
            const before = acknowledged.length;
            while (acknowledged.length < before + 2 && !(await isOver(pushing))) await sleep(5);
            await sleep(random.below(60));
            await server.restart();
          }
          isDone = true;
          assert.is(await pushing, undefined);
          const found = await counts(plugin);
          await plugin.close?.();
          assert.equal(
            found,
            acknowledged.map((number) => [number, size]),
          );
          assert.ok(acknowledged.length >= 2 * killCount);
        };
        try {
          await withSeed(random, run);
        } finally {
          await server.close();
        }
      },
    );
  },
  needsClickhouse,
);
