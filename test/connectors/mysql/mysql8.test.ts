import * as assert from "uvu/assert";
import { PluginError, rowsOfBatch } from "../../../plugins/protocol/index.ts";
import { createCertificate } from "../../support/certificate.ts";
import { suite } from "../../support/suite.ts";
import { openMysql } from "./mysqlConnector.ts";
import { openMysql8, type Mysql8Answer, type Mysql8Options } from "./openMysql8.ts";

const password = "canary-password";
const unsigned = 32;

const one = (name: string, value: string): Mysql8Answer => ({
  columns: [{ name }],
  rows: [[value]],
});

/** The columns of a table as MySQL 8 describes them: integers have no display width, and collations end with 0900. */
const described = [
  ["id", "bigint unsigned", null, "auto_increment"],
  ["small", "int", null, ""],
  ["isGood", "tinyint(1)", null, ""],
  ["word", "varchar(20)", "utf8mb4_0900_ai_ci", ""],
  ["at", "datetime(6)", null, "DEFAULT_GENERATED on update CURRENT_TIMESTAMP(6)"],
  ["doubled", "int", null, "VIRTUAL GENERATED"],
  ["hidden", "int", null, "INVISIBLE"],
  ["place", "geometry", null, ""],
] as const;

/** Answers the statements of the connector as MySQL 8 does. */
function answer(sql: string): Mysql8Answer {
  if (sql.startsWith("select version()")) return one("version()", "8.0.36");
  if (sql.startsWith("select @@max_execution_time")) return one("@@max_execution_time", "30000");
  if (/^(set|start transaction|rollback)/i.test(sql)) return "ok";
  // MySQL 8 names the columns of its catalog in capitals.
  if (/from information_schema\.tables/.test(sql))
    return {
      columns: [
        "TABLE_SCHEMA",
        "TABLE_NAME",
        "TABLE_TYPE",
        "TABLE_ROWS",
        "TABLE_COMMENT",
        "CREATE_OPTIONS",
        "AUTO_INCREMENT",
      ].map((name) => ({ name })),
      rows: [
        ["shop", "orders", "BASE TABLE", "2", "", "", "18"],
        [
          "shop",
          "broken",
          "VIEW",
          null,
          "View 'shop.broken' references invalid table(s) or column(s) or function(s) or definer/invoker of view lack rights to use them",
          null,
          null,
        ],
      ],
    };
  if (/from information_schema\.columns/.test(sql))
    return {
      columns: [
        "TABLE_SCHEMA",
        "TABLE_NAME",
        "COLUMN_NAME",
        "COLUMN_TYPE",
        "COLLATION_NAME",
        "EXTRA",
      ].map((name) => ({ name })),
      rows: described.map((row) => ["shop", "orders", ...row]),
    };
  if (sql.includes("too slow"))
    return {
      errno: 3024,
      message: "Query execution was interrupted, maximum statement execution time exceeded",
    };
  if (sql.includes("as metadata"))
    return {
      columns: [
        { name: "big", type: 8, collation: 63, flags: unsigned, length: 20 },
        { name: "amount", type: 246, collation: 63, length: 12, decimals: 2 },
        { name: "word", type: 253, collation: 255 },
        { name: "doc", type: 245, collation: 63, length: 4_294_967_295 },
        { name: "at", type: 12, collation: 63, length: 26, decimals: 6 },
        { name: "raw", type: 252, collation: 63, length: 65_535 },
      ],
      rows: [],
    };
  if (sql.startsWith("select * from"))
    return {
      columns: described.slice(0, 6).map(([name]) => ({ name, type: name === "id" ? 8 : 253 })),
      rows: [],
    };
  return {
    columns: [{ name: "c0", collation: 63 }],
    rows: [["18446744073709551615"], ["9007199254740993"], [null]],
  };
}

suite("connectors/mysql/mysql8", (test) => {
  const certificate = createCertificate({ name: "localhost" });
  const withServer = async (
    given: Partial<Mysql8Options>,
    run: (at: {
      readonly plugin: Awaited<ReturnType<typeof openMysql>>;
      readonly server: Awaited<ReturnType<typeof openMysql8>>;
      readonly callOf: (properties?: Readonly<Record<string, string>>, token?: string) => Call;
    }) => Promise<void>,
  ): Promise<void> => {
    const server = await openMysql8({ password, isCached: true, answer, ...given });
    const plugin = await openMysql();
    const callOf = (properties: Readonly<Record<string, string>> = {}, token = password) => ({
      credentials: {
        host: "127.0.0.1",
        key: "ada",
        token,
        properties: { port: String(server.port), scope: "shop", ssl: "disable", ...properties },
      },
      signal: AbortSignal.timeout(20_000),
    });
    try {
      await run({ plugin, server, callOf });
    } finally {
      await plugin.close?.();
      await server.close();
    }
  };
  type Call = Parameters<NonNullable<Awaited<ReturnType<typeof openMysql>>["authorize"]>>[0];
  const failureOf = async (running: Promise<unknown>): Promise<PluginError> => {
    const failure = await running.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.instance(failure, PluginError);
    if (failure instanceof PluginError) return failure;
    throw failure;
  };

  test("without TLS, a hash proves the password if the server has cached it", async () => {
    await withServer({}, async ({ plugin, server, callOf }) => {
      assert.equal(await plugin.authorize!(callOf()), { encryption: "clear" });
      assert.equal(server.logins, ["hash"]);
      const failure = await failureOf(plugin.authorize!(callOf({}, "wrong")));
      assert.is(failure.code, "PLUGIN_FORBIDDEN");
      assert.not.match(failure.message, /10\.0\.0\.1|wrong/);
    });
  });

  test("over TLS, the password itself is sent if the server has not cached it", async () => {
    await withServer({ certificate, isCached: false }, async ({ plugin, server, callOf }) => {
      const call = callOf({ ssl: "require" });
      assert.equal(await plugin.authorize!(call), { encryption: "encrypted" });
      assert.equal(server.logins, ["password"]);
      assert.is(
        (await failureOf(plugin.authorize!(callOf({ ssl: "require" }, "wrong")))).code,
        "PLUGIN_FORBIDDEN",
      );
    });
  });

  test("each session is read-only, in UTC and in the connector's SQL mode, with the shorter deadline in milliseconds", async () => {
    await withServer({}, async ({ plugin, server, callOf }) => {
      await plugin.authorize!(callOf());
      const sent = server.statements.join("\n");
      assert.match(sent, /set names utf8mb4/);
      assert.match(sent, /time_zone = '\+00:00'/);
      assert.match(
        sent,
        /sql_mode = 'NO_BACKSLASH_ESCAPES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'/,
      );
      assert.match(sent, /isolation level repeatable read, read only/);
      // The server's own deadline of 30 s is shorter than the minute of the connector.
      assert.match(sent, /set max_execution_time = 30000$/m);
      assert.not.match(sent, /max_statement_time/);
    });
  });

  test("the catalog of MySQL 8 is listed, without invisible columns, and a broken view says why it has no columns", async () => {
    await withServer({}, async ({ plugin, callOf }) => {
      const [orders, broken] = await plugin.datasets(callOf({ big_integers: "text" }));
      assert.equal(
        orders?.columns.map(({ id, type }) => [id, type]),
        [
          ["id", "hierarchy"],
          ["small", "numeric"],
          ["isGood", "numeric"],
          ["word", "hierarchy"],
          ["at", "datetime"],
          ["doubled", "numeric"],
        ],
      );
      const [numbered] = await plugin.datasets(callOf());
      assert.is(numbered?.notes, undefined, "the next number of `id` is far below 2^53");
      assert.equal(broken?.columns, []);
      assert.match(broken?.notes?.join() ?? "", /cannot read the view: .*references invalid table/);
    });
  });

  test("a statement's columns have the types of the protocol's metadata", async () => {
    await withServer({}, async ({ plugin, callOf }) => {
      const statement = { text: "select 1 as metadata", parameters: {} };
      const columns = await plugin.describe!({ ...callOf(), statement });
      assert.equal(
        columns.map(({ id, type }) => [id, type]),
        [
          ["big", "numeric"],
          ["amount", "numeric"],
          ["word", "hierarchy"],
          ["doc", "hierarchy"],
          ["at", "datetime"],
        ],
      );
    });
  });

  test("rows and filters of a 64-bit column keep all digits, and a string filter names the collation of MySQL 8", async () => {
    await withServer({}, async ({ plugin, server, callOf }) => {
      const query = {
        id: "shop.orders",
        columns: [{ column_id: "id" }],
        filters: [
          { column_id: "id", expression: "=" as const, value: ["18446744073709551615"] },
          { column_id: "word", expression: "=" as const, value: ["a"] },
        ],
        options: { pushdown: false },
      };
      const batch = await plugin.query({ ...callOf({ big_integers: "text" }), query });
      assert.equal(rowsOfBatch(batch), [["18446744073709551615"], ["9007199254740993"], [null]]);
      const sent = server.statements.at(-1) ?? "";
      assert.match(sent, /`id` in \(cast\(\? as unsigned\)\)/);
      assert.match(sent, /`word` = convert\(\? using utf8mb4\) collate utf8mb4_0900_ai_ci/);
    });
  });

  test("errors of MySQL 8 have the plugin's codes, and their messages show no user or address", async () => {
    await withServer({}, async ({ plugin, callOf }) => {
      const statement = { text: "select 'too slow' as x", parameters: {} };
      assert.is(
        (await failureOf(plugin.describe!({ ...callOf(), statement }))).code,
        "PLUGIN_TIMEOUT",
      );
    });
    const refusals = [
      [3118, "Access denied for user 'ada'@'10.0.0.1'. Account is locked.", "PLUGIN_FORBIDDEN"],
      [1040, "Too many connections", "PLUGIN_BUSY"],
      [1049, "Unknown database 'shop'", "PLUGIN_INVALID"],
      [1862, "Your password has expired.", "PLUGIN_FORBIDDEN"],
    ] as const;
    for (const [errno, message, code] of refusals)
      await withServer({ refusal: { errno, message } }, async ({ plugin, callOf }) => {
        const failure = await failureOf(plugin.authorize!(callOf()));
        assert.is(failure.code, code, message);
        assert.not.match(failure.message, /10\.0\.0\.1/);
      });
  });
});
