import type { Socket } from "node:net";
import { generateKeyPairSync } from "node:crypto";
import * as assert from "uvu/assert";
import { open as openClickhouse } from "../../connectors/clickhouse/index.ts";
import { open as openMysql } from "../../connectors/mysql/index.ts";
import { open as openPostgres } from "../../connectors/postgres/index.ts";
import type { OpenConnector, Reach } from "../../plugins/protocol/index.ts";
import { openListener } from "../support/openListener.ts";
import { failureOf } from "../support/refused.ts";
import { suite } from "../support/suite.ts";

const password = "canary-password";

/** Resolves every host to loopback, but tells the connector that the address is public or private. */
const reachOf = (isPublic: boolean): Reach => ({
  address: async () => "127.0.0.1",
  isPublic: () => isPublic,
  folders: [],
});

type Answer = (socket: Socket, part: Buffer, count: number) => void;

/** Starts a PostgreSQL server without TLS that requests the password with the given message. */
const postgres =
  (...authentication: readonly number[]): Answer =>
  (socket, part) => {
    if (part.length === 8) socket.write("N");
    else socket.write(Buffer.from([0x52, 0, 0, 0, 4 + authentication.length, ...authentication]));
  };
const clear = postgres(0, 0, 0, 3);
const md5 = postgres(0, 0, 0, 5, 1, 2, 3, 4);

const packet = (place: number, ...parts: readonly (Buffer | string | readonly number[])[]) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return Buffer.concat([Buffer.from([body.length, 0, 0, place]), body]);
};

/** Starts a MySQL server without TLS that greets with one authentication method and then switches to another. */
function mysql(
  greeted: string,
  ...answers: readonly Buffer[]
): { readonly greeting: Buffer; answer: Answer } {
  // The flags for protocol 4.1, secure connection and pluggable authentication, but not for TLS.
  const greeting = packet(
    0,
    [10],
    "8.0.36\0",
    [1, 0, 0, 0],
    "12345678\0",
    [0x08, 0x82, 0xff, 2, 0, 0x08, 0x00, 21],
    Buffer.alloc(10),
    "123456789012\0",
    `${greeted}\0`,
  );
  return {
    greeting,
    answer: (socket, _, count) => void (answers[count] && socket.write(answers[count])),
  };
}
const switchTo = (name: string) => packet(2, [0xfe], `${name}\0`, "12345678901234567890\0");
const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
const keyPacket = (place: number) => {
  const body = Buffer.concat([Buffer.from([1]), Buffer.from(pem)]);
  return Buffer.concat([Buffer.from([body.length & 255, body.length >> 8, 0, place]), body]);
};

suite("connectors: clear-text passwords", (test) => {
  interface Login {
    readonly open: OpenConnector;
    readonly answer: Answer;
    readonly greeting?: Buffer;
    readonly isPublic: boolean;
    readonly ssl?: string;
    readonly host?: string;
  }
  const refusedBy = async ({ open, answer, greeting, isPublic, ssl, host = "db.test" }: Login) => {
    const listener = await openListener(answer, greeting);
    const plugin = await open({ reach: reachOf(isPublic), timeoutMs: 60_000, sizeBytes: 2 ** 20 });
    try {
      const failure = await failureOf(
        plugin.authorize!({
          credentials: {
            host,
            key: "ada",
            token: password,
            properties: { port: String(listener.port), ...(ssl !== undefined && { ssl }) },
          },
          signal: new AbortController().signal,
        }),
      );
      const heard = Buffer.concat(listener.heard);
      assert.not(heard.includes(password), "the password");
      assert.not.match(failure.message, password);
      return { failure, heard };
    } finally {
      await plugin.close?.();
      await listener.close();
    }
  };

  for (const [isPublic, ssl] of [
    [false, undefined],
    [false, "disable"],
    [true, "disable"],
    [true, "prefer"],
  ] as const)
    test(`a PostgreSQL server without TLS never receives the password in clear text (address: ${isPublic ? "public" : "private"}, ssl: ${ssl ?? "not set"})`, async () => {
      const { failure } = await refusedBy({
        open: openPostgres,
        answer: clear,
        isPublic,
        ...(ssl && { ssl }),
      });
      assert.is(failure.code, "PLUGIN_INVALID");
      assert.match(failure.message, /requests the password in clear .* without TLS/);
    });

  test("a PostgreSQL server without TLS receives an MD5 hash of the password only at a private address", async () => {
    const login = { open: openPostgres, answer: md5, ssl: "prefer" };
    const { failure, heard } = await refusedBy({ ...login, isPublic: true });
    assert.match(failure.message, /as an MD5 hash/);
    assert.not(heard.includes("md5"));
    const listener = await openListener((socket, part, count) => {
      md5(socket, part, count);
      if (part.includes("md5")) socket.destroy();
    });
    const plugin = await openPostgres({
      reach: reachOf(false),
      timeoutMs: 60_000,
      sizeBytes: 2 ** 20,
    });
    const properties = { port: String(listener.port) };
    const credentials = { host: "db.test", key: "ada", token: password, properties };
    const { signal } = new AbortController();
    await failureOf(plugin.authorize!({ credentials, signal }));
    assert.ok(Buffer.concat(listener.heard).includes("md5"));
    await plugin.close?.();
    await listener.close();
  });

  for (const open of [openPostgres, openMysql])
    test(`by default, a ${open === openPostgres ? "PostgreSQL" : "MySQL"} server at a public address receives no credentials if it has no TLS`, async () => {
      const { greeting, answer } = mysql("mysql_native_password");
      const { failure, heard } = await refusedBy({
        open,
        isPublic: true,
        ...(open === openPostgres ? { answer: clear } : { answer, greeting }),
      });
      assert.match(failure.message, /TLS|encryption/);
      assert.not(heard.includes("ada"));
    });

  for (const [what, { greeting, answer }] of [
    ["mysql_clear_password", mysql("mysql_native_password", switchTo("mysql_clear_password"))],
    [
      "mysql_clear_password in its greeting",
      mysql("mysql_clear_password", switchTo("mysql_clear_password")),
    ],
    ["sha256_password", mysql("mysql_native_password", switchTo("sha256_password"), keyPacket(4))],
    [
      "sha256_password in its greeting",
      mysql("sha256_password", switchTo("sha256_password"), keyPacket(4)),
    ],
    [
      "caching_sha2_password and a full login",
      mysql(
        "caching_sha2_password",
        switchTo("caching_sha2_password"),
        packet(4, [1, 4]),
        keyPacket(6),
      ),
    ],
    ["mysql_old_password", mysql("mysql_native_password", switchTo("mysql_old_password"))],
    ["dialog", mysql("mysql_native_password", switchTo("dialog"))],
  ] as const)
    for (const ssl of ["disable", "prefer"])
      test(`a MySQL server without TLS that requests ${what} receives no password (ssl: ${ssl})`, async () => {
        const { failure, heard } = await refusedBy({
          open: openMysql,
          answer,
          greeting,
          isPublic: ssl === "disable",
          ssl,
        });
        assert.ok(failure.status >= 400);
        // A password that was encrypted with a key has the length of the key.
        const longest = Math.max(
          ...heard
            .toString("latin1")
            .split("\0")
            .map((part) => part.length),
        );
        assert.ok(longest < 200, `${longest} bytes`);
      });

  test("a MySQL host given as a public IP address is refused before anything is sent", async () => {
    const { greeting, answer } = mysql("mysql_native_password");
    const login = { open: openMysql, answer, greeting, isPublic: true };
    const { failure, heard } = await refusedBy({ ...login, host: "203.0.113.7" });
    assert.match(failure.message, /set host to the server's name, or set ssl to verify-ca/);
    assert.is(heard.length, 0);
  });

  test("a ClickHouse account with a public address over plain HTTP is refused unless its ssl member is set to disable", async () => {
    const answer: Answer = (socket) => socket.end("HTTP/1.1 500 x\r\ncontent-length: 0\r\n\r\n");
    for (const host of ["db.test", "http://db.test/x"]) {
      const login = { open: openClickhouse, answer, host };
      const { failure, heard } = await refusedBy({ ...login, isPublic: true });
      assert.is(failure.code, "PLUGIN_INVALID");
      assert.match(failure.message, /public address.*https:\/\/db\.test:8443/);
      assert.is(heard.length, 0);
      for (const stated of [{ isPublic: true, ssl: "disable" }, { isPublic: false }])
        assert.ok((await refusedBy({ ...login, ...stated })).heard.length > 0);
    }
  });
});
