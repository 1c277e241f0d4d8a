import { randomUUID } from "node:crypto";
import { authenticate, ensureOwner, type Principal } from "../../../core/access/index.ts";
import { actions, type Action } from "../../../core/call.ts";
import type {
  AccountValues,
  Connection,
  Connections,
} from "../../../core/connections/connection.ts";
import {
  createKernel,
  createToken,
  hashToken,
  openRecords,
  type Kernel,
  type Records,
} from "../../../core/resources/index.ts";
import { PluginError, type Write } from "../../../plugins/protocol/index.ts";
import { openTestCatalog, silentLog, type TestCatalog } from "../../support/catalog.ts";

export type Answer = Record<string, unknown> & { readonly id: string };
export interface Refusal {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly validation?: Readonly<Record<string, readonly string[]>>;
}

/** Two organizations: Ada owns the first, Ben edits and Bob is a member of it; Eve owns the second. */
export interface Tenants {
  readonly catalog: TestCatalog;
  readonly records: Records;
  readonly kernel: Kernel;
  readonly ada: Principal;
  readonly ben: Principal;
  readonly bob: Principal;
  readonly eve: Principal;
  /** What the store was told. */
  readonly writes: Write[];
  /** The accounts that a source was asked to authorize; a token `refused` is. */
  readonly candidates: AccountValues[];
  call(
    principal: Principal,
    resource: string,
    action: Action,
    body?: Readonly<Record<string, unknown>>,
  ): Promise<Answer>;
  /** The refusal of a call; fails when the call succeeds. */
  refusal(
    principal: Principal,
    resource: string,
    action: Action,
    body?: Readonly<Record<string, unknown>>,
  ): Promise<Refusal>;
  rows(principal: Principal, resource: string, find?: unknown): Promise<Answer[]>;
  close(): Promise<void>;
}

async function addUser(
  catalog: TestCatalog,
  records: Records,
  organizationId: string,
  name: string,
  flags: object,
): Promise<Principal> {
  const { id } = await records.insert("user", { name, email: `${name}@example.org` });
  await catalog
    .knex("organization_user")
    .insert({ organization_id: organizationId, user_id: id, ...flags });
  const token = createToken();
  const pair = await records.insert("authorization", {
    type: "api",
    user_id: id,
    token_hash: hashToken(token),
  });
  return authenticate({ catalog }, { key: pair.id, token });
}

export async function openTenants(): Promise<Tenants> {
  const catalog = await openTestCatalog();
  const records = openRecords({ catalog, cipher: catalog.cipher });
  const pair = await ensureOwner({ records, key: undefined, token: undefined });
  const ada = await authenticate({ catalog }, { ...pair });
  const second = await records.insert("organization", { name: { en: "Second" } });
  const bob = await addUser(catalog, records, ada.organizationId, "bob", {});
  const ben = await addUser(catalog, records, ada.organizationId, "ben", { flagEditor: true });
  const eve = await addUser(catalog, records, second.id, "eve", {
    flagEditor: true,
    flagOwn: true,
  });

  const writes: Write[] = [];
  const candidates: AccountValues[] = [];
  const connectionOf = (token: unknown): Connection => ({
    name: "test",
    fingerprint: "test",
    capabilities: {},
    async authorize() {
      if (token === "refused") throw new PluginError("PLUGIN_FORBIDDEN", ["wrong token"]);
    },
    datasets: () => Promise.resolve([]),
    query: () => Promise.reject(new PluginError("PLUGIN_NOT_OFFERED", ["query"])),
    async write(write) {
      writes.push(write);
      return { rowCount: 0, version: "1" };
    },
  });
  const connections: Connections = {
    store: connectionOf(undefined),
    scratch: connectionOf(undefined),
    ofAccount: () => Promise.reject(new Error("not part of these tests")),
    async candidate(account) {
      candidates.push(account);
      return connectionOf(account.token);
    },
    health: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const kernel = createKernel({
    records,
    catalog,
    cipher: catalog.cipher,
    connections,
    log: silentLog,
  });
  const call: Tenants["call"] = async (principal, resource, action, body = {}) => {
    const handler = kernel.handlers[resource]?.[action];
    if (!handler) throw new Error(`${resource} has no ${action}; there are ${actions.join()}`);
    const given = JSON.parse(JSON.stringify({ action, ...body })) as Record<string, unknown>;
    const signal = new AbortController().signal;
    const answer = await handler({
      resource,
      action,
      body: given,
      principal,
      requestId: randomUUID(),
      signal,
    });
    return JSON.parse(JSON.stringify(answer)) as Answer;
  };
  return {
    catalog,
    records,
    kernel,
    ada,
    ben,
    bob,
    eve,
    writes,
    candidates,
    call,
    async refusal(principal, resource, action, body) {
      const answer = await call(principal, resource, action, body).catch(
        (failure: unknown) => failure,
      );
      if (!(answer instanceof Error) || !("code" in answer) || !("status" in answer))
        throw new Error(`not refused: ${JSON.stringify(answer)} ${String(answer)}`);
      return answer as Error & Refusal;
    },
    async rows(principal, resource, find) {
      const { rows } = await call(principal, resource, "get", find === undefined ? {} : { find });
      return rows as Answer[];
    },
    close: () => catalog.close(),
  };
}

/** What a create of each resource takes. */
export const samples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  user: { email: "new@example.org", name: "New" },
  authorization: { type: "api", description: "for a test" },
  plugin: { slug: "sample", name: { en: "Sample" }, base_url: "https://plugin.example.org" },
  account: {
    provider: "sample",
    token: "canary-token",
    code: "canary-code",
    properties: { password: "canary-property" },
    name: "Account",
  },
  securable: { type: "dashboard", name: { en: "Sample" } },
  column: { order: 0, name: { en: "Sample" } },
};
