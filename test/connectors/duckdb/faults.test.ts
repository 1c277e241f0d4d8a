import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { dialect } from "../../../connectors/duckdb/dialect.ts";
import { openDriver, type DuckdbDriver } from "../../../connectors/duckdb/driver.ts";
import { createSqlPlugin } from "../../../plugins/sql/index.ts";
import { faultReach, type FaultEngine } from "../faultEngine.ts";
import { faultSuite } from "../faultSuite.ts";
import { killableReaders } from "../killableReaders.ts";

const setUp = [
  "create table plain (n integer)",
  "insert into plain values (1), (2), (3)",
  "create view endless as select range::double as n from range(1000000000000)",
  "create view still as select range::double as n from range(1000000000000) where range % 7 = 3 and range * range < 5",
];

faultSuite("connectors/duckdb", openEngine);

async function openEngine(): Promise<FaultEngine> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-duck-")));
  const path = join(folder, "faults.duckdb");
  /** Replaces a file that reader processes may have opened. */
  const write = async (...statements: readonly string[]) => {
    const next = join(folder, "next.duckdb");
    const instance = await DuckDBInstance.create(next);
    const connection = await instance.connect();
    for (const statement of [...setUp, ...statements]) await connection.run(statement);
    connection.closeSync();
    instance.closeSync();
    renameSync(next, path);
  };
  await write();
  const credentials = () => ({ host: path, properties: {} });
  let driver: DuckdbDriver | undefined;
  return {
    source: /DuckDB: /,
    // The engine's threads exist, and compute until the deadline.
    shortMs: 1_500,
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
    runningCount: "an engine's process lists no statements, and its threads also run between them",
    means: {
      kill: async () => killableReaders(credentials, () => driver?.pids() ?? []),
      network: "a file is read without a network",
      endIdle: "the kill above ends the engine, which has no connections of its own",
      pool: { most: Math.max(1, Math.floor(Number(process.env["UV_THREADPOOL_SIZE"] ?? 4) / 2)) },
      lock: {
        code: "PLUGIN_BUSY",
        async hold() {
          const program =
            'import { DuckDBInstance } from "@duckdb/node-api"; ' +
            `await DuckDBInstance.create(${JSON.stringify(path)}); console.log("open"); setInterval(() => {}, 1000);`;
          const writer = execFile(process.execPath, ["--input-type=module", "-e", program]);
          await once(writer.stdout!, "data");
          return async () => {
            const ended = once(writer, "exit");
            writer.kill("SIGKILL");
            await ended;
          };
        },
      },
      password: "a file has no password",
      tls: "a file is read without a network",
      change: {
        id: "main.moving",
        create: () => write("create table moving as select 1 as n, 'one' as word"),
        toText: () => write("create table moving as select 'now 1' as n, 'one' as word"),
        dropColumn: () => write("create table moving as select 'now 1' as n"),
        drop: () => write(),
      },
    },
    async close() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
