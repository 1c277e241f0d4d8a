import { createServer, type Server } from "node:net";
import { once } from "node:events";
import * as assert from "uvu/assert";
import { open } from "../../../connectors/postgres/index.ts";
import { openReach } from "../../support/openReach.ts";
import { openPostgresDatabase } from "../../support/postgresDatabase.ts";
import { failureOf } from "../../support/refused.ts";
import { suite } from "../../support/suite.ts";
import { rowsOfStatement } from "../statementSuite.ts";

/** Creates a message of the protocol that states `length` as its own length. */
function message(kind: string, body: readonly number[], length = 4 + body.length): Buffer {
  const header = Buffer.alloc(5);
  header.write(kind, "latin1");
  header.writeUInt32BE(length, 1);
  return Buffer.concat([header, Buffer.from(body)]);
}

/** Opens a server that sends the same bytes to every client. */
async function openServer(answer: Buffer): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => void socket.write(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

suite("connectors/postgres/guardMessages", (test) => {
  const answers: readonly (readonly [what: string, answer: Buffer, reason: RegExp])[] = [
    ["an unknown authentication method", message("R", [0, 0, 0, 99]), /cannot be read/],
    ["a row that ends before its last column", message("D", [0x7f, 0xff]), /cannot be read/],
    ["a message of four gigabytes", message("D", [0, 1], 0xff_ff_ff_ff), /larger than 64 MiB/],
    [
      "a message of a gigabyte after another message",
      Buffer.concat([message("N", [0]), message("D", [0, 1], 2 ** 30)]),
      /larger than 64 MiB/,
    ],
  ];
  for (const [what, answer, reason] of answers)
    test(`${what} from the server closes the connection but does not stop the process`, async () => {
      const server = await openServer(answer);
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const plugin = await open({ reach: openReach(), timeoutMs: 20_000, sizeBytes: 2 ** 26 });
      const credentials = {
        host: "127.0.0.1",
        key: "reader",
        token: "x",
        properties: { port: String(port), ssl: "disable" },
      };
      const signal = new AbortController().signal;
      const failure = await failureOf(plugin.authorize!({ credentials, signal }));
      assert.match(failure.message, reason);
      await plugin.close?.();
      server.close();
    });

  test.deep("a query fails before it reads a row of more than 64 MiB", async () => {
    const database = await openPostgresDatabase();
    await database.run("create table t as select 70000000 as length");
    const plugin = await open({ reach: openReach(), timeoutMs: 60_000, sizeBytes: 2 ** 30 });
    const engine = { plugin, credentials: database.credentials };
    const failure = await failureOf(
      rowsOfStatement(engine, "select repeat('a', length) as x from t"),
    );
    assert.is(failure.code, "PLUGIN_INVALID");
    assert.match(failure.message, /a row of the answer is larger than 64 MiB/);
    assert.equal(await rowsOfStatement(engine, "select 'b' as x from t"), [["b"]]);
    await plugin.close?.();
    await database.close();
  });

  test.deep("a query fails if a block of rows is too large for memory", async () => {
    const database = await openPostgresDatabase();
    await database.run("create table t as select 30000000 as length from generate_series(1, 20)");
    const plugin = await open({ reach: openReach(), timeoutMs: 60_000, sizeBytes: 2 ** 30 });
    const engine = { plugin, credentials: database.credentials };
    const text = "select repeat('a', length) as x from t";
    assert.match((await failureOf(rowsOfStatement(engine, text))).message, /block of rows/);
    await plugin.close?.();
    await database.close();
  });
});
