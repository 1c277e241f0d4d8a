import { randomBytes } from "node:crypto";
import type { Credentials } from "../../../plugins/protocol/index.ts";
import { faultReach, type FaultEngine } from "../../connectors/faultEngine.ts";
import { faultSuite } from "../../connectors/faultSuite.ts";
import {
  type FirebirdDatabase,
  needsFirebird,
  openFirebirdDatabase,
} from "../../support/firebirdDatabase.ts";
import { openFirebirdServer } from "../../support/firebirdServer.ts";
import { openFirebird } from "./openFirebird.ts";

faultSuite("examples/firebird", openEngine, needsFirebird);

const password = "the right secret";
const wrongPassword = "the wrong secret";
const many = Array.from({ length: 6 }, (_, index) => `rdb$types t${index}`).join(", ");

async function setUp(database: FirebirdDatabase, user: string): Promise<void> {
  for (const statement of [
    `create user ${user} password '${password}' using plugin Srp`,
    'create table "plain" ("n" integer)',
    'insert into "plain" select row_number() over () from rdb$relations rows 3',
    `create view "endless" ("n") as select 1 from ${many}`,
    `create view "still" ("n") as select count(*) from ${many}`,
    ...["plain", "endless", "still"].map((name) => `grant select on "${name}" to ${user}`),
  ])
    await database.run(statement);
}

async function openEngine(): Promise<FaultEngine> {
  const database = await openFirebirdDatabase();
  const user = `FAULTS_${randomBytes(4).toString("hex").toUpperCase()}`;
  await setUp(database, user);
  const attachments = async () =>
    database.run(`select mon$attachment_id from mon$attachments where trim(mon$user) = '${user}'`);
  const credentialsAt = (port: number, { path }: FirebirdDatabase): Credentials => ({
    host: "127.0.0.1",
    key: user,
    token: password,
    properties: { port: String(port), scope: path },
  });
  return {
    source: /(?:127\.0\.0\.1|db\.test|other\.test):\d+: /,
    secrets: [password, wrongPassword],
    hidden: [user],
    credentials: (port) => credentialsAt(port ?? 0, database),
    async open({ timeoutMs = 20_000 } = {}) {
      const plugin = await openFirebird({ reach: faultReach(), timeoutMs });
      return { plugin, openCount: async () => (await attachments()).length };
    },
    datasetOf: (name) => `"".${name}`,
    runningCount: async () =>
      Number(
        (
          await database.run(
            `select count(*) from mon$statements s join mon$attachments a on a.mon$attachment_id = s.mon$attachment_id
            where s.mon$state <> 0 and trim(a.mon$user) = '${user}'`,
          )
        )[0]?.[0],
      ),
    means: {
      async kill() {
        const server = await openFirebirdServer();
        const inside = await openFirebirdDatabase(server);
        await setUp(inside, user);
        await inside.close();
        return {
          place: { host: "127.0.0.1", port: server.port },
          credentials: (port) => credentialsAt(port, inside),
          kill: () => server.kill(),
          restart: () => server.restart(),
          close: () => server.close(),
        };
      },
      network: { host: database.host, port: database.port },
      async endIdle() {
        for (const [id] of await attachments())
          await database.run("delete from mon$attachments where mon$attachment_id = ?", [id]);
      },
      pool: { most: 8 },
      lock: "readers of Firebird see a snapshot, so they never wait for a lock",
      password: (credentials) => ({ ...credentials, token: wrongPassword }),
      tls: "Firebird encrypts its own protocol, and has no TLS",
      change: {
        id: '"".moving',
        async create() {
          await database.run(
            'create table "moving" ("n" integer, "word" varchar(20) character set utf8)',
          );
          await database.run(`insert into "moving" values (1, 'one')`);
          await database.run(`grant select on "moving" to ${user}`);
        },
        toText: "Firebird cannot change the type of a column with this content",
        dropColumn: async () => void (await database.run('alter table "moving" drop "word"')),
        drop: async () => void (await database.run('drop table "moving"')),
      },
    },
    async close() {
      await database.run(`drop user ${user} using plugin Srp`);
      await database.close();
    },
  };
}
