import { join } from "node:path";
import * as assert from "uvu/assert";
import { runInstallCommand } from "../../../core/cli/runInstallCommand.ts";
import { installNow } from "../../../core/sources/drivers/installNow.ts";
import { suite } from "../../support/suite.ts";
import { plantNpm } from "../sources/drivers/plantNpm.ts";

const install = async (args: readonly string[]) => {
  const lines: string[] = [];
  await runInstallCommand(args, {}, (line) => void lines.push(line));
  return lines;
};

suite("core/cli/runInstallCommand", (test) => {
  test("`install` lists the available drivers if the caller names no driver or an unknown driver", async () => {
    for (const [args, message] of [
      [[], "install needs at least one of duckdb, mysql"],
      [["duckdb", "oracle"], 'unknown driver "oracle"; the drivers are duckdb, mysql'],
      [["__proto__"], "unknown driver"],
      [["--data", "x"], "Unknown option"],
    ] as const)
      await install(args).then(
        () => assert.unreachable(args.join(" ")),
        (failure: unknown) => assert.match(String(failure), message),
      );
  });

  test("in a Git clone, `install` reports that the drivers are already installed next to the host", async () => {
    const [duckdb = "", mysql = ""] = await install(["duckdb", "mysql"]);
    assert.match(duckdb, /^duckdb is installed next to the host: .*@duckdb\/node-api/);
    assert.match(mysql, /^mysql is installed next to the host: .*mysql2/);
  });

  test("`install` prints what it installs and where, and installs nothing twice", async () => {
    const npm = plantNpm();
    try {
      const lines: string[] = [];
      const { dataDir, environment, lockFolder, folder } = npm;
      const write = (line: string) => void lines.push(line);
      const options = { dataDir, environment, write, lockFolder, from: folder };
      await installNow("mysql", options);
      await installNow("mysql", options);
      const [before = "", after = "", again = ""] = lines;
      const start = "installing the MySQL and MariaDB driver (mysql2 3.9.1, 4 MB) into ";
      assert.ok(before.startsWith(start + join(dataDir, "drivers")), before);
      assert.is(after, "installed mysql");
      assert.match(again, `mysql is in ${join(dataDir, "drivers")}`);
      assert.is(npm.runs().length, 1);
    } finally {
      npm.remove();
    }
  });
});
