import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { readConfig, type Config } from "../../../../../core/base/config.ts";
import {
  checkGranted,
  checkGrants,
} from "../../../../../core/operating/doctor/checks/checkGrants.ts";
import { openTestCatalog } from "../../../../support/catalog.ts";
import { suite } from "../../../../support/suite.ts";

const id = "5a0d2c1e-7b1f-4c55-9a64-0f1f6f3a7c11";

suite("core/operating/doctor/checks/checkGrants", (test) => {
  let folder: string;
  test.before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-grants-")));
    mkdirSync(join(folder, "data", "files"), { recursive: true });
    mkdirSync(join(folder, "shared"));
  });
  test.after(() => rmSync(folder, { recursive: true }));
  const configOf = (given: { readonly [Member in keyof Config]?: Config[Member] }) =>
    readConfig({ dataDir: join(folder, "data"), ...given }, {});
  const linesOf = (given: Parameters<typeof configOf>[0]) =>
    checkGrants(configOf(given)).map(({ state, text, fix }) => `${state} ${text} → ${fix}`);

  test("the doctor accepts egress entries for a host and port, and folder entries outside the data folder", () => {
    const config = {
      egressAllow: ["127.0.0.1:5432", `10.0.0.5=${id}`, "inner.example.org"],
      fileFolders: [join(folder, "shared"), `${join(folder, "shared")}=${id}`],
    };
    assert.equal(linesOf(config), []);
  });

  for (const entry of ["localhost", "127.1", "[::1]", "0.0.0.0", `127.0.0.1=${id}`])
    test(`the doctor advises adding a port to the entry ${entry}, which opens every port of a machine`, () => {
      assert.match(linesOf({ egressAllow: [entry] }).join(), /weak .*every port.* → add the port/);
    });

  for (const entry of ["169.254.169.254", "168.63.129.16:80", `[fd00:ec2::254]=${id}`])
    test(`the doctor rates the entry ${entry} as bad, because clouds return credentials at this address`, () => {
      assert.match(linesOf({ egressAllow: [entry] }).join(), /bad .*credentials of their machines/);
    });

  test("the doctor reports entries that open the catalog's database, the store or the host itself", () => {
    const own = {
      databaseUrl: "postgres://ada:canary@localhost/manifold",
      clickhouseUrl: "http://ada:canary@10.0.0.9:8123",
      port: 4000,
    };
    for (const entry of ["127.0.0.1:5432", "10.0.0.9:8123", "localhost:4000"]) {
      const lines = linesOf({ ...own, egressAllow: [entry] }).join();
      assert.match(lines, /weak .*its own database/, entry);
      assert.not.match(lines, "canary");
    }
    assert.equal(linesOf({ ...own, egressAllow: ["10.0.0.9:5432"] }), []);
  });

  test("the doctor rates a folder entry as bad if it is the root, contains the data folder or lies within it", () => {
    assert.match(linesOf({ fileFolders: ["/"] }).join(), /bad .*every file/);
    assert.match(linesOf({ fileFolders: [folder] }).join(), /bad .*contains the data folder/);
    const inner = `${join(folder, "data", "files")}=${id}`;
    assert.match(linesOf({ fileFolders: [inner] }).join(), /bad .*is in the data folder/);
  });

  test("with open sign-up, the doctor reports only entries without organization ids", () => {
    const shared = join(folder, "shared");
    const lines = linesOf({
      signUp: true,
      egressAllow: ["10.0.0.5:5432", `10.0.0.6:5432=${id}`],
      fileFolders: [shared],
    });
    assert.is(lines.length, 2);
    assert.match(lines[0]!, /weak MANIFOLD_SIGN_UP is open.*10\.0\.0\.5:5432 to every/);
    assert.ok(lines[1]!.includes(`${shared}=<id of an organization>`));
  });

  test("the doctor rates an entry as bad if it prevents the host from starting", () => {
    assert.match(linesOf({ egressAllow: ["10.0.0.0/8"] }).join(), /bad .*10\.0\.0\.0\/8/);
    assert.match(linesOf({ fileFolders: ["/srv/acme=Acme"] }).join(), /bad .*by their ids/);
  });

  test("the doctor shows organizations in entries by name, and rates unknown ids as weak", async () => {
    const catalog = await openTestCatalog();
    try {
      await catalog.knex("organization").insert({
        id,
        name: { en: "Acme" },
        created_at: new Date(),
        updated_at: new Date(),
      });
      const missing = id.replace("5a", "5b");
      const config = configOf({
        egressAllow: [`10.0.0.5=${id}`, "10.0.0.6"],
        fileFolders: [`${join(folder, "shared")}=${missing}`],
      });
      const found = await checkGranted(config, catalog.knex);
      assert.equal(
        found.map(({ state }) => state),
        ["good", "good", "weak"],
      );
      assert.match(found[0]!.text, /^1 of the organizations signed up/);
      assert.match(found[1]!.text, /10\.0\.0\.5 is open to the organization .*Acme/);
      assert.match(found[2]!.text, /MANIFOLD_FILE_FOLDERS opens .*, which does not exist/);
    } finally {
      await catalog.close();
    }
  });
});
