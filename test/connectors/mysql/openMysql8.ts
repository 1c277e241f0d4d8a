import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { TLSSocket, createSecureContext } from "node:tls";
import type { TestCertificate } from "../../support/certificate.ts";

/*
 * A stand-in for MySQL 8, for which Debian has no package. It speaks the part of the protocol that the connector uses,
 * as MySQL's documentation describes it (Client/Server Protocol: Connection Phase, caching_sha2_password, Text
 * Protocol, Prepared Statements), and answers with the metadata of MySQL 8.
 */

/** A column of an answer, as the server describes it. */
export interface Mysql8Column {
  readonly name: string;
  /** Number of the type; 253 is `varchar`. */
  readonly type?: number;
  /** Number of the collation; 255 is utf8mb4_0900_ai_ci, 63 is binary. */
  readonly collation?: number;
  readonly flags?: number;
  readonly length?: number;
  readonly decimals?: number;
}

export type Mysql8Answer =
  | "ok"
  | {
      readonly columns: readonly Mysql8Column[];
      readonly rows: readonly (readonly (string | null)[])[];
    }
  | { readonly errno: number; readonly message: string };

export interface Mysql8Options {
  readonly password: string;
  /** Whether the server has cached the password, so that a hash of it is enough. */
  readonly isCached: boolean;
  /** The certificate of the server. Absent: the server offers no TLS. */
  readonly certificate?: TestCertificate;
  /** Refuses the login with this error instead. */
  readonly refusal?: { readonly errno: number; readonly message: string };
  answer(sql: string): Mysql8Answer;
}

export interface Mysql8 {
  readonly port: number;
  /** The statements that arrived, in order. */
  readonly statements: readonly string[];
  /** How each login proved the password: with a hash, or with the password itself over TLS. */
  readonly logins: readonly ("hash" | "password")[];
  close(): Promise<void>;
}

const salt = "abcdefgh0123456789AB";
const version = "8.0.36";
/** Flags: 4.1, found rows, databases, transactions, secure connection, multiple results, named authentication. */
const flags = 0x00_2a_a2_0f;
const tlsFlag = 0x0800;

const int = (value: number, sizeBytes: number) => {
  const bytes = Buffer.alloc(sizeBytes);
  bytes.writeUIntLE(value, 0, sizeBytes);
  return bytes;
};
const lengthOf = (value: number) =>
  value < 251 ? int(value, 1) : Buffer.concat([Buffer.from([0xfc]), int(value, 2)]);
const text = (value: string) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([lengthOf(bytes.length), bytes]);
};
const packet = (place: number, ...parts: readonly (Buffer | readonly number[])[]) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([int(body.length, 3), int(place, 1), body]);
};
const sha256 = (...parts: readonly (string | Buffer)[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const greeting = (hasTls: boolean) =>
  packet(
    0,
    [10],
    Buffer.from(`${version}\0`),
    int(7, 4),
    Buffer.from(`${salt.slice(0, 8)}\0`),
    int((flags | (hasTls ? tlsFlag : 0)) & 0xff_ff, 2),
    [255],
    int(2, 2),
    int(flags >>> 16, 2),
    [21],
    Buffer.alloc(10),
    Buffer.from(`${salt.slice(8)}\0caching_sha2_password\0`),
  );

const ok = (place: number) => packet(place, [0, 0, 0, 2, 0, 0, 0]);
const end = (place: number) => packet(place, [0xfe, 0, 0, 2, 0]);
const failed = (place: number, errno: number, message: string) =>
  packet(place, [0xff], int(errno, 2), Buffer.from(`#HY000${message}`));

const columnPacket = (
  place: number,
  { name, type = 253, collation = 255, flags: own = 0, length = 1020, decimals = 0 }: Mysql8Column,
) =>
  packet(
    place,
    ...["def", "", "", "", name, name].map(text),
    [0x0c],
    int(collation, 2),
    int(length, 4),
    [type],
    int(own, 2),
    [decimals, 0, 0],
  );

/** Returns the proof that `caching_sha2_password` requires of a client. */
function proofOf(password: string): Buffer {
  const first = sha256(password);
  const second = sha256(sha256(first), salt);
  return Buffer.from(first.map((byte, index) => byte ^ second[index]!));
}

export async function openMysql8(options: Mysql8Options): Promise<Mysql8> {
  const statements: string[] = [];
  const logins: ("hash" | "password")[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    serve(socket, options, { statements, logins });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    statements,
    logins,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

interface Heard {
  readonly statements: string[];
  readonly logins: ("hash" | "password")[];
}

function serve(raw: Socket, options: Mysql8Options, { statements, logins }: Heard): void {
  const { certificate, password, isCached, refusal, answer } = options;
  let socket: Socket = raw;
  let state: "greeted" | "switched" | "full" | "ready" = "greeted";
  const prepared = new Map<number, string>();
  let pending = Buffer.alloc(0);
  const write = (...packets: readonly Buffer[]) => void socket.write(Buffer.concat(packets));
  const logIn = (place: number, how: "hash" | "password", isRight: boolean, first: Buffer[]) => {
    if (refusal) return write(failed(place, refusal.errno, refusal.message));
    if (!isRight) return write(failed(place, 1045, "Access denied for user 'ada'@'10.0.0.1'"));
    logins.push(how);
    state = "ready";
    write(...first, ok(place + first.length));
  };
  const greet = (place: number, body: Buffer) => {
    if (body.length === 32 && certificate) {
      raw.off("data", onData);
      raw.pause();
      // The first TLS message may have arrived together with the request for TLS.
      if (pending.length > 0) raw.unshift(pending);
      pending = Buffer.alloc(0);
      const { certificate: cert, key } = certificate;
      const secureContext = createSecureContext({ cert, key });
      socket = new TLSSocket(raw, { isServer: true, secureContext });
      socket.on("error", () => undefined);
      socket.on("data", onData);
      return;
    }
    const userEnd = body.indexOf(0, 32);
    const proof = body.subarray(userEnd + 2, userEnd + 2 + body[userEnd + 1]!);
    if (body.includes("caching_sha2_password")) return check(place, proof);
    // The driver first offers another method.
    state = "switched";
    const method = Buffer.from(`caching_sha2_password\0${salt}\0`);
    write(packet(place + 1, [0xfe], method));
  };
  const check = (place: number, proof: Buffer) => {
    const isRight = proof.equals(proofOf(password));
    if (isCached) return logIn(place + 1, "hash", isRight, [packet(place + 1, [1, 3])]);
    state = "full";
    write(packet(place + 1, [1, 4]));
  };
  const defined = (first: number, columns: readonly Mysql8Column[]) => [
    ...columns.map((column, index) => columnPacket(first + index, column)),
    end(first + columns.length),
  ];
  const send = (sql: string, isBinary: boolean) => {
    const given = answer(sql);
    if (given === "ok") return write(ok(1));
    if ("errno" in given) return write(failed(1, given.errno, given.message));
    const { columns, rows } = given;
    let place = columns.length + 3;
    const body = rows.map((row) => {
      const cells = row.map((cell) => (cell === null ? Buffer.from([0xfb]) : text(cell)));
      if (!isBinary) return packet(place++, ...cells);
      const nulls = Buffer.alloc((columns.length + 9) >> 3);
      row.forEach((cell, index) => {
        if (cell === null) nulls[(index + 2) >> 3]! |= 1 << ((index + 2) & 7);
      });
      return packet(place++, [0], nulls, ...cells.filter((_, index) => row[index] !== null));
    });
    write(packet(1, lengthOf(columns.length)), ...defined(2, columns), ...body, end(place));
  };
  const prepare = (sql: string) => {
    const given = answer(sql);
    if (given !== "ok" && "errno" in given) return write(failed(1, given.errno, given.message));
    const columns = given === "ok" ? [] : given.columns;
    const id = prepared.size + 1;
    prepared.set(id, sql);
    const parameterCount = sql.split("?").length - 1;
    const parameters = Array.from({ length: parameterCount }, () => ({ name: "?" }));
    const first = parameterCount > 0 ? defined(2, parameters) : [];
    write(
      packet(1, [0], int(id, 4), int(columns.length, 2), int(parameterCount, 2), [0, 0, 0]),
      ...first,
      ...(columns.length > 0 ? defined(2 + first.length, columns) : []),
    );
  };
  const command = (body: Buffer) => {
    const rest = body.subarray(1);
    switch (body[0]) {
      case 0x03:
        statements.push(rest.toString());
        return send(rest.toString(), false);
      case 0x16:
        return prepare(rest.toString());
      case 0x17: {
        const sql = prepared.get(rest.readUInt32LE(0)) ?? "";
        statements.push(sql);
        return send(sql, true);
      }
      case 0x1f:
        return write(ok(1));
      case 0x01:
        return void socket.end();
      case undefined:
      default:
        return undefined;
    }
  };
  const onPacket = (place: number, body: Buffer) => {
    if (state === "greeted") return greet(place, body);
    if (state === "switched") return check(place, body);
    if (state === "full")
      return logIn(place + 1, "password", body.toString() === `${password}\0`, []);
    return command(body);
  };
  const onData = (part: Buffer) => {
    pending = Buffer.concat([pending, part]);
    while (pending.length >= 4 && pending.length >= 4 + pending.readUIntLE(0, 3)) {
      const sizeBytes = pending.readUIntLE(0, 3);
      const [place, body] = [pending[3]!, pending.subarray(4, 4 + sizeBytes)];
      pending = pending.subarray(4 + sizeBytes);
      onPacket(place, body);
    }
  };
  raw.on("error", () => undefined);
  raw.on("data", onData);
  write(greeting(certificate !== undefined));
}
