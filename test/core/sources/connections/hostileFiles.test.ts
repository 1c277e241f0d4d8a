// This file costs more than three seconds, because a process with DuckDB or SQLite reads each file.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import * as assert from "uvu/assert";
import { type Client, ClientError } from "../../../../core/web/client/index.ts";
import { amplifyingFiles } from "../../../plugins/rows/formats/amplifyingFiles.ts";
import { eventually } from "../../../support/eventually.ts";
import { fillDataFolder } from "../../../support/fillDataFolder.ts";
import { startHostProcess } from "../../../support/hostProcess.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople } from "../../openPeople.ts";

interface Offered {
  readonly rows: readonly { readonly table: string; readonly columns: readonly unknown[] }[];
}

const residentBytes = (pid: number): number =>
  1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);

interface Host {
  readonly url: string;
  /** The id of the process that runs the host. */
  readonly pid: number;
  readonly client: Client;
  close(): Promise<void>;
}

/** Opens a host in this process. */
async function openHere(folder: string): Promise<Host> {
  const { host, owner, close } = await openPeople({ fileFolders: [folder] });
  return { url: host.url, pid: process.pid, client: owner, close };
}

/** Starts a host in a separate process with its own memory. */
async function openApart(folder: string): Promise<Host> {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-hostile-data-"));
  await fillDataFolder(dataDir);
  const host = await startHostProcess(dataDir, { MANIFOLD_FILE_FOLDERS: folder });
  return {
    ...host,
    async close() {
      await host.end("SIGTERM");
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const openHost = rounds({ quick: openHere, deep: openApart });

suite("core/host with hostile files", (test) => {
  let folder: string;
  let host: Host;
  test.before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-hostile-")));
    host = await openHost(folder);
  });
  test.after(async () => {
    await host?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Lists the tables of a file, or returns the error. Meanwhile, it checks the health of the host. */
  const list = async (provider: string, name: string): Promise<Offered | ClientError> => {
    let isDone = false;
    const listing = host.client
      .create<{ id: string }>("account", { provider, name, host: name })
      .then(({ id }) => host.client.get<Offered>("dataprovider", { provider, account_id: id }))
      .catch((failure: unknown) => {
        assert.instance(failure, ClientError, String(failure));
        return failure as ClientError;
      })
      .finally(() => (isDone = true));
    while (!isDone) {
      const health = await fetch(`${host.url}/healthz`);
      assert.is(health.status, 200);
      await health.body?.cancel();
      await sleep(100);
    }
    return listing;
  };
  const refusalOf = async (provider: string, name: string): Promise<string> => {
    const answer = await list(provider, name);
    assert.instance(answer, ClientError, JSON.stringify(answer).slice(0, 300));
    const { status, message } = answer as ClientError;
    assert.ok(status >= 400 && status < 500, `${status} ${message}`);
    return message;
  };

  for (const { title, name, build, refusal } of amplifyingFiles) {
    // test/plugins/rows runs the readers with each of these files.
    test.deep(`a file with ${title} (${name}) affects no other caller`, async () => {
      writeFileSync(join(folder, name), build());
      const before = residentBytes(host.pid);
      const answer = await list("files", name);
      rmSync(join(folder, name));
      // A host that waits for processor time collects its garbage later.
      await eventually(
        () => residentBytes(host.pid) - before < 300 * 2 ** 20,
        "the host has grown by less than 300 MiB",
      );
      if (!(answer instanceof ClientError)) {
        // Some files fail only when their rows are read.
        assert.is(answer.rows.length > 0, true);
        return;
      }
      assert.ok(refusal ?? answer.message.includes("takes longer than"), answer.message);
      assert.is(answer.status, 422, answer.message);
      assert.match(answer.message, name);
    });
  }

  test("listing a damaged DuckDB database fails", async () => {
    writeFileSync(join(folder, "broken.duckdb"), Buffer.alloc(2 ** 16, 7));
    assert.match(await refusalOf("duckdb", "broken.duckdb"), "DuckDB");
  });

  // The tests of the connector damage every part of a database.
  test.deep("reading a DuckDB database with a damaged block fails", async () => {
    const path = join(folder, "block.duckdb");
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    await connection.run("create table t as select range as n, 'x' || range as s from range(1000)");
    connection.closeSync();
    instance.closeSync();
    const bytes = readFileSync(path);
    // The blocks of the file follow three headers of 4 KiB each.
    for (let at = 3 * 4096; at < bytes.length; at += 1000) bytes[at]! ^= 0x55;
    writeFileSync(path, bytes);
    assert.match(await refusalOf("duckdb", "block.duckdb"), "the file is damaged or truncated");
  });

  test.deep("reading an SQLite value of 900 MB fails", async () => {
    const path = join(folder, "large.sqlite");
    const database = new DatabaseSync(path);
    database.exec("create table t (a, b as (zeroblob(900000000)))");
    database.exec("insert into t (a) values (1)");
    database.close();
    assert.match(await refusalOf("sqlite", "large.sqlite"), "larger than the limit for answers");
  });

  test("listing an SQLite table with a name of 100,000 characters fails", async () => {
    const path = join(folder, "name.sqlite");
    const database = new DatabaseSync(path);
    database.exec(`create table "${"n".repeat(100_000)}" (a)`);
    database.close();
    assert.match(
      await refusalOf("sqlite", "name.sqlite"),
      "the name of a table must have at most 500 characters, not 100,000",
    );
  });

  test("listing an SQLite file whose schema is not SQL fails", async () => {
    const path = join(folder, "schema.sqlite");
    const database = new DatabaseSync(path);
    database.exec(`create table t (${"a".repeat(100)})`);
    database.close();
    const bytes = readFileSync(path);
    bytes.fill("(", bytes.indexOf("aaaa"), bytes.indexOf("aaaa") + 100);
    writeFileSync(path, bytes);
    assert.match(await refusalOf("sqlite", "schema.sqlite"), "SQLite");
  });

  test("an SQLite view with endless rows does not prevent listing the tables of its file", async () => {
    const path = join(folder, "views.sqlite");
    const database = new DatabaseSync(path);
    database.exec("create table t (a)");
    database.exec(
      "create view v as with recursive r(n) as (select 1 union all select n + 1 from r) select n from r",
    );
    database.close();
    const listed = await list("sqlite", "views.sqlite");
    assert.not(listed instanceof ClientError, String(listed));
  });
});
