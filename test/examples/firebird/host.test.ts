import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import type { HostOptions } from "../../../core/host.ts";
import type { Client } from "../../../core/web/client/index.ts";
import { openTenantHost } from "../../core/operating/transfer/openTenantHost.ts";
import { fillDataFolder } from "../../support/fillDataFolder.ts";
import {
  type FirebirdDatabase,
  needsFirebird,
  openFirebirdDatabase,
} from "../../support/firebirdDatabase.ts";
import { findPackages } from "../../support/findPackages.ts";
import { ownMain, startHostProcess } from "../../support/hostProcess.ts";
import { suite } from "../../support/suite.ts";

const root = join(import.meta.dirname, "../../..");
const example = join(root, "examples/firebird");
const name = "@example/manifold-firebird";
const run = promisify(execFile);

suite("examples/firebird", (test) => {
  test("the Firebird example has at most 250 lines of code and imports only published packages", () => {
    const texts = readdirSync(join(example, "src")).map((file) =>
      readFileSync(join(example, "src", file), "utf8"),
    );
    const lines = texts.flatMap((text) =>
      text.split("\n").filter((line) => !/^\s*(?:$|\/\/|\/?\*)/.test(line)),
    );
    assert.ok(lines.length <= 250, `${lines.length} lines`);
    const imports = texts.flatMap((text) =>
      Array.from(text.matchAll(/^import .* from "([^"]+)";$/gm), ([, specifier]) => specifier),
    );
    assert.equal([...new Set(imports.filter((each) => !each?.startsWith("./")))].toSorted(), [
      "@manifold-analytics/plugin",
      "@manifold-analytics/plugin/sql",
      "node-firebird",
    ]);
  });
});

suite(
  "examples/firebird in a host",
  (test) => {
    let folder: string;
    let database: FirebirdDatabase;
    test.before(async () => {
      database = await openFirebirdDatabase();
      await database.run(
        "create table trips (city varchar(50) character set utf8, km double precision)",
      );
      for (const [city, km] of [
        ["Ghent", 3],
        ["Mons", 5],
        ["Ghent", 4],
        ["Lille", 1],
      ])
        await database.run("insert into trips values (?, ?)", [city, km]);
      folder = mkdtempSync(join(tmpdir(), "manifold-firebird-"));
      await installPackage(folder);
    });
    test.after(async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Builds the package and installs it in a folder, as npm does. */
    const installPackage = async (place: string) => {
      const packages = await findPackages("firebird");
      const own = join(place, "node_modules", name);
      mkdirSync(own, { recursive: true });
      cpSync(join(example, "package.json"), join(own, "package.json"));
      const tsc = join(root, "node_modules/.bin/tsc");
      await run(tsc, ["-p", example, "--outDir", join(own, "dist")], { cwd: root });
      mkdirSync(join(place, "node_modules/@manifold-analytics"));
      symlinkSync(join(root, "plugins"), join(place, "node_modules/@manifold-analytics/plugin"));
      symlinkSync(join(packages, "node-firebird"), join(place, "node_modules/node-firebird"));
    };

    /** Connects an account, and sends a query. The database carries out the order and the limit of the query. */
    const check = async (client: Client) => {
      const { host, port, path: scope, user: identifier, password: token } = database;
      const account = await client.create<{ id: string }>("account", {
        provider: "firebird",
        name: "trips",
        host,
        port: String(port),
        scope,
        identifier,
        token,
      });
      const {
        data: [dataset],
      } = await client.create<{
        data: readonly { id: string; columns: readonly { id: string; source_name: string }[] }[];
      }>("dataprovider", {
        provider: "firebird",
        account_id: account.id,
        tables: [{ schema: "", table: "TRIPS" }],
      });
      const column = (source: string) => ({
        dataset_id: dataset!.id,
        column_id: dataset!.columns.find((each) => each.source_name === source)!.id,
      });
      const km = { ...column("KM"), aggregation: { type: "sum" } };
      const answer = (await client.get("data", {
        dimensions: [column("CITY")],
        measures: [km],
        order: [{ ...km, order: "desc" }],
        limit: { by: 2 },
        explain: true,
      } as never)) as unknown as {
        readonly data: readonly (readonly [{ readonly id: string }, number])[];
        readonly explain: {
          readonly mode: string;
          readonly steps: readonly { readonly pushed: boolean }[];
        };
      };
      assert.equal(
        answer.data.map(([{ id }, sum]) => [id, sum]),
        [
          ["Ghent", 7],
          ["Mons", 5],
        ],
      );
      assert.is(answer.explain.mode, "whole");
      assert.ok(answer.explain.steps.every(({ pushed }) => pushed));
    };

    test.deep(
      "an installed package serves accounts of a host whose MANIFOLD_CONNECTORS setting names the package",
      async () => {
        const dataDir = join(folder, "data");
        mkdirSync(dataDir);
        await fillDataFolder(dataDir);
        const main = join(folder, "main.mjs");
        const started = JSON.stringify(pathToFileURL(ownMain));
        writeFileSync(
          main,
          `process.chdir(${JSON.stringify(folder)});\nawait import(${started});\n`,
        );
        const host = await startHostProcess(
          dataDir,
          {
            MANIFOLD_CONNECTORS: `postgresql,npm:${name}`,
            MANIFOLD_EGRESS_ALLOW: `127.0.0.1:${database.port}`,
            NODE_OPTIONS: "--conditions=manifold-source",
          },
          main,
        );
        try {
          await check(host.client);
        } finally {
          await host.end("SIGTERM");
        }
      },
    );

    test.deep(
      "a program passes the package to openHost, and the egress guard applies to the package",
      async () => {
        const path = pathToFileURL(join(folder, "node_modules", name, "dist/index.js")).href;
        const connectors: HostOptions["connectors"] = ["none", { firebird: () => import(path) }];
        const host = await openTenantHost({
          connectors,
          egressAllow: [`127.0.0.1:${database.port}`],
        });
        try {
          await check(host.client);
          const failure = await host.client
            .create("account", {
              provider: "firebird",
              name: "x",
              host: "127.0.0.1",
              port: "1",
              scope: "x",
              identifier: "x",
              token: "x",
            })
            .catch(String);
          assert.match(String(failure), "MANIFOLD_EGRESS_ALLOW");
        } finally {
          await host.close();
        }
      },
    );
  },
  needsFirebird,
);
