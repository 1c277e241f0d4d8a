import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import { openHost, type Host } from "../../../../core/host.ts";
import { runAuditCommand } from "../../../../core/cli/runAuditCommand.ts";
import { runSecretCommand } from "../../../../core/operating/secrets/index.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { openClickhouseStore, type ClickhouseStore } from "../../../support/clickhouseStore.ts";
import { ownerKey, ownerToken } from "../../../support/hostProcess.ts";
import { openLegacyPlugin, type LegacyPlugin } from "../../../support/legacyPlugin.ts";
import { refused } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

const former = "the former secret of two hosts on one catalog";
const next = "the next secret of two hosts on one catalog";

interface Secrets {
  readonly secret: string;
  readonly secretPrevious?: string;
  readonly secretNext?: string;
}

suite("core/host: MANIFOLD_SECRET changes while hosts run", (test) => {
  let catalog: TestCatalog;
  // Hosts on one catalog share their store.
  let store: ClickhouseStore;
  let plugin: LegacyPlugin;
  let accountId = "";
  let integrationId = "";
  const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), "manifold-rotation-")));
  const hosts: (Host | undefined)[] = [undefined, undefined];
  /** The hosts among which the test distributes calls, as a proxy does. */
  const clients: (Client | undefined)[] = [undefined, undefined];
  const underWay: Promise<unknown>[][] = [[], []];

  const start = async (place: number, secrets: Secrets) => {
    const host = await openHost({
      dataDir: String(folders[place]),
      databaseUrl: catalog.databaseUrl,
      ...store.settings,
      key: ownerKey,
      token: ownerToken,
      port: 0,
      workers: 1,
      logLevel: "silent",
      warmUp: false,
      callsPerSecond: 0,
      egressAllow: ["127.0.0.1"],
      ...secrets,
    });
    hosts[place] = host;
    clients[place] = createClient({ url: host.url, key: ownerKey, token: ownerToken });
  };
  const stop = async (place: number) => {
    clients[place] = undefined;
    await Promise.all(underWay[place] ?? []);
    await hosts[place]?.close();
    hosts[place] = undefined;
  };
  const restart = async (place: number, secrets: Secrets) => {
    await stop(place);
    await start(place, secrets);
  };
  const said: string[] = [];
  const settings = (secrets: Readonly<Record<string, string>>, place = 0) => ({
    MANIFOLD_DATA_DIR: String(folders[place]),
    DATABASE_URL: catalog.databaseUrl,
    ...secrets,
  });
  const run = (args: string[], secrets: Readonly<Record<string, string>>) => {
    said.length = 0;
    const write = (line: string) => void said.push(line);
    return runSecretCommand(args, { environment: settings(secrets), write });
  };

  /** Creates sealed values on one host, and uses them on the next. Throws an error if a response is not successful. */
  const round = async (
    call: <Answer>(use: (client: Client) => Promise<Answer>) => Promise<Answer>,
  ) => {
    await call((client) =>
      client.get("dataprovider", { provider: "trips", account_id: accountId }),
    );
    const { id } = await call((client) =>
      client.create<{ id: string }>("channel", {
        name: "Hook",
        type: "webhook",
        config: { url: "https://hooks.example.org/a", secret: "a secret of a receiver" },
      }),
    );
    await call((client) => client.update("channel", id, { config: { url: null, secret: null } }));
    const pair = await call((client) =>
      client.create<{ id: string; token: string }>("authorization", {
        type: "sso",
        integration_id: integrationId,
        username: "viewer",
        expiry: "1 hour",
        parameter_overrides: { region: "north" },
      }),
    );
    await call((client) => {
      const { url } = hosts[clients.indexOf(client)] ?? {};
      const viewer = createClient({ url: String(url), key: pair.id, token: pair.token });
      return viewer.get("securable", { where: { type: "dataset" } });
    });
  };

  test.before(async () => {
    catalog = await openTestCatalog();
    store = await openClickhouseStore();
    plugin = await openLegacyPlugin({
      version: "3.0.0",
      pushdown: false,
      datasets: [{ id: "trips", name: { en: "Trips" }, columns: [], rows: [] }],
      authorize: { key: "ada", token: "a-password" },
    });
    await start(0, { secret: former });
    const [client] = clients;
    if (!client) throw new Error("there is no host");
    await client.create("plugin", {
      slug: "trips",
      name: { en: "Trips" },
      base_url: plugin.url,
      protocol_version: "3.0.0",
      authorize: "host/key/token",
    });
    const account = { provider: "trips", name: "trips", identifier: "ada", token: "a-password" };
    accountId = (await client.create<{ id: string }>("account", account)).id;
    integrationId = (await client.create<{ id: string }>("integration", { name: "Shop" })).id;
  });
  test.after(async () => {
    for (const place of [0, 1]) await stop(place);
    await plugin.close();
    await store.close();
    await catalog.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  test.deep(
    "no call fails while two hosts change their secret one after the other under load",
    async () => {
      let isOver = false;
      let turn = 0;
      let callCount = 0;
      const call = async <Answer>(use: (client: Client) => Promise<Answer>) => {
        turn += 1;
        const place = clients[turn % 2] ? turn % 2 : 1 - (turn % 2);
        const client = clients[place];
        if (!client) throw new Error("no host is there");
        const answering = use(client);
        const settled = answering.catch(() => undefined);
        underWay[place]?.push(settled);
        const answer = await answering;
        callCount += 1;
        return answer;
      };
      await start(1, { secret: former });
      const load = Promise.all(
        [1, 2, 3].map(async () => {
          while (!isOver) await round(call);
        }),
      );
      const steps = async () => {
        const before = { secret: former, secretNext: next };
        const after = { secret: next, secretPrevious: former };
        for (const place of [0, 1]) await restart(place, before);
        await restart(0, after);
        // Both directions run at the same time, so each host decrypts values that the other host sealed.
        const mixed = callCount;
        while (callCount < mixed + 30) await round(call);
        const ready = await fetch(`${hosts[0]?.url}/readyz`);
        assert.match(await ready.text(), '"secret":"rotating"');
        await restart(1, after);
        const both = { MANIFOLD_SECRET: next, MANIFOLD_SECRET_PREVIOUS: former };
        assert.is(await run(["rotate"], both), 0, said.join("\n"));
        assert.match(said.at(-1) ?? "", "remove MANIFOLD_SECRET_PREVIOUS");
        const done = await fetch(`${hosts[0]?.url}/readyz`);
        assert.not((await done.text()).includes("rotating"));
        for (const place of [0, 1]) await restart(place, { secret: next });
      };
      const over = () => {
        isOver = true;
      };
      await Promise.all([load.finally(over), steps().finally(over)]);
      assert.ok(callCount > 60, `${callCount} calls`);
      const texts: string[] = [];
      const columns: readonly { table_name: string; column_name: string }[] = await catalog
        .knex("information_schema.columns")
        .where({ table_schema: "public", data_type: "text" });
      for (const { table_name: table, column_name: column } of columns)
        texts.push(
          ...(await catalog
            .knex(table)
            .whereRaw("?? ~ '^v1\\.[A-Za-z0-9_-]{38,}'", [column])
            .pluck(column)),
        );
      assert.ok(texts.length > 20);
      const [key] = new Set(texts.map((text) => text.split(".")[2]));
      assert.is(await run(["keys"], { MANIFOLD_SECRET: next }), 0);
      assert.equal(said, [`${key}  ${texts.length} values  MANIFOLD_SECRET`]);
      const lines: string[] = [];
      const environment = settings({ MANIFOLD_SECRET: next });
      const status = await runAuditCommand(["verify"], {
        environment,
        write: (line) => lines.push(line),
      });
      assert.is(status, 0, lines.join("\n"));
    },
  );

  test("a secret command fails with an unknown argument, or with a secret other than the running host's secret", async () => {
    if (!hosts[0]) await start(0, { secret: former });
    const failed = (args: string[], secrets: Readonly<Record<string, string>>) =>
      run(args, secrets).then(
        () => "it was not refused",
        (failure: Error) => failure.message,
      );
    const wrong = { MANIFOLD_SECRET: "a secret that the host does not have" };
    const refusal = await failed(["rotate"], wrong);
    assert.match(refusal, /uses the secret of key [0-9a-f]{8}/);
    assert.not(refusal.includes(wrong.MANIFOLD_SECRET));
    assert.match(await failed(["rotate", "now"], wrong), 'but got "now"');
    assert.match(await failed(["give-up"], wrong), "ids of the lost keys");
    assert.match(await failed([], wrong), "secret must be followed by keys, rotate or give-up");
  });

  test("without the former secret, a host starts only after the operator gives up the key that the error names", async () => {
    await stop(1);
    await stop(0);
    const own = (await catalog.knex("secret_key").whereNull("emptied_at").first("id")).id;
    const isRotated = (await catalog.knex("secret_key")).length > 1;
    const [own1, other] = isRotated ? [next, "yet another secret of one host"] : [former, next];
    await start(0, { secret: other, secretPrevious: own1 });
    await clients[0]?.get("dataprovider", { provider: "trips", account_id: accountId });
    await stop(0);
    const failed = await start(0, { secret: other }).then(
      () => "it started",
      (failure: Error) => failure.message,
    );
    assert.match(failed, `(key ${own}): `);
    assert.match(failed, /1 of account\.token/);
    assert.match(failed, `manifold secret give-up ${own}`);
    assert.is(await run(["give-up", own], { MANIFOLD_SECRET: other }), 0);
    await start(0, { secret: other });
    const client = clients[0];
    if (!client) throw new Error("there is no host");
    const find = { provider: "trips", account_id: accountId };
    assert.is((await refused(client.get("dataprovider", find))).code, "SECRET_LOST");
  });
});
