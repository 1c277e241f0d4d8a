import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import { openHost, type Host } from "../../../../core/host.ts";
import { type LegacyPlugin, openLegacyPlugin } from "../../../support/legacyPlugin.ts";
import { refused } from "../../../support/refused.ts";
import { openTestDatabase } from "../../../support/catalog.ts";
import { testSecret } from "../../../support/openTestHost.ts";
import { suite } from "../../../support/suite.ts";

interface Account {
  readonly id: string;
  readonly invalid: boolean | null;
}

suite("core/host: MANIFOLD_SECRET is lost or changed", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-secret-"));
  const pair = { key: "", token: "" };
  let secret = testSecret;
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let lines: { readonly level: number; readonly msg: string }[] = [];
  let plugin: LegacyPlugin;
  let host: Host;
  let client: Client;
  let account: Account;
  let pluginId: string;
  const start = async () => {
    lines = [];
    host = await openHost({
      dataDir,
      databaseUrl: database.databaseUrl,
      secret,
      port: 0,
      workers: 1,
      egressAllow: ["127.0.0.1"],
      callsPerSecond: 0,
      logger: pino({ level: "warn" }, { write: (line) => void lines.push(JSON.parse(line)) }),
    });
    Object.assign(pair, host.madeCredentials);
    client = createClient({ url: host.url, ...pair });
  };
  const accounts = async () =>
    (await client.get<{ rows: Account[] }>("account", { where: { id: account.id } })).rows;
  const offered = () => client.get("dataprovider", { provider: "trips", account_id: account.id });

  test.before(async () => {
    plugin = await openLegacyPlugin({
      version: "3.0.0",
      pushdown: false,
      datasets: [{ id: "trips", name: { en: "Trips" }, columns: [], rows: [] }],
      authorize: { key: "ada", token: "a-password" },
    });
    database = await openTestDatabase();
    await start();
    const made = await client.create<{ id: string }>("plugin", {
      slug: "trips",
      name: { en: "Trips" },
      base_url: plugin.url,
      protocol_version: "3.0.0",
      authorize: "host/key/token",
    });
    pluginId = made.id;
    account = await client.create<Account>("account", {
      provider: "trips",
      name: "trips",
      identifier: "ada",
      token: "a-password",
      properties: { schema: "public" },
    });
    await offered();
  });
  test.after(async () => {
    await host.close();
    await database.close();
    await plugin.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("a host that starts again with the same secret gives no warning", async () => {
    await host.close();
    await start();
    assert.equal(lines, []);
    await offered();
  });

  test("a host that starts with another secret counts and marks the records whose secrets must be entered again", async () => {
    await host.close();
    secret = "another secret, made when the first one was lost";
    await start();
    const warning = lines[0]?.msg ?? "";
    assert.match(
      warning,
      /cannot be decrypted: .*1 of account\.properties.*1 of account\.token.*enter the values again/,
    );
    assert.match(warning, /1 of plugin\.secret/);
    const [shown] = await accounts();
    assert.is(shown?.invalid, true);
  });

  test("using a lost secret fails with an error that names the secret, until the secret is entered again", async () => {
    const unused = await refused(offered());
    assert.is(unused.status, 409);
    assert.is(unused.code, "SECRET_LOST");
    assert.match(unused.message, new RegExp(`of the account ${account.id} cannot be decrypted`));
    const lostPlugin = await refused(
      client.update("account", account.id, { token: "a-password", identifier: "ada" }),
    );
    assert.match(lostPlugin.message, /secret of the plugin .* cannot be decrypted/);
    await client.update("plugin", pluginId, { new_secret: "the-secret-that-the-plugin-has" });
    await client.update("account", account.id, { token: "a-password" });
    const [shown] = await accounts();
    assert.is(shown?.invalid, false);
    await offered();
  });

  test("once all lost secrets are entered again, the host starts without a warning", async () => {
    await host.close();
    await start();
    assert.equal(lines, []);
    await offered();
  });
});
