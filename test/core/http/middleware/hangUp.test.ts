import { once } from "node:events";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { tableFromIPC } from "apache-arrow";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import type { Host } from "../../../../core/host.ts";
import { openTestHost } from "../../../support/openTestHost.ts";
import { send } from "../../../support/fakeApp.ts";
import { suite } from "../../../support/suite.ts";

const trips = {
  id: "public.trips",
  name: { en: "Trips" },
  columns: [
    { id: "city", name: { en: "City" }, type: "hierarchy" },
    { id: "km", name: { en: "Km" }, type: "numeric" },
  ],
};

suite("core/host: clients that disconnect, and clients that read Arrow", (test) => {
  /** Resolve it to let the plugin answer its queries. */
  const answerNow = Promise.withResolvers<void>();
  const queried = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const answerSlowly = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    incoming.resume();
    if (incoming.url === "/query") {
      queried.resolve();
      outgoing.once("close", () => left.resolve());
      await answerNow.promise;
      outgoing.end(
        JSON.stringify([
          ["Ghent", 3],
          ["Lille", null],
        ]),
      );
    } else outgoing.end(JSON.stringify(incoming.url === "/datasets" ? [trips] : {}));
  };
  // If answering fails, the unhandled rejection ends the test file.
  const slow = createServer((incoming, outgoing) => void answerSlowly(incoming, outgoing));
  let host: Host;
  let client: Client;
  let find: object;
  let body: string;

  test.before(async () => {
    slow.listen(0, "127.0.0.1");
    await once(slow, "listening");
    host = await openTestHost({
      workers: 2,
      egressAllow: ["127.0.0.1"],
      pluginTimeoutMs: 60_000,
    });
    const { key, token } = host.madeCredentials ?? { key: "", token: "" };
    client = createClient({ url: host.url, key, token });
    await client.create("plugin", {
      slug: "slow",
      name: { en: "slow" },
      base_url: `http://127.0.0.1:${(slow.address() as AddressInfo).port}`,
      protocol_version: "3.0.0",
      authorize: "host/key/token",
    });
    const account = await client.create<{ id: string }>("account", { provider: "slow", name: "s" });
    const { data } = await client.create<{
      data: { id: string; columns: { id: string; source_name: string }[] }[];
    }>("dataprovider", { account_id: account.id, provider: "slow", datasets: [trips.id] });
    const [dataset] = data;
    const dimensions = dataset?.columns.map(({ id }) => ({
      column_id: id,
      dataset_id: dataset.id,
    }));
    find = { dimensions, options: { rollup_data: false, cells: "plain" } };
    body = JSON.stringify({ action: "get", find, key, token, version: "0.1.0" });
  });
  test.after(async () => {
    answerNow.resolve();
    slow.close();
    slow.closeAllConnections();
    await host.close();
  });

  test("when a client disconnects, its request to an HTTP plugin is aborted long before the deadline", async () => {
    const outgoing = httpRequest(`${host.url}/0.1.0/data`, { method: "POST" });
    outgoing.on("error", () => undefined);
    outgoing.end(body);
    await queried.promise;
    const leftAt = performance.now();
    outgoing.destroy();
    await left.promise;
    const tookMs = performance.now() - leftAt;
    assert.ok(tookMs < 30_000, `${tookMs} ms of the plugin's 60,000 ms`);
  });

  test("a query whose client stays connected gets its answer as JSON or Arrow", async () => {
    answerNow.resolve();
    const answer = await client.get<{ data: unknown[][] }>("data", find as Record<string, unknown>);
    assert.equal(answer.data, [
      ["Ghent", 3],
      ["Lille", null],
    ]);
    const accept = { Accept: "application/vnd.apache.arrow.stream" };
    const arrow = await send(`${host.url}/0.1.0/data`, { headers: accept, body });
    assert.is(arrow.headers["content-type"], accept.Accept);
    const table = tableFromIPC(arrow.bytes);
    assert.equal(
      table.toArray().map((row) => (row as { toJSON(): unknown }).toJSON()),
      [
        { City: "Ghent", Km: 3 },
        { City: "Lille", Km: null },
      ],
    );
  });
});
