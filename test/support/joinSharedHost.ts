import type { Knex } from "knex";
import { createToken, hashToken } from "../../core/identity/access/index.ts";
import { createCipher } from "../../core/catalog/index.ts";
import type { Host } from "../../core/host.ts";
import { openRecords } from "../../core/resources/index.ts";
import { openTestCatalog } from "./catalog.ts";
import { openTestHost, testSecret } from "./openTestHost.ts";
import { sharedServer } from "./sharedServer.ts";

type KeyPair = NonNullable<Host["madeCredentials"]>;

/** A host that several test files use, each with its own organization. */
export interface JoinedHost extends Host {
  /** Adds a key pair to a user of the organization, without a call to the host. */
  addKeyPair(userId: string): Promise<KeyPair>;
}

interface SharedHost extends Pick<JoinedHost, "addKeyPair"> {
  readonly host: Host;
  readonly database: string;
  /** Creates an organization with an owner, as the operator. Resolves to the key pair of the owner. */
  addOrganization(): Promise<KeyPair>;
}

let shared: Promise<SharedHost> | undefined;
let userCount = 0;

/**
 * Returns the host that the test files of this process share. Each file gets a new organization. The credentials of the
 * returned host are those of the organization's owner. Closing the returned host keeps the shared host running for the
 * next file. The shared host has the settings of `openTestHost`, but also allows sources at 127.0.0.1 and does not
 * limit failed calls.
 */
export async function joinSharedHost(): Promise<JoinedHost> {
  userCount++;
  const { host, database, addOrganization, addKeyPair } = await (shared ??= openShared());
  sharedServer.noteDatabase?.(database);
  const madeCredentials = await addOrganization();
  let isOpen = true;
  return {
    ...host,
    madeCredentials,
    addKeyPair,
    async close() {
      if (isOpen) userCount--;
      isOpen = false;
      // Without the runner, nothing tells this process that the last file has ended.
      if (userCount === 0 && !process.connected) await closeShared();
    },
  };
}

async function openShared(): Promise<SharedHost> {
  const catalog = await openTestCatalog();
  const host = await openTestHost({
    databaseUrl: catalog.databaseUrl,
    egressAllow: ["127.0.0.1"],
    failuresPerMinute: 0,
  });
  // The runner disconnects from a process when no files are left for it.
  process.once("disconnect", () => void closeShared());
  const records = openRecords({ catalog, cipher: createCipher(testSecret) });
  const addKeyPair = async (user_id: string, transaction?: Knex.Transaction): Promise<KeyPair> => {
    const token = createToken();
    const values = { type: "api" as const, user_id, token_hash: hashToken(token) };
    const { id } = await records.insert("authorization", values, transaction);
    return { key: id, token };
  };
  return {
    addKeyPair: (userId) => addKeyPair(userId),
    database: new URL(catalog.databaseUrl).pathname.slice(1),
    host: {
      ...host,
      async close() {
        await host.close();
        await catalog.close();
      },
    },
    addOrganization: () =>
      records.transaction(async (transaction) => {
        const organization = await records.insert(
          "organization",
          { name: { en: "Organization" }, signed_up: false },
          transaction,
        );
        const owner = await records.insert(
          "user",
          { email: "owner@localhost", name: "Owner" },
          transaction,
        );
        await transaction("organization_user").insert({
          organization_id: organization.id,
          user_id: owner.id,
          flagMember: true,
          flagEditor: true,
          flagOwn: true,
        });
        return addKeyPair(owner.id, transaction);
      }),
  };
}

async function closeShared(): Promise<void> {
  const closing = await shared;
  shared = undefined;
  await closing?.host.close();
}
