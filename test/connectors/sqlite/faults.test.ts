import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { dialect } from "../../../connectors/sqlite/dialect.ts";
import { openDriver, type SqliteDriver } from "../../../connectors/sqlite/driver.ts";
import { createSqlPlugin } from "../../../plugins/sql/index.ts";
import { faultReach, type FaultEngine } from "../faultEngine.ts";
import { faultSuite } from "../faultSuite.ts";
import { killableReaders } from "../killableReaders.ts";

const run = promisify(execFile);

const counted = (end: string) =>
  `with recursive c(n) as (select 1 union all select n + 1 from c) select n from c ${end}`;
const setUp = `
create table plain (n integer);
insert into plain values (1), (2), (3);
create view endless as ${counted("")};
create view still as ${counted("where n < 0")};`;

faultSuite("connectors/sqlite", openEngine);

async function openEngine(): Promise<FaultEngine> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-sqlite-")));
  const path = join(folder, "faults.sqlite");
  const write = (statements: string) => {
    const database = new DatabaseSync(path);
    database.exec(statements);
    database.close();
  };
  write(setUp);
  const credentials = () => ({ host: path, properties: {} });
  let driver: SqliteDriver | undefined;
  const change = (statements: string) => async () => write(statements);
  return {
    source: /SQLite: /,
    secrets: [],
    // The account's file is in this folder, so its path must not be shown.
    hidden: [folder],
    credentials,
    async open({ timeoutMs = 20_000 } = {}) {
      const sizeBytes = 2 ** 30;
      const own = openDriver({ reach: faultReach(folder), timeoutMs, sizeBytes });
      driver = own;
      const plugin = createSqlPlugin({ dialect, driver: own, sizeBytes });
      return { plugin, openCount: async () => own.pids().length };
    },
    datasetOf: (name) => `main.${name}`,
    async runningCount() {
      const pids = driver?.pids() ?? [];
      if (pids.length === 0) return 0;
      // `ps` fails if a reader has ended in the meantime.
      const { stdout } = await run("ps", ["-o", "state=", "-p", pids.join()]).catch(() => ({
        stdout: "",
      }));
      return stdout.split("\n").filter((state) => state.startsWith("R")).length;
    },
    means: {
      kill: async () => killableReaders(credentials, () => driver?.pids() ?? []),
      network: "a file is read without a network",
      endIdle:
        "a killed reader process is noticed at once, and there is no server to close connections",
      pool: { most: 2 },
      lock: {
        code: "PLUGIN_BUSY",
        async hold() {
          const writer = new DatabaseSync(path);
          writer.exec("begin exclusive");
          return async () => writer.close();
        },
      },
      password: "a file has no password",
      tls: "a file is read without a network",
      change: {
        id: "main.moving",
        create: change(
          "create table moving (n integer, word text); insert into moving values (1, 'one')",
        ),
        toText: change(`begin; drop table moving; create table moving (n text, word text);
          insert into moving values ('now 1', 'one'); commit`),
        dropColumn: change("alter table moving drop column word"),
        drop: change("drop table moving"),
      },
    },
    async close() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
