import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { openTenantHost, type TenantHost } from "../../core/transfer/openTenantHost.ts";
import { suite } from "../../support/suite.ts";

type Json = Readonly<Record<string, unknown>>;

suite("connectors/rest over HTTP", (test) => {
  let server: Server;
  let host: TenantHost;
  let base: string;
  const call = async (resource: string, action: string, more: object): Promise<Json> => {
    const { key, token } = host;
    const response = await fetch(`${host.url}/0.1.0/${resource}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ action, version: "0.1.0", key, token, ...more }),
    });
    return (await response.json()) as Json;
  };
  test.before(async () => {
    server = createServer((request, response) => {
      const isKnown = request.headers.authorization === "Bearer canary-key";
      const page = Number(new URL(request.url ?? "/", base).searchParams.get("page"));
      const rows = [
        { place: { city: "Ghent" }, km: 1.5 },
        { place: { city: "Mons" }, km: 2 },
        { place: { city: "Ghent" }, km: 4 },
      ].slice(page - 1, page);
      response.statusCode = isKnown ? 200 : 401;
      response.end(JSON.stringify({ data: isKnown ? rows : "canary-body" }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    base = `http://127.0.0.1:${port}`;
    host = await openTenantHost({ egressAllow: [`127.0.0.1:${port}`] });
  });
  test.after(async () => {
    await host.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const api = JSON.stringify({
    authentication: { type: "bearer" },
    datasets: {
      trips: {
        path: "/trips",
        rows: "data",
        pages: { type: "number", parameter: "page" },
        columns: { city: { type: "text", at: "place.city" }, km: "number" },
      },
    },
  });
  const connect = (token: string, address = base) =>
    call("account", "create", {
      properties: { provider: "rest", name: "trips", host: address, token, properties: { api } },
    });

  test("an API is described, connected and asked, and its key is in no answer", async () => {
    const account = await connect("canary-key");
    const made = (await call("dataprovider", "create", {
      properties: {
        provider: "rest",
        account_id: account["id"],
        tables: [{ schema: "main", table: "trips" }],
      },
    })) as unknown as { data: readonly { id: string; columns: readonly Json[] }[] };
    const [dataset] = made.data;
    const referTo = (name: string) => ({
      dataset_id: dataset!.id,
      column_id: dataset!.columns.find((each) => each["source_name"] === name)!["id"],
    });
    const find = {
      dimensions: [referTo("city")],
      measures: [{ ...referTo("km"), aggregation: { type: "sum" } }],
    };
    const { data } = (await call("data", "get", { find })) as { data: [{ id: string }, number][] };
    assert.equal(
      data.map(([{ id }, km]) => [id, km]),
      [
        ["Ghent", 5.5],
        ["Mons", 2],
      ],
    );
    assert.not.match(JSON.stringify([account, made]), "canary");
  });

  test("a wrong key, and an address that the guard refuses, are refused by name", async () => {
    const wrong = JSON.stringify(await connect("canary-wrong"));
    assert.match(wrong, "answered 401");
    const inner = JSON.stringify(await connect("canary-key", "http://127.0.0.1:1"));
    assert.match(inner, "MANIFOLD_EGRESS_ALLOW");
    assert.not.match(wrong + inner, "canary");
  });
});
