import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { createClient } from "../../../../core/web/client/index.ts";
import { openHost, type Host } from "../../../../core/host.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { clickhouseSuite } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseStore, type ClickhouseStore } from "../../../support/clickhouseStore.ts";
import { createCookieJar } from "../../../support/cookieJar.ts";
import { openLyingProvider, type LyingProvider } from "../../../support/lyingProvider.ts";
import { clientSecret } from "../../../support/openProvider.ts";
import { testOptions } from "../../../support/openTestHost.ts";

const token = "canary-token-of-scim-with-32-characters-or-more";
const limitMs = 60_000;

clickhouseSuite("core/host: a user removed over SCIM on another host", (test) => {
  let catalog: TestCatalog;
  // Hosts on one catalog share their store.
  let store: ClickhouseStore;
  let provider: LyingProvider;
  const hosts: Host[] = [];
  const folders: string[] = [];
  test.before(async () => {
    catalog = await openTestCatalog();
    store = await openClickhouseStore();
    provider = await openLyingProvider(clientSecret);
    for (const place of [0, 1]) {
      const dataDir = mkdtempSync(join(tmpdir(), `manifold-scim-${place}-`));
      folders.push(dataDir);
      const host = await openHost({
        ...testOptions,
        dataDir,
        databaseUrl: catalog.databaseUrl,
        failuresPerMinute: 0,
        egressAllow: ["127.0.0.1"],
        ...store.settings,
      });
      hosts.push(host);
    }
  });
  test.after(async () => {
    for (const host of hosts) await host.close();
    await provider?.close();
    await store?.close();
    await catalog?.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  test.deep(
    "a deactivated user's session and API token fail within a minute even on hosts that the provider never calls",
    async () => {
      const [first, second] = hosts;
      const { key, token: secret } = first!.madeCredentials!;
      const owner = createClient({ url: first!.url, key, token: secret });
      const { id: config } = await owner.create<{ id: string }>("ssoconfig", {
        name: "Corp",
        type: "openid",
        active: true,
        config: {
          issuer: provider.issuer,
          client_id: "manifold",
          client_secret: clientSecret,
          scopes: ["openid"],
          create_users: false,
          scim_token: token,
        },
      });
      const scim = (method: string, path: string, body: object) =>
        fetch(`${first!.url}/scim/v2/${config}/${path}`, {
          method,
          headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/scim+json" },
          body: JSON.stringify(body),
        });
      const made = await scim("POST", "Users", {
        schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
        userName: "ada",
        externalId: "ada",
        emails: [{ value: "ada@corp.example", primary: true, type: "work" }],
        active: true,
      });
      const { id } = (await made.json()) as { id: string };
      const jar = createCookieJar();
      await jar.follow(`${second!.url}/auth/sso/${config}`);
      const headers = {
        "Content-Type": "application/json",
        "X-Manifold-Console": "1",
        Origin: second!.url,
        "Sec-Fetch-Site": "same-origin",
      };
      const bySession = (resource: string, body: object) =>
        jar.open(`${second!.url}/0.1.0/${resource}`, {
          method: "POST",
          headers,
          body: JSON.stringify({ version: "0.1.0", ...body }),
        });
      const issued = await bySession("authorization", {
        action: "create",
        properties: { type: "api" },
      });
      const pair = (await issued.json()) as { id: string; token: string };
      const me = { action: "get", find: { where: { id: "me" } } };
      const byPair = () =>
        fetch(`${second!.url}/0.1.0/user`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ version: "0.1.0", ...me, key: pair.id, token: pair.token }),
        });
      const statuses = async () => [(await bySession("user", me)).status, (await byPair()).status];
      assert.equal(await statuses(), [200, 200]);
      const ended = await scim("PATCH", `Users/${id}`, {
        schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
        Operations: [{ op: "replace", value: { active: false } }],
      });
      assert.ok(ended.ok);
      const from = performance.now();
      let now = await statuses();
      while (now.includes(200) && performance.now() - from < limitMs) now = await statuses();
      assert.equal(now, [401, 401]);
    },
  );
});
