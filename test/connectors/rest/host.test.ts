import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { openTenantHost, type TenantHost } from "../../core/operating/transfer/openTenantHost.ts";
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
      const to = new URL(request.url ?? "/", base).searchParams.get("to");
      if (to !== null) return void response.writeHead(302, { location: to }).end();
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
  const connect = (token: string, address = base, described = api) =>
    call("account", "create", {
      properties: {
        provider: "rest",
        name: "trips",
        host: address,
        token,
        properties: { api: described },
      },
    });

  test("an API can be connected and queried, and no response shows its key", async () => {
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

  test("the error names the cause if the key is wrong or the egress guard refuses the address", async () => {
    const wrong = JSON.stringify(await connect("canary-wrong"));
    assert.match(wrong, "returned status 401");
    const inner = JSON.stringify(await connect("canary-key", "http://127.0.0.1:1"));
    assert.match(inner, "MANIFOLD_EGRESS_ALLOW");
    assert.not.match(wrong + inner, "canary");
  });

  test("a redirect to a private address fails before that address gets a request", async () => {
    const requested: (string | undefined)[] = [];
    const inner = createServer((request, response) => {
      requested.push(request.url);
      response.end("[]");
    });
    await new Promise<void>((resolve) => inner.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = inner.address() as AddressInfo;
      for (const [at, to] of [
        `http://127.0.0.1:${port}/`,
        `http://localhost:${port}/`,
        `http://[::ffff:127.0.0.1]:${port}/`,
        `http://2130706433:${port}/`,
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
        "https://192.168.0.1/",
        "https://[fd00::1]/",
      ].entries()) {
        const columns = { km: "number" };
        const away = { path: "/away", query: { to }, columns };
        const answer = JSON.stringify(
          await connect("canary-key", base, JSON.stringify({ datasets: { away } })),
        );
        assert.match(answer, "MANIFOLD_EGRESS_ALLOW", `${at}: ${to}`);
        assert.not.match(answer, "canary");
      }
      assert.equal(requested, []);
    } finally {
      inner.closeAllConnections();
      await new Promise((resolve) => inner.close(resolve));
    }
  });
});
