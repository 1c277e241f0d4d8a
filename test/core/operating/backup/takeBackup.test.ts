import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client as PgClient } from "pg";
import * as assert from "uvu/assert";
import { runBackupCommand, runRestoreCommand } from "../../../../core/operating/backup/index.ts";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import { openHost } from "../../../../core/host.ts";
import { runSecretCommand } from "../../../../core/operating/secrets/index.ts";
import { openEmptyDatabase, openTestCatalog } from "../../../support/catalog.ts";
import { testOptions, testSecret } from "../../../support/openTestHost.ts";
import { suite } from "../../../support/suite.ts";
import { problemOf } from "./problemOf.ts";

const passphrase = "a passphrase of the tests";
const key = "5f0c2b5e-3a71-4c1e-9c55-0d3f6b0a4e11";
const token = "a-token-of-the-tests-only-0123456789abcdef";

interface BackupDestination {
  readonly dataDir: string;
  readonly databaseUrl: string;
}

const openAt = ({ dataDir, databaseUrl }: BackupDestination, secret = testSecret) =>
  openHost({
    ...testOptions,
    dataDir,
    databaseUrl,
    secret,
    key,
    token,
    warmUp: false,
  });

/** Runs a backup command and returns its lines of output. */
async function run(
  command: typeof runBackupCommand,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string[]> {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  await command(args, { environment, write, note: write });
  return lines;
}

const environmentOf = ({ dataDir, databaseUrl }: BackupDestination) => ({
  MANIFOLD_DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
  MANIFOLD_SECRET: testSecret,
});

/** Returns every row of every catalog table, without the values that a host writes at each start. */
async function recordsOf(databaseUrl: string): Promise<Record<string, string[]>> {
  const client = new PgClient({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' order by 1",
    );
    const records = new Map<string, string[]>();
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `select t::text as row from public.${name} t order by 1`,
      );
      records.set(
        name,
        rows.map(({ row }) => row),
      );
    }
    return Object.fromEntries(records);
  } finally {
    await client.end();
  }
}

interface Pushed {
  readonly id: string;
  readonly columnIds: readonly string[];
}

async function createDataset(
  client: Client,
  name: string,
  rows: readonly unknown[],
): Promise<Pushed> {
  const { rows: made } = await client.create<{
    rows: readonly { id: string; columns: readonly { id: string }[] }[];
  }>("data", {
    type: "create",
    data: rows,
    options: { header: ["n", "text"], name: { en: name } },
  });
  const [dataset] = made;
  return { id: String(dataset?.id), columnIds: dataset?.columns.map(({ id }) => id) ?? [] };
}

async function cellsOf(client: Client, { id, columnIds }: Pushed): Promise<unknown> {
  const answer = await client.get<Record<string, unknown>>("data", {
    dimensions: columnIds.map((column_id) => ({ dataset_id: id, column_id })),
    measures: [],
    limit: { by: 100_000 },
  });
  return answer["data"];
}

suite("core/operating/backup/takeBackup", (test) => {
  const folders: string[] = [];
  const makeFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), "manifold-backup-"));
    folders.push(folder);
    return folder;
  };
  test.after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  const rowsFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_, row) => [first + row, `text ${(first + row) % 9}`]);

  test("a restored host has the same data, and only encrypted destinations contain secrets", async () => {
    const catalog = await openTestCatalog();
    const database = await openEmptyDatabase();
    const from = { dataDir: makeFolder(), databaseUrl: catalog.databaseUrl };
    const to = { dataDir: makeFolder(), databaseUrl: database.databaseUrl };
    const destination = makeFolder();
    const host = await openAt(from);
    try {
      const client = createClient({ url: host.url, key, token });
      const dataset = await createDataset(client, "Still", rowsFrom(0, 500));
      const { secret } = await client.create<{ secret: string }>("plugin", {
        slug: "mine",
        name: { en: "Mine" },
        base_url: "https://plugin.example.org",
      });
      await client.update("data", dataset.id, {
        data: [
          [7, "changed"],
          [-1, "inserted"],
        ],
        options: { header: ["n", "text"], key: ["n"] },
      });
      const cells = await cellsOf(client, dataset);
      await run(runBackupCommand, [destination], environmentOf(from));
      // From here on nobody writes. The command opens the folder of the stopped host.
      await host.close();
      const [, written] = await run(
        runBackupCommand,
        [destination, "--keep", "1"],
        environmentOf(from),
      );
      assert.match(written ?? "", /^0\.\d MiB written/);
      assert.is((await run(runBackupCommand, [destination, "--list"], {})).length, 1);
      await run(runRestoreCommand, [destination], environmentOf(to));
      assert.equal(await recordsOf(to.databaseUrl), await recordsOf(from.databaseUrl));
      const restored = await openAt(to);
      try {
        const other = createClient({ url: restored.url, key, token });
        assert.equal(await cellsOf(other, dataset), cells);
      } finally {
        await restored.close();
      }
      const text = readdirSync(destination, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
        .join("");
      assert.not(text.includes(testSecret));
      assert.ok(secret.length > 10 && !text.includes(secret));
    } finally {
      await host.close();
      await database.close();
      await catalog.close();
    }
  });

  test.deep(
    "a backup that is taken during pushes contains every push made before it and none made after it",
    async () => {
      const catalog = await openTestCatalog();
      const from = { dataDir: makeFolder(), databaseUrl: catalog.databaseUrl };
      const vault = makeFolder();
      const host = await openAt(from);
      const sealing = { MANIFOLD_BACKUP_PASSPHRASE: passphrase };
      try {
        const client = createClient({ url: host.url, key, token });
        const still = await createDataset(client, "Still", rowsFrom(0, 500));
        const growing = await createDataset(client, "Growing", rowsFrom(0, 10));
        for (let round = 0; round < 6; round++) {
          /** Number of rows of the growing dataset whose push was acknowledged. */
          let acknowledged = 10;
          let isEnding = false;
          const push = (type: string, rows: readonly unknown[]) =>
            client.create<unknown>("data", { type, securable_id: growing.id, data: rows });
          await push("replace", rowsFrom(0, acknowledged));
          const pushing = (async () => {
            while (!isEnding) {
              await push("append", rowsFrom(acknowledged, 5));
              acknowledged += 5;
            }
          })();
          while (acknowledged < 30) await new Promise((resolve) => setImmediate(resolve));
          const before = acknowledged;
          await run(runBackupCommand, [vault], { ...environmentOf(from), ...sealing });
          isEnding = true;
          await pushing;
          const database = await openEmptyDatabase();
          try {
            const to = { dataDir: makeFolder(), databaseUrl: database.databaseUrl };
            const environment = { ...environmentOf(to), ...sealing };
            const [checked] = await run(runRestoreCommand, [vault, "--check"], environment);
            assert.match(checked ?? "", /is complete/);
            await run(runRestoreCommand, [vault], environment);
            const restored = await openAt(to);
            try {
              const other = createClient({ url: restored.url, key, token });
              assert.equal(await cellsOf(other, still), await cellsOf(client, still));
              const cells = await cellsOf(other, growing);
              const all = await cellsOf(client, growing);
              assert.ok(Array.isArray(cells) && Array.isArray(all));
              assert.ok(cells.length >= before && cells.length <= acknowledged);
              assert.is((cells.length - 10) % 5, 0);
              assert.equal(cells, all.slice(0, cells.length));
              const { rows } = await other.get("securable", { where: { id: growing.id } });
              assert.is(rows[0]?.["rows"], cells.length);
            } finally {
              await restored.close();
            }
          } finally {
            await database.close();
          }
        }
      } finally {
        await host.close();
        await catalog.close();
      }
    },
  );

  test("a restore refuses existing data, a wrong secret, a missing piece and a newer catalog", async () => {
    const catalog = await openTestCatalog();
    const empty = await openEmptyDatabase();
    const from = { dataDir: makeFolder(), databaseUrl: catalog.databaseUrl };
    const destination = makeFolder();
    const host = await openAt(from);
    await host.close();
    try {
      // The host has stopped, so the command opens its folder.
      await run(runBackupCommand, [destination], environmentOf(from));
      const to = { dataDir: makeFolder(), databaseUrl: empty.databaseUrl };
      const restore = (args: readonly string[], environment: Readonly<Record<string, string>>) =>
        problemOf(run(runRestoreCommand, [destination, ...args], environment));
      assert.match(await restore([], environmentOf(from)), /into an empty data folder/);
      const full = { ...to, databaseUrl: from.databaseUrl };
      assert.match(await restore([], environmentOf(full)), /into an empty database/);
      const other = { ...environmentOf(to), MANIFOLD_SECRET: "another secret of the tests" };
      assert.match(await restore([], other), /MANIFOLD_SECRET is not the secret/);
      const { MANIFOLD_SECRET: _, ...none } = environmentOf(to);
      assert.match(await restore([], none), /MANIFOLD_SECRET must be the secret/);
      assert.match(
        await restore(["--backup", "none"], environmentOf(to)),
        /the backup none does not exist/,
      );
      const [recordFile = ""] = readdirSync(join(destination, "backups"));
      const path = join(destination, "backups", recordFile);
      const record = readFileSync(path, "utf8");
      writeFileSync(path, record.replace('"migrations":[', '"migrations":["999Later",'));
      assert.match(await restore([], environmentOf(to)), /newer version.*999Later/);
      writeFileSync(path, record.replace('"001Schema"', '"001First"'));
      assert.match(await restore([], environmentOf(to)), /taken by a build before release 0\.1\.0/);
      writeFileSync(path, record.replace('"format":1', '"format":9'));
      assert.match(
        await restore([], environmentOf(to)),
        /damaged, or was written by another version/,
      );
      writeFileSync(path, record);
      const [piece = ""] = JSON.parse(record).catalog.tables.flatMap(
        ({ pieces }: { pieces: string[] }) => pieces,
      );
      const file = join(destination, "pieces", piece.slice(0, 2), piece);
      const bytes = readFileSync(file);
      rmSync(file);
      assert.match(await restore(["--check"], environmentOf(to)), /is incomplete/);
      assert.match(await restore([], environmentOf(to)), /is incomplete/);
      writeFileSync(file, bytes);
    } finally {
      await empty.close();
      await catalog.close();
    }
  });

  test.deep(
    "after a failed restore, the same backup can be restored with another secret",
    async () => {
      const catalog = await openTestCatalog();
      const empty = await openEmptyDatabase();
      const from = { dataDir: makeFolder(), databaseUrl: catalog.databaseUrl };
      const to = { dataDir: makeFolder(), databaseUrl: empty.databaseUrl };
      const destination = makeFolder();
      const host = await openAt(from);
      await host.close();
      try {
        await run(runBackupCommand, [destination], environmentOf(from));
        const [piece = ""] = readdirSync(join(destination, "pieces"), {
          recursive: true,
          withFileTypes: true,
        })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name));
        const bytes = readFileSync(piece);
        rmSync(piece);
        const failed = run(runRestoreCommand, [destination], environmentOf(to));
        assert.match(await problemOf(failed), /is incomplete/);
        writeFileSync(piece, bytes);
        // The secret was changed after the backup.
        const fresh = "a secret after the backup";
        const changed = {
          ...environmentOf(to),
          MANIFOLD_SECRET: fresh,
          MANIFOLD_SECRET_PREVIOUS: testSecret,
        };
        await run(runRestoreCommand, [destination], changed);
        const write = () => undefined;
        assert.is(await runSecretCommand(["rotate"], { environment: changed, write }), 0);
        const restored = await openAt(to, fresh);
        await restored.close();
      } finally {
        await empty.close();
        await catalog.close();
      }
    },
  );

  test("the error for a wrong argument of backup or restore names the argument", async () => {
    const destination = makeFolder();
    const refusals: [typeof runBackupCommand, string[], RegExp][] = [
      [runBackupCommand, [], /backup requires a destination/],
      [runBackupCommand, ["a", "b"], /one destination/],
      [runBackupCommand, [destination, "--keep", "0"], /--keep must be a whole number/],
      [runBackupCommand, [destination, "--list", "--keep", "1"], /not both/],
      [
        runBackupCommand,
        [destination, "--data-dir", makeFolder()],
        /not the data folder of a host/,
      ],
      [
        runBackupCommand,
        [destination, "--data-dir", destination],
        /is in the data folder .*lost with it/,
      ],
      [
        runBackupCommand,
        [join(destination, "a"), "--data-dir", destination],
        /is in the data folder/,
      ],
      [runRestoreCommand, [makeFolder()], /contains no backups/],
      [runRestoreCommand, [destination, "--unknown"], /unknown/],
    ];
    for (const [command, args, problem] of refusals)
      assert.match(await problemOf(run(command, args, {})), problem);
  });
});
