// This file costs more than three seconds, because most tests start a process that installs a driver.
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { ApiError } from "../../../../core/base/index.ts";
import { openDrivers, type DriversOptions } from "../../../../core/sources/drivers/openDrivers.ts";
import { eventually } from "../../../support/eventually.ts";
import { suite } from "../../../support/suite.ts";
import { plantNpm, type PlantedNpm } from "./plantNpm.ts";

interface Logged {
  readonly details: object;
  readonly message: string;
}

suite("core/sources/drivers/openDrivers", (test) => {
  let npm: PlantedNpm;
  let logged: Logged[];
  const opened: { close(): Promise<void> }[] = [];
  test.beforeEach(() => {
    npm = plantNpm();
    logged = [];
  });
  test.afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
    npm.remove();
  });

  const open = (options: Partial<DriversOptions> & { readonly install?: boolean } = {}) => {
    const note = (details: object, message: string) => void logged.push({ details, message });
    const { install = true, ...others } = options;
    const drivers = openDrivers({
      config: { dataDir: npm.dataDir, install },
      log: { info: note, warn: note, error: note },
      lockFolder: npm.lockFolder,
      from: npm.folder,
      environment: npm.environment,
      ...others,
    });
    opened.push(drivers);
    return drivers;
  };
  const refused = async (call: Promise<string>): Promise<ApiError> => {
    try {
      await call;
    } catch (failure) {
      if (failure instanceof ApiError) return failure;
      throw failure;
    }
    throw new Error("the driver was located");
  };
  const left = () => readdirSync(join(npm.dataDir, "drivers"));

  test("a missing driver is installed with `npm ci`, without scripts, and can be imported", async () => {
    const url = await open().locate("mysql");
    const loaded: { readonly isPlanted: boolean } = await import(url);
    assert.ok(loaded.isPlanted);
    const [first, ...more] = npm.runs();
    assert.equal(more, []);
    assert.is(first?.args[0], "ci");
    assert.ok(first?.args.includes("--ignore-scripts"));
    assert.equal(left().length, 1);
    assert.match(left()[0] ?? "", new RegExp(`^mysql-3\\.9\\.1-${process.platform}-`));
  });

  test("the log names the package, its size and its folder before the installation", async () => {
    await open().locate("mysql");
    const [before, after] = logged;
    assert.match(before?.message ?? "", "installing the MySQL and MariaDB driver");
    const folder = join(npm.dataDir, "drivers", left()[0] ?? "");
    assert.equal(before?.details, { package: "mysql2@3.9.1", sizeMb: 4, folder });
    assert.match(after?.message ?? "", "installed");
  });

  test("npm gets the environment's settings for proxies and npm, but none of the host's settings", async () => {
    const environment = {
      ...npm.environment,
      npm_config_registry: "http://127.0.0.1:1",
      NPM_TOKEN: "of-the-registry",
      DATABASE_URL: "postgresql://user:password@server/db",
    };
    await open({ environment }).locate("mysql");
    const variables = npm.runs()[0]?.variables ?? [];
    for (const name of ["HTTPS_PROXY", "npm_config_registry", "NPM_TOKEN"])
      assert.ok(variables.includes(name), name);
    for (const name of ["MANIFOLD_SECRET", "DATABASE_URL"])
      assert.not.ok(variables.includes(name), name);
  });

  test("calls at the same time share one installation, and later calls install nothing", async () => {
    const drivers = open();
    const urls = await Promise.all([drivers.locate("mysql"), drivers.locate("mysql")]);
    assert.is(urls[0], urls[1]);
    assert.is(await drivers.locate("mysql"), urls[0]);
    assert.is(await open().locate("mysql"), urls[0]);
    assert.is(npm.runs().length, 1);
  });

  test("a call that has waited long enough gets 503 with Retry-After, and the installation continues", async () => {
    const release = npm.hold();
    const drivers = open({ waitMs: 1 });
    const failure = await refused(drivers.locate("mysql"));
    assert.is(failure.code, "DRIVER_INSTALLING");
    assert.is(failure.status, 503);
    assert.ok((failure.retryAfterS ?? 0) > 0);
    assert.match(failure.message, "the MySQL and MariaDB driver (mysql2 3.9.1, 4 MB)");
    release();
    await eventually(() => logged.at(-1)?.message.startsWith("installed"), "the installation");
    await drivers.locate("mysql");
    assert.is(npm.runs().length, 1);
  });

  test("with MANIFOLD_INSTALL=off, a call gets a 501 error that names the command and the package", async () => {
    const failure = await refused(open({ install: false }).locate("mysql"));
    assert.is(failure.status, 501);
    assert.match(failure.message, "MANIFOLD_INSTALL is off");
    assert.match(failure.message, "manifold install mysql");
    assert.match(failure.message, "npm install mysql2@3.9.1");
    assert.equal(npm.runs(), []);
    assert.equal(logged, []);
  });

  test("after a failed installation, calls get 501 at once until the next attempt is due", async () => {
    npm.fails("npm error code ENOTFOUND");
    const drivers = open({ pauseMs: 1e9 });
    const failure = await refused(drivers.locate("mysql"));
    assert.is(failure.status, 501);
    assert.match(failure.message, "the host's log has the reason");
    assert.match(JSON.stringify(logged.at(-1)?.details), "npm error code ENOTFOUND");
    assert.equal(left(), []);
    await refused(drivers.locate("mysql"));
    assert.is(npm.runs().length, 1);
    npm.fails(undefined);
    const patient = open({ pauseMs: 0 });
    await patient.locate("mysql");
    assert.is(npm.runs().length, 2);
  });

  test("a failed installation is repeated after the pause", async () => {
    npm.fails("no network");
    const drivers = open({ pauseMs: 0 });
    await refused(drivers.locate("mysql"));
    npm.fails(undefined);
    await drivers.locate("mysql");
    assert.is(npm.runs().length, 2);
  });

  test("without npm, or with a data folder that cannot be written, calls get 501 and the log has the reason", async () => {
    const nowhere = open({ environment: { PATH: "" }, execPath: join(npm.folder, "bin/node") });
    assert.is((await refused(nowhere.locate("mysql"))).status, 501);
    assert.match(JSON.stringify(logged.at(-1)?.details), "npm was found neither next to Node.js");
    mkdirSync(npm.dataDir, { recursive: true });
    writeFileSync(join(npm.dataDir, "drivers"), "");
    assert.is((await refused(open().locate("mysql"))).status, 501);
    assert.match(JSON.stringify(logged.at(-1)?.details), "EEXIST");
  });

  test("hosts that install on one folder at the same time all get the driver", async () => {
    const urls = await Promise.all([open(), open(), open()].map((each) => each.locate("mysql")));
    assert.is(new Set(urls).size, 1);
    assert.is(left().length, 1);
  });

  test("a killed installation is not used, and its folder is removed after an hour", async () => {
    const killed = join(npm.dataDir, "drivers/.installing-killed");
    mkdirSync(join(killed, "node_modules/mysql2"), { recursive: true });
    await open().locate("mysql");
    assert.equal(left().length, 2);
    assert.is(npm.runs().length, 1);
    const longAgoS = Date.now() / 1000 - 7200;
    utimesSync(killed, longAgoS, longAgoS);
    const other = plantNpm("mysql2", "3.9.2");
    try {
      await open({ lockFolder: other.lockFolder }).locate("mysql");
    } finally {
      other.remove();
    }
    assert.not.ok(left().includes(".installing-killed"));
    assert.is(left().length, 2);
  });

  test("closing the host stops an installation and leaves nothing behind", async () => {
    npm.hold();
    const drivers = open({ waitMs: 1 });
    await refused(drivers.locate("mysql"));
    await eventually(() => npm.runs().length, "a run of npm");
    await drivers.close();
    assert.equal(left(), []);
  });

  const beside = (version: string) => {
    const folder = join(npm.folder, "node_modules/mysql2");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "mysql2", version }));
    writeFileSync(join(folder, "index.js"), "");
  };

  for (const [version, isUsed] of [
    ["3.9.1", true],
    ["3.10.0", true],
    ["3.9.0", false],
    ["4.0.0", false],
    ["2.99.0", false],
  ] as const)
    test(`mysql2 ${version} next to the host is ${isUsed ? "used" : "not used"} by a host that was tested with 3.9.1`, async () => {
      beside(version);
      const from = join(npm.folder, "inner/folder");
      // One test installs the driver in place of a wrong version. The others see only that it is missing.
      if (!isUsed && version !== "3.9.0") {
        const failure = await refused(open({ from, install: false }).locate("mysql"));
        assert.is(failure.status, 501);
        return;
      }
      const url = await open({ from }).locate("mysql");
      assert.is(url.includes("/data/drivers/"), !isUsed);
      assert.is(npm.runs().length, isUsed ? 0 : 1);
    });

  test("a driver that someone installs next to the running host is found at the next call", async () => {
    const drivers = open({ install: false });
    await refused(drivers.locate("mysql"));
    beside("3.9.1");
    assert.match(await drivers.locate("mysql"), "/node_modules/mysql2/index.js");
  });

  test("a clone without lock files uses the drivers next to it, or names the missing package", async () => {
    const lockFolder = join(npm.folder, "none");
    const failure = await refused(open({ lockFolder }).locate("mysql"));
    assert.match(failure.message, "npm install mysql2");
    beside("1.0.0");
    assert.match(await open({ lockFolder }).locate("mysql"), "/node_modules/mysql2/index.js");
  });
});
