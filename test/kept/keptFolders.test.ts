import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { runRestoreCommand } from "../../core/operating/backup/index.ts";
import { createClient, type Client } from "../../core/web/client/index.ts";
import { openHost, type Host } from "../../core/host.ts";
import { runTransfer } from "../../core/operating/transfer/index.ts";
import { canaries, environment as secrets } from "../core/operating/transfer/fillTenant.ts";
import { withProductionHashes } from "../run/cheapHashes.ts";
import { openEmptyDatabase } from "../support/catalog.ts";
import { ownerKey, ownerToken } from "../support/hostProcess.ts";
import { openTestHost, testOptions, testSecret } from "../support/openTestHost.ts";
import { suite } from "../support/suite.ts";
import { keptVersions, openKeptFolder } from "./keptFolders.ts";
import { answersOf, openKeptPlugin } from "./keptTenant.ts";
import { listKept } from "./listKept.ts";
import { makeKeptFolder } from "./makeKeptFolder.ts";

type Json = Readonly<Record<string, unknown>>;

suite("kept: folders made by earlier versions", (test) => {
  const folder = mkdtempSync(join(tmpdir(), "manifold-kept-"));
  test.after(() => rmSync(folder, { recursive: true, force: true }));

  test("each kept package and folder matches its checksum in test/kept/README.md", () => {
    const page = readFileSync(join(import.meta.dirname, "README.md"), "utf8");
    const files = (["packages", "folders"] as const).flatMap((kind) =>
      listKept(kind).map((name) => `${kind}/${name}`),
    );
    for (const file of files) {
      const bytes = readFileSync(join(import.meta.dirname, file));
      const sum = createHash("sha256").update(bytes).digest("hex");
      assert.match(page, `\`${file}\` | \`${sum.slice(0, 16)}\``);
    }
  });

  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);

  /** Also creates and opens a folder with this tree, to show which faults the tests of kept folders detect. */
  const ownVersion = "the current version";
  const openFolder = async (version: string, into: string) =>
    version === ownVersion ? makeKeptFolder({ into }) : openKeptFolder(version, into);

  for (const version of [...keptVersions, ownVersion]) {
    test.deep(
      `restoring a backup of ${version} recovers answers, records, people and sealed secrets`,
      () =>
        withProductionHashes(async () => {
          const made = join(folder, `backup-${version}`);
          const facts = await openFolder(version, made);
          const database = await openEmptyDatabase();
          const dataDir = join(folder, `data-${version}`);
          const plugin = await openKeptPlugin();
          let host: Host | undefined;
          try {
            const { databaseUrl } = database;
            await runRestoreCommand([join(made, "backup")], {
              environment: {
                MANIFOLD_DATA_DIR: dataDir,
                DATABASE_URL: databaseUrl,
                MANIFOLD_SECRET: testSecret,
              },
              write,
              note: write,
            });
            host = await openHost({
              ...testOptions,
              dataDir,
              databaseUrl,
              key: ownerKey,
              token: ownerToken,
              warmUp: false,
              egressAllow: ["127.0.0.1"],
            });
            const client = createClient({ url: host.url, key: ownerKey, token: ownerToken });
            assert.equal(await answersOf(client, facts.questions), facts.answers);
            assert.equal(await securablesOf(client), facts.securables);
            const signedIn = await fetch(`${host.url}/auth/vi`, {
              method: "POST",
              headers: { "Content-Type": "application/json" },
              body: JSON.stringify(facts.person),
            });
            assert.is(signedIn.status, 200);
            await signedIn.arrayBuffer();
            const { rows: accounts } = await client.get("account");
            const { rows: plugins } = await client.get("plugin");
            await client.update("plugin", String(plugins[0]?.["id"]), {
              base_url: plugin.url,
              new_secret: "entered again with the address",
            });
            await client.update("account", String(accounts[0]?.["id"]), {
              token: canaries.token,
              properties: { password: canaries.password },
            });
            await client.call("dataprovider", "get", {
              find: { provider: "sales", account_id: accounts[0]?.["id"] },
            });
            assert.is(plugin.requests.at(-1)?.headers["x-token"], canaries.token);
          } finally {
            await host?.close();
            await plugin.close();
            await database.close();
          }
        }),
    );

    test.deep(
      `a tenant exported by ${version} can be imported, and importing it again changes nothing`,
      async () => {
        const made = join(folder, `tenant-${version}`);
        const facts = await openFolder(version, made);
        const plugin = await openKeptPlugin();
        const host = await openTestHost({ egressAllow: ["127.0.0.1"], callsPerSecond: 0 });
        try {
          const { key = "", token = "" } = host.madeCredentials ?? {};
          const environment = {
            ...secrets,
            MANIFOLD_URL: host.url,
            MANIFOLD_KEY: key,
            MANIFOLD_TOKEN: token,
          };
          // The plugin listens at a new address, so its records are changed.
          const plugins = join(made, "tenant/plugins");
          for (const name of readdirSync(plugins)) {
            const record = JSON.parse(readFileSync(join(plugins, name), "utf8"));
            record.properties.base_url = plugin.url;
            writeFileSync(join(plugins, name), JSON.stringify(record));
          }
          const apply = () =>
            runTransfer("apply", ["--dir", join(made, "tenant")], environment, write);
          await apply();
          const client = createClient({ url: host.url, key, token });
          const names = (rows: readonly Json[]) =>
            rows.map(({ type, name }) => JSON.stringify([type, name])).toSorted();
          assert.equal(names(await securablesOf(client)), names(facts.securables));
          await apply();
          assert.match(lines.at(-1) ?? "", /^nothing to change/);
        } finally {
          await host.close();
          await plugin.close();
        }
      },
    );
  }
});

async function securablesOf(client: Client): Promise<readonly Json[]> {
  const { rows } = await client.get<{ rows: readonly Json[] }>("securable", {
    attributes: ["id", "type", "name"],
    order: [["id", "asc"]],
  });
  return rows;
}
