import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as assert from "uvu/assert";
import { type Client, ClientError, createClient } from "../../../core/web/client/index.ts";
import { openHost, type Host } from "../../../core/host.ts";
import { openTestCatalog, type TestCatalog } from "../../support/catalog.ts";
import { send } from "../../support/fakeApp.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { testOptions } from "../../support/openTestHost.ts";

interface Pushed {
  readonly rows: readonly { readonly id: string; readonly rows: number }[];
}

/** Opens a proxy to a server. Closing the proxy breaks its connections. It can be opened again afterwards. */
async function openWay(socketPath: string) {
  const through = new Set<Socket>();
  const way = createServer((incoming) => {
    const outgoing = connect(socketPath);
    for (const socket of [incoming, outgoing]) {
      through.add(socket);
      socket.on("error", () => undefined).on("close", () => through.delete(socket));
    }
    incoming.pipe(outgoing).pipe(incoming);
  });
  await once(way.listen(0, "127.0.0.1"), "listening");
  const { port } = way.address() as AddressInfo;
  return {
    port,
    async close() {
      const closed = once(way, "close");
      way.close();
      for (const socket of through) socket.destroy();
      await closed;
    },
    async open() {
      await once(way.listen(port, "127.0.0.1"), "listening");
    },
  };
}

suite("core/host: the catalog's database becomes unavailable", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-away-"));
  let catalog: TestCatalog;
  let way: Awaited<ReturnType<typeof openWay>>;
  let host: Host;
  let client: Client;
  test.before(async () => {
    catalog = await openTestCatalog();
    const url = new URL(catalog.databaseUrl);
    const folder = decodeURIComponent(url.host.split(":")[0] ?? "");
    way = await openWay(`${folder}/.s.PGSQL.5432`);
    host = await openHost({
      ...testOptions,
      dataDir: join(dataDir, "given"),
      databaseUrl: `postgresql://${url.username}:${url.password}@127.0.0.1:${way.port}${url.pathname}`,
      secret: "a secret of the tests only",
    });
    client = clientOf(host);
  });
  test.after(async () => {
    await host.close();
    await way.close();
    await catalog.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const clientOf = ({ url, madeCredentials }: Host) =>
    createClient({ url, ...(madeCredentials ?? { key: "", token: "" }) });
  const ready = async ({ url }: Host) => {
    const answer = await send(`${url}/readyz`, { method: "GET" });
    return { status: answer.status, ...(answer.json() as object) };
  };

  test("calls fail with 503 and Retry-After while the database is down, and succeed afterwards", async () => {
    const [made] = (await client.create<Pushed>("data", { type: "create", data: [["a"]] })).rows;
    const { jobs, ...state } = (await ready(host)) as Record<string, unknown>;
    const there = { status: "ready", catalog: "ok", store: "ok" };
    assert.equal(state, there);
    assert.type(jobs, "object");
    await way.close();
    const body = JSON.stringify({ action: "get", ...host.madeCredentials });
    for (const resource of ["securable", "account"]) {
      const answer = await send(`${host.url}/0.1.0/${resource}`, { body });
      assert.is(answer.status, 503);
      assert.is((answer.json() as { type: { code: string } }).type.code, "CATALOG_UNAVAILABLE");
      assert.match(String(answer.headers["retry-after"]), /^\d+$/);
    }
    // A load balancer must not remove a host merely because the database restarts.
    assert.is((await ready(host)).status, "ready");
    await way.open();
    const more = await client.create<Pushed>("data", { securable_id: made?.id, data: [["b"]] });
    assert.is(more.rows[0]?.rows, 2);
  });

  test.deep(
    "a killed embedded server restarts during pushes without losing an acknowledged row",
    async () => {
      const folder = join(dataDir, "embedded");
      const embedded = await openHost({
        dataDir: folder,
        port: 0,
        logLevel: "silent",
        workers: 1,
        callsPerSecond: 0,
      });
      try {
        const owner = clientOf(embedded);
        const serverId = () =>
          Number(readFileSync(join(folder, "catalog/postmaster.pid"), "utf8").split("\n")[0]);
        const [made] = (await owner.create<Pushed>("data", { type: "create", data: [["a"]] })).rows;
        const id = made?.id ?? "";
        const push = () => owner.create<Pushed>("data", { securable_id: id, data: [["b"]] });
        const isAway = (failure: unknown) =>
          failure instanceof ClientError && failure.status === 503;
        const killedId = serverId();
        let acknowledgedCount = 1;
        let sentCount = 1;
        const writer = async () => {
          for (let turn = 0; turn < rounds({ quick: 3, deep: 6 }); turn++) {
            sentCount++;
            await push().then(
              () => acknowledgedCount++,
              (failure: unknown) => assert.ok(isAway(failure), String(failure)),
            );
          }
        };
        const writers = [writer(), writer(), writer(), writer()];
        await pause(20);
        process.kill(killedId, "SIGKILL");
        await Promise.all(writers);
        // Repeats until the server is back and has settled the unfinished changes.
        for (;;)
          try {
            const count = { dataset_id: id, column_id: "*", aggregation: "count" };
            const answer = await owner.get<{ data: [[number]] }>("data", { measures: [count] });
            const find = { where: { id }, attributes: ["rows"] };
            const { rows } = await owner.get<Pushed>("securable", find);
            const [[rowCount]] = answer.data;
            assert.ok(rowCount >= acknowledgedCount && rowCount <= sentCount, `${rowCount} rows`);
            if (rows[0]?.rows === rowCount) break;
            await pause(50);
          } catch (failure) {
            if (!isAway(failure)) throw failure;
            await pause(20);
          }
        assert.is.not(serverId(), killedId);
        await push();
      } finally {
        await embedded.close();
      }
    },
  );
});
