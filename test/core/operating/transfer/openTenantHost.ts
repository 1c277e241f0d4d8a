import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import { openHost, type HostOptions } from "../../../../core/host.ts";
import { openRecords } from "../../../../core/resources/index.ts";
import { createCipher } from "../../../../core/catalog/index.ts";
import { openTestCatalog } from "../../../support/catalog.ts";
import { createToken, hashToken } from "../../../../core/identity/access/index.ts";
import { joinSharedHost } from "../../../support/joinSharedHost.ts";
import { testOptions } from "../../../support/openTestHost.ts";

const secret = "a secret for tests only, and long enough";

/** A host with an empty organization and its owner. */
export interface TenantHost {
  readonly url: string;
  readonly client: Client;
  readonly key: string;
  readonly token: string;
  /** Adds a user of the organization, with its own key pair. */
  addUser(email: string): Promise<{ readonly id: string; readonly client: Client }>;
  close(): Promise<void>;
}

/** Opens a separate host with the given options. Without options, uses an organization of the shared host. */
export async function openTenantHost(more?: HostOptions): Promise<TenantHost> {
  if (!more) return joinTenantHost();
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-transfer-"));
  const catalog = await openTestCatalog();
  const host = await openHost({
    ...testOptions,
    dataDir,
    databaseUrl: catalog.databaseUrl,
    secret,
    memoryMb: 64,
    egressAllow: ["127.0.0.1"],
    ...more,
  });
  const { key, token } = host.madeCredentials ?? { key: "", token: "" };
  const client = createClient({ url: host.url, key, token });
  const records = openRecords({ catalog, cipher: createCipher(secret) });
  return {
    url: host.url,
    client,
    key,
    token,
    async addUser(email) {
      const { id } = await client.create<{ id: string }>("user", { email });
      const made = createToken();
      const values = { type: "api" as const, user_id: id, token_hash: hashToken(made) };
      const pair = await records.insert("authorization", values);
      return { id, client: createClient({ url: host.url, key: pair.id, token: made }) };
    },
    async close() {
      await host.close();
      await catalog.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function joinTenantHost(): Promise<TenantHost> {
  const { url, madeCredentials, addKeyPair, close } = await joinSharedHost();
  const { key, token } = madeCredentials ?? { key: "", token: "" };
  const client = createClient({ url, key, token });
  return {
    url,
    client,
    key,
    token,
    async addUser(email) {
      const { id } = await client.create<{ id: string }>("user", { email });
      return { id, client: createClient({ url, ...(await addKeyPair(id)) }) };
    },
    close,
  };
}
