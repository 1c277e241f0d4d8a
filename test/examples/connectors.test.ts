import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { needsClickhouse, openClickhouseDatabase } from "../support/clickhouseDatabase.ts";
import { fillDataFolder } from "../support/fillDataFolder.ts";
import { needsMariadb, openMariadbDatabase } from "../support/mariadbDatabase.ts";
import { suite } from "../support/suite.ts";
import { openExamplePostgres } from "./examplePostgres.ts";

const main = fileURLToPath(new URL("../../examples/connectors/main.ts", import.meta.url));
const run = promisify(execFile);

/**
 * Runs the example. Checks that it prints the three states with the most airports, and that the database computed the
 * complete answer.
 */
async function check(
  provider: string,
  environment: Readonly<Record<string, string>> = {},
  rows = /California +3\n +New York +2\n +Texas +2\n/,
) {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-connector-test-"));
  try {
    await fillDataFolder(dataDir);
    const { stdout } = await run(
      process.execPath,
      ["--conditions=manifold-source", main, provider],
      { env: { ...process.env, MANIFOLD_DATA_DIR: dataDir, ...environment } },
    );
    assert.match(stdout, rows);
    if (provider !== "files" && provider !== "rest")
      assert.match(stdout, `Explained: whole, by ${provider}`);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function addressOf(scheme: string, user: string, password: string, place: string): string {
  const address = new URL(`${scheme}://${place}`);
  address.username = user;
  address.password = password;
  return address.href;
}

suite("examples/connectors", (test) => {
  test.deep("the SQLite example queries an SQLite file", () => check("sqlite"));
  test.deep("the files example queries a CSV file", () => check("files"));
  test("the REST documentation shows the example's description of an API in at most 20 lines", () => {
    const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
    const description = read("examples/connectors/worldBank.json").trimEnd().split("\n");
    assert.ok(description.length <= 20, `${description.length} lines`);
    const shown = `\`\`\`json api\n${description.join("\n")}\n\`\`\``;
    assert.ok(
      read("docs/connectors/rest.md").includes(shown),
      "the page shows a different description",
    );
  });
  test.deep("the public API example queries all pages of recorded responses", () =>
    check(
      "rest",
      {},
      /Europe & Central Asia +4\n +Sub-Saharan Africa +3\n +East Asia & Pacific +2\n/,
    ),
  );
  test.deep("the DuckDB example queries a DuckDB file", () => check("duckdb"));
  test.deep("the PostgreSQL example queries a PostgreSQL server", async () => {
    const postgres = await openExamplePostgres();
    try {
      await check("postgresql", postgres.environment);
    } finally {
      await postgres.close();
    }
  });
  test.deep(
    "the connector example explains what to do about an unknown connector or a missing server",
    async () => {
      for (const [provider, pattern] of [
        [
          "oracle",
          /the connector must be one of sqlite, duckdb, postgresql, mysql, clickhouse, files, rest/,
        ],
        ["mysql", /set MANIFOLD_EXAMPLE_MYSQL to mysql:/],
      ] as const) {
        const failure = await run(
          process.execPath,
          ["--conditions=manifold-source", main, provider],
          { env: { ...process.env } },
        ).catch(String);
        assert.match(String(failure), pattern);
      }
    },
  );
});

suite(
  "examples/connectors with MariaDB",
  (test) => {
    test.deep("the MySQL example queries a MariaDB server", async () => {
      const database = await openMariadbDatabase();
      try {
        const { host, port, user, password } = database;
        const place = `${host}:${port}/${database.database}`;
        await check("mysql", {
          MANIFOLD_EXAMPLE_MYSQL: addressOf("mysql", user, password, place),
        });
      } finally {
        await database.close();
      }
    });
  },
  needsMariadb,
);

suite(
  "examples/connectors with ClickHouse",
  (test) => {
    test.deep("the ClickHouse example queries a ClickHouse server", async () => {
      const database = await openClickhouseDatabase();
      try {
        const { host, port, admin } = database;
        const place = `${host}:${port}/${database.database}`;
        await check("clickhouse", {
          MANIFOLD_EXAMPLE_CLICKHOUSE: addressOf("http", admin.name, admin.password, place),
        });
      } finally {
        await database.close();
      }
    });
  },
  needsClickhouse,
);
