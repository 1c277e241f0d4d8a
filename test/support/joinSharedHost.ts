import { createToken, hashToken } from "../../core/identity/access/index.ts";
import { createCipher } from "../../core/catalog/index.ts";
import type { Host } from "../../core/host.ts";
import { openRecords } from "../../core/resources/index.ts";
import { openTestCatalog } from "./catalog.ts";
import { openTestHost, testSecret } from "./openTestHost.ts";
import { sharedServer } from "./sharedServer.ts";

interface SharedHost {
  readonly host: Host;
  readonly database: string;
  /** Creates an organization with an owner, as the operator. Resolves to the key pair of the owner. */
  addOrganization(): Promise<{ readonly key: string; readonly token: string }>;
}

let shared: Promise<SharedHost> | undefined;
let userCount = 0;

/**
 * Returns the host that the test files of this process share. Each file gets a new organization. The credentials of the
 * returned host are those of the organization's owner. Closing the returned host keeps the shared host running for the
 * next file. The shared host has the settings of `openTestHost`, but also allows sources at 127.0.0.1 and does not
 * limit failed calls.
 */
export async function joinSharedHost(): Promise<Host> {
  userCount++;
  const { host, database, addOrganization } = await (shared ??= openShared());
  sharedServer.noteDatabase?.(database);
  const madeCredentials = await addOrganization();
  let isOpen = true;
  return {
    ...host,
    madeCredentials,
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
  return {
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
        const token = createToken();
        const pair = await records.insert(
          "authorization",
          { type: "api", user_id: owner.id, token_hash: hashToken(token) },
          transaction,
        );
        return { key: pair.id, token };
      }),
  };
}

async function closeShared(): Promise<void> {
  const closing = await shared;
  shared = undefined;
  await closing?.host.close();
}
