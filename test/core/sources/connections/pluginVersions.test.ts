import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import * as assert from "uvu/assert";
import type { Host } from "../../../../core/host.ts";
import { type Client, createClient } from "../../../../core/web/client/index.ts";
import { definePlugin, serve, type Served } from "../../../../plugins/sdk/index.ts";
import { openLegacyPlugin } from "../../../support/legacyPlugin.ts";
import { joinSharedHost } from "../../../support/joinSharedHost.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { suite } from "../../../support/suite.ts";

type Json = Readonly<Record<string, unknown>>;
interface Made extends Json {
  readonly id: string;
  readonly protocol_version: string | null;
  readonly answered_version: string | null;
  readonly warnings?: readonly string[];
}
interface Answer {
  readonly data: readonly (readonly unknown[])[];
  readonly explain: {
    readonly datasets: readonly { readonly protocol?: string }[];
    readonly steps: readonly Json[];
    readonly pushdown: readonly Json[];
  };
}

const columns = [
  { id: "city", name: "City", type: "hierarchy" },
  { id: "km", name: "Km", type: "numeric" },
] as const;
const rows = [
  ["Ghent", 3],
  ["Lille", 5],
  ["Ghent", 1],
] as const;

/** A plugin that offers `=`, but no other operator that could replace it. */
const plain = createPlainPlugin({
  projection: true,
  filters: { operators: { "=": ["hierarchy"] } },
  grouping: { aggregations: ["sum", "count"], levels: [] },
});
plain.fill("trips", columns, rows);
const equality = definePlugin({
  datasets: [{ id: "trips", columns }],
  capabilities: plain.capabilities,
  query: (call) => plain.query(call),
});
const trips = { id: "trips", name: { en: "Trips" }, columns, rows };

suite("core/sources/connections/pluginVersions", (test) => {
  const closing: (() => Promise<void>)[] = [];
  let host: Host;
  let client: Client;
  let count = 0;
  test.before(async () => {
    host = await joinSharedHost();
    const { key, token } = host.madeCredentials ?? { key: "", token: "" };
    client = createClient({ url: host.url, key, token });
  });
  test.after(async () => {
    for (const close of closing) await close();
    await host.close();
  });

  const open = async (secret?: string): Promise<Served> => {
    const served = await serve(equality, { ...(secret !== undefined && { secret }) });
    closing.push(served.close);
    return served;
  };
  const register = (base_url: string, more: Json = {}): Promise<Made> =>
    client.create<Made>("plugin", {
      slug: `versions${++count}`,
      name: { en: "Versions" },
      base_url,
      ...more,
    });
  const read = async (id: string): Promise<Made> => {
    const found = await client.get<{ rows: Made[] }>("plugin", { where: { id } });
    return found.rows[0]!;
  };
  /** Creates a dataset of a plugin, and returns a function that queries it by city. */
  const connect = async ({ slug }: Made) => {
    const account = await client.create<Made>("account", { provider: slug, name: "x" });
    const { data } = await client.create<{
      data: { id: string; columns: { id: string; source_name: string }[] }[];
    }>("dataprovider", { provider: slug, account_id: account.id, datasets: ["trips"] });
    const [dataset] = data;
    const column = (name: string) => ({
      dataset_id: dataset?.id ?? "",
      column_id: dataset?.columns.find((each) => each.source_name === name)?.id ?? "",
    });
    return async (expression = "? = ?", value: unknown = "Ghent"): Promise<Answer> => {
      const find = {
        measures: [{ ...column("km"), aggregation: { type: "sum" as const } }],
        where: [{ expression, parameters: [column("city"), value] }],
      };
      const { data } = await client.get<Pick<Answer, "data">>("data", find);
      const explained: unknown = await client.call("data", "explain", { find } as never);
      return { data, ...(explained as Pick<Answer, "explain">) };
    };
  };
  const close = (server: Server) =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  /** Serves one answer to GET /capabilities; other requests get 404. */
  const answering = async (answer: (response: ServerResponse) => void): Promise<string> => {
    const server = createServer((request, response) => {
      if (request.url === "/capabilities") answer(response);
      else response.writeHead(404).end("<html>no</html>");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    closing.push(() => close(server));
    const address = server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  };

  test("the host requests a plugin's version if the plugin's record names none, and pushes down a filter that the plugin offers", async () => {
    const made = await register((await open()).url);
    assert.equal([made.protocol_version, made.answered_version], [null, "manifold-1"]);
    assert.is(made.warnings, undefined);
    const { data, explain } = await (await connect(made))();
    assert.equal(data, [[4]]);
    assert.is(explain.datasets[0]?.protocol, "manifold-1");
    assert.equal(
      explain.pushdown.map(({ pushdown }) => pushdown),
      ["superset"],
    );
  });

  test("a plugin that could not be reached when it was registered is asked for its version at the first call", async () => {
    const first = await serve(equality);
    const { port } = new URL(first.url);
    await first.close();
    const made = await register(first.url);
    assert.is(made.answered_version, null);
    assert.match(made.warnings?.[0] ?? "", /^the plugin cannot be reached yet: .*refused the conn/);
    const again = await serve(equality, { port: Number(port) });
    closing.push(again.close);
    assert.equal((await (await connect(made))()).data, [[4]]);
    assert.is((await read(made.id)).answered_version, "manifold-1");
  });

  test("a plugin that refused the host is asked for its version again once it accepts the secret", async () => {
    const made = await register((await open("another-secret")).url);
    assert.is(made.answered_version, null);
    assert.match(made.warnings?.[0] ?? "", "the plugin refuses the host");
    const changed = await client.update<Made>("plugin", made.id, { new_secret: "another-secret" });
    assert.is(changed.answered_version, "manifold-1");
    assert.is(changed.warnings, undefined);
  });

  test("if a record names an older version than the plugin speaks, answers and explanations are still correct", async () => {
    for (const pushdown of [false, true]) {
      const made = await register((await open()).url, { protocol_version: "3.0.0", pushdown });
      const mismatch =
        "the record says 3.0.0, but the plugin reports manifold-1; remove protocol_version or set it to manifold-1";
      assert.equal(made.warnings, [mismatch]);
      assert.equal((await read(made.id)).warnings, [mismatch]);
      const find = await connect(made);
      const { data, explain } = await find();
      assert.equal(data, [[4]], `pushdown ${pushdown}`);
      // Basic plugins receive filters only as a hint, so a plugin that refuses them is called without.
      if (!pushdown) assert.equal((await find("? in ?", ["Ghent", "Lille"])).data, [[9]]);
      assert.is(explain.datasets[0]?.protocol, "3.0.0");
      const reasons = JSON.stringify([explain.steps, explain.pushdown]);
      if (!pushdown)
        assert.match(reasons, `${mismatch}; until then, protocol 3.0.0 does not offer`);
      assert.not.match(reasons, "the plugin does not promise");
      const healed = await client.update<Made>("plugin", made.id, { protocol_version: null });
      assert.is(healed.warnings, undefined);
    }
  });

  test("a plugin with a numbered protocol version is called in that version, even if the plugin's record names none", async () => {
    for (const protocol_version of [undefined, "3.0.0"]) {
      const plugin = await openLegacyPlugin({
        version: "3.0.0",
        pushdown: true,
        datasets: [trips],
      });
      closing.push(plugin.close);
      const made = await register(plugin.url, { pushdown: true, protocol_version });
      assert.is(made.answered_version, "3.0.0");
      assert.is(made.warnings, undefined);
      const { data, explain } = await (await connect(made))();
      assert.equal(data, [[4]]);
      assert.is(explain.datasets[0]?.protocol, "3.0.0");
      const asked = plugin.requests.filter(({ path }) => path === "/capabilities");
      assert.ok(asked.every(({ body }) => body === undefined));
      assert.is(asked.length, protocol_version === undefined ? 2 : 1);
    }
  });

  test("after a plugin's address changes, the host requests the version of the plugin at the new address", async () => {
    const old = await openLegacyPlugin({ version: "3.0.0", pushdown: false, datasets: [trips] });
    closing.push(old.close);
    const made = await register(old.url);
    assert.is(made.answered_version, "3.0.0");
    const find = await connect(made);
    assert.equal((await find()).data, [[4]]);
    const base_url = (await open()).url;
    const moved = await client.update<Made>("plugin", made.id, {
      base_url,
      new_secret: "x".repeat(9),
    });
    assert.is(moved.answered_version, "manifold-1");
  });

  for (const [what, answer, version] of [
    ["status 404", (to: ServerResponse) => to.writeHead(404).end("no"), "3.0.0"],
    ["status 400", (to: ServerResponse) => to.writeHead(400).end('{"message":"no"}'), "3.0.0"],
    ["an HTML page", (to: ServerResponse) => to.end("<html></html>"), "3.0.0"],
    ["a list", (to: ServerResponse) => to.end("[]"), "3.0.0"],
    ["some JSON", (to: ServerResponse) => to.end('{"ok":true}'), "3.0.0"],
    ["a redirect", (to: ServerResponse) => to.writeHead(302, { Location: "/" }).end(), "3.0.0"],
    ["no capabilities", (to: ServerResponse) => to.end("{}"), "manifold-1"],
    ["capabilities", (to: ServerResponse) => to.end('{"projection":true}'), "manifold-1"],
    ["status 500", (to: ServerResponse) => to.writeHead(500).end("down"), null],
    ["status 503", (to: ServerResponse) => to.writeHead(503).end(), null],
    ["nothing but a closed socket", (to: ServerResponse) => to.destroy(), null],
  ] as const)
    test(`a plugin that answers /capabilities with ${what} counts as ${version ?? "unknown"}`, async () => {
      const url = await answering((response) => void answer(response));
      assert.is((await register(url)).answered_version, version);
      // An empty object is no capability of a plugin whose record claims pushdown.
      const claims = await register(url, { pushdown: true });
      assert.is(claims.answered_version, what === "no capabilities" ? "3.0.0" : version);
    });

  test("malformed capabilities are reported when the plugin is registered", async () => {
    const url = await answering((response) => response.end('{"filters":{"operators":["="]}}'));
    const { answered_version, warnings } = await register(url);
    assert.is(answered_version, "manifold-1");
    assert.match(warnings?.[0] ?? "", "/capabilities is not valid at /filters/operators");
  });

  test("an old plugin that never answers an unknown route is registered, and its calls are not delayed", async () => {
    const plugin = await openLegacyPlugin({ version: "3.0.0", pushdown: false, datasets: [trips] });
    closing.push(plugin.close);
    for (let times = 0; times < 2; times++) plugin.answerNext("/capabilities", () => {});
    const made = await register(plugin.url);
    assert.match(made.warnings?.[0] ?? "", "/capabilities did not answer within 4 s");
    const find = await connect(made);
    assert.equal((await find()).data, [[4]]);
    const asked = () => plugin.requests.filter(({ path }) => path === "/capabilities").length;
    const before = asked();
    await find("? in ?", ["Lille"]);
    assert.is(asked(), before);
  });
});
