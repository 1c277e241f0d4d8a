import * as assert from "uvu/assert";
import { openStore } from "../../../../connectors/clickhouse/index.ts";
import { rowsOfBatch, type Plugin } from "../../../../plugins/protocol/index.ts";
import { needsClickhouse } from "../../../support/clickhouseDatabase.ts";
import {
  openClickhouseServer,
  type OpenClickhouseServer,
} from "../../../support/clickhouseServer.ts";
import { clickhouseUrl } from "../../../support/clickhouseStore.ts";
import { openProxy } from "../../../support/openProxy.ts";
import { createRandom } from "../../../support/random.ts";
import { needsSmallDisk, openSmallDisk } from "../../../support/smallDisk.ts";
import { suite } from "../../../support/suite.ts";

const credentials = { properties: {} };
const call = { credentials, signal: new AbortController().signal };
const database = "faults";
const diskMb = 320;

const open = (at: { readonly host: string; readonly port: number }, to: OpenClickhouseServer) =>
  openStore({
    url: clickhouseUrl(at, to.admin),
    database,
    timeoutMs: 60_000,
    sizeBytes: 2 ** 26,
  });
const create = async (plugin: Plugin, id: string) => {
  const columns = [
    { id: "push", type: "numeric" as const },
    { id: "n", type: "numeric" as const },
  ];
  await plugin.write?.({ ...call, write: { action: "create", id, columns } });
};
const append = (
  plugin: Plugin,
  id: string,
  { push, size, signal = call.signal }: { push: number; size: number; signal?: AbortSignal },
) => {
  const random = createRandom(push);
  const columns = [
    { type: "numeric" as const, values: new Float64Array(size).fill(push) },
    {
      type: "numeric" as const,
      values: Float64Array.from({ length: size }, () => random.below(2 ** 30) / 7),
    },
  ];
  const rows = { columnIds: ["push", "n"], batch: { rowCount: size, columns } };
  return Promise.resolve(
    plugin.write?.({ credentials, signal, write: { action: "append", id, rows } }),
  );
};
const counts = async (plugin: Plugin, id: string) => {
  const query = {
    id,
    columns: [{ column_id: "push" }, { column_id: "*", aggregation: "count" as const }],
    filters: [],
    order: [{ column: 0, order: "asc" as const }],
    options: { pushdown: true },
  };
  return rowsOfBatch(await plugin.query({ ...call, query }));
};
const settle = async (plugin: Plugin, id: string) =>
  (await plugin.write?.({ ...call, write: { action: "alter", id, add: [] } }))?.rowCount;

suite(
  "connectors/clickhouse/store with a full disk",
  (test) => {
    test.deep(
      "a push that does not fit on the server's disk stores nothing, and pushes succeed again once there is space",
      async () => {
        const disk = await openSmallDisk(diskMb);
        const server = await openClickhouseServer({ folder: disk.folder });
        const plugin = await open(server, server);
        const size = 1_500_000;
        try {
          await create(plugin, "other");
          await append(plugin, "other", { push: 1, size });
          await create(plugin, "t");
          let push = 0;
          let failure: Error | undefined;
          for (; !failure && push < 60; push++)
            failure = await append(plugin, "t", { push, size }).then(
              () => undefined,
              (thrown: Error) => thrown,
            );
          assert.match(
            String(failure),
            "its disk is full; free some space there, then send the call",
          );
          assert.match(String(failure), `127.0.0.1:${server.port}`);
          const there = Array.from({ length: push - 1 }, (_, each) => [each, size]);
          assert.equal(await counts(plugin, "t"), there);
          assert.is(await settle(plugin, "t"), (push - 1) * size);
          await plugin.write?.({ ...call, write: { action: "drop", id: "other" } });
          await append(plugin, "t", { push: 100, size: 1000 });
          assert.equal(await counts(plugin, "t"), [...there, [100, 1000]]);
        } finally {
          await plugin.close?.();
          await server.close();
          await disk.close();
        }
      },
    );
  },
  needsClickhouse.missing === undefined ? needsSmallDisk : needsClickhouse,
);

suite(
  "connectors/clickhouse/store, faults",
  (test) => {
    for (const direction of ["requests", "answers"] as const)
      test.deep(
        `a push over a network that loses ${direction} fails at its deadline, and stores all or none of its rows`,
        async () => {
          const server = await openClickhouseServer();
          const proxy = await openProxy({ host: server.host, port: server.port });
          const plugin = await open(proxy, server);
          const direct = await open(server, server);
          try {
            await create(direct, "t");
            await append(plugin, "t", { push: 0, size: 10 });
            const deadline = new AbortController();
            proxy.stall(direction);
            const lost = append(plugin, "t", { push: 1, size: 10, signal: deadline.signal }).then(
              () => "it was acknowledged",
              String,
            );
            // The deadline is long enough for any statement that succeeds.
            for (let round = 0; round < 20; round++) await settle(direct, "t");
            deadline.abort(new Error("too late"));
            assert.match(await lost, /too late/);
            proxy.cut();
            proxy.stall(false);
            const counted = await settle(direct, "t");
            assert.is(counted, 10, "its first statement did not reach the server");
            assert.equal(await counts(direct, "t"), [[0, 10]]);
            await append(plugin, "t", { push: 2, size: 10 });
            assert.equal(await counts(plugin, "t"), [
              [0, 10],
              [2, 10],
            ]);
          } finally {
            await plugin.close?.();
            await direct.close?.();
            await proxy.close();
            await server.close();
          }
        },
      );
  },
  needsClickhouse,
);
