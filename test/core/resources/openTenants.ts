import {
  recordActions,
  type RecordAction,
  type AccountValues,
  type Connection,
  type Connections,
  type Records,
  type Principal,
} from "../../../core/base/contracts/index.ts";
import { randomUUID } from "node:crypto";
import {
  authenticate,
  ensureOwner,
  createToken,
  hashToken,
} from "../../../core/identity/access/index.ts";
import { createKernel, openRecords, type Kernel } from "../../../core/resources/index.ts";
import { PluginError, type Dataset, type Write } from "../../../plugins/protocol/index.ts";
import { openTestCatalog, silentLog, type TestCatalog } from "../../support/catalog.ts";
import type { Test } from "../../support/suite.ts";

export type Answer = Record<string, unknown> & { readonly id: string };
export interface Refusal {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly validation?: Readonly<Record<string, readonly string[]>>;
}

type Json = Record<string, unknown>;

/** Returns the only record that an include added, and fails if it added none. */
export function child(row: Json | undefined, member: string): Json {
  const found = row?.[member];
  if (typeof found !== "object" || found === null || Array.isArray(found))
    throw new Error(`there is no ${member} in ${JSON.stringify(row)}`);
  return found as Json;
}

/** Returns the list of records that an include added, and fails if it added no list. */
export function children(row: Json | undefined, member: string): Json[] {
  const found = row?.[member];
  if (!Array.isArray(found))
    throw new Error(`there is no list ${member} in ${JSON.stringify(row)}`);
  return found as Json[];
}

/** Two organizations. In the first, Ada is the owner, Ben an editor and Bob a member. Eve owns the second. */
export interface Tenants {
  readonly catalog: TestCatalog;
  readonly records: Records;
  readonly connections: Connections;
  readonly kernel: Kernel;
  readonly ada: Principal;
  readonly ben: Principal;
  readonly bob: Principal;
  readonly eve: Principal;
  /** The writes that the store received. */
  readonly writes: Write[];
  /** The datasets that the store reports. */
  readonly held: Dataset[];
  /** The accounts whose credentials a source has checked. The source refuses the token `refused`. */
  readonly candidates: AccountValues[];
  call(
    principal: Principal,
    resource: string,
    action: RecordAction,
    body?: Readonly<Record<string, unknown>>,
  ): Promise<Answer>;
  /** Returns the error of a call, and fails if the call succeeds. */
  refusal(
    principal: Principal,
    resource: string,
    action: RecordAction,
    body?: Readonly<Record<string, unknown>>,
  ): Promise<Refusal>;
  /** Creates a record as Ada, or creates and then updates it, and returns the error message. */
  refusedBy(resource: string, properties: Json, action?: "create" | "update"): Promise<string>;
  rows(principal: Principal, resource: string, find?: unknown): Promise<Answer[]>;
  /**
   * Creates the records that a new record must refer to. Returns the properties with which the caller can then create
   * it.
   */
  properties(principal: Principal, resource: string): Promise<Record<string, unknown>>;
  /** Creates a record of any resource for the caller, in the way that the resource allows. Returns its id. */
  make(principal: Principal, resource: string): Promise<string>;
  /** Adds a user to the organization of another user. The new user has its own key pair. */
  addUser(of: Principal, name: string, values?: object, flags?: object): Promise<Principal>;
  close(): Promise<void>;
}

async function addUser(
  catalog: TestCatalog,
  records: Records,
  organizationId: string,
  name: string,
  flags: object,
  values: object = {},
): Promise<Principal> {
  const { id } = await records.insert("user", { name, email: `${name}@example.org`, ...values });
  await catalog
    .knex("organization_user")
    .insert({ organization_id: organizationId, user_id: id, ...flags });
  const token = createToken();
  const pair = await records.insert("authorization", {
    type: "api",
    user_id: id,
    token_hash: hashToken(token),
  });
  return authenticate({ catalog, cipher: catalog.cipher }, { key: pair.id, token });
}

/**
 * Opens tenants before the tests of a suite and closes them afterwards. The members of the returned object are set only
 * while the tests run.
 */
export function openTenantsFor(test: Test): Tenants {
  const tenants = {} as Tenants;
  test.before(async () => {
    Object.assign(tenants, await openTenants());
  });
  test.after(() => tenants.close());
  return tenants;
}

export async function openTenants(): Promise<Tenants> {
  const catalog = await openTestCatalog();
  const records = openRecords({ catalog, cipher: catalog.cipher });
  const pair = await ensureOwner({ records, key: undefined, token: undefined });
  const ada = await authenticate({ catalog, cipher: catalog.cipher }, { ...pair });
  const second = await records.insert("organization", { name: { en: "Second" } });
  const bob = await addUser(catalog, records, ada.organizationId, "bob", {});
  const ben = await addUser(catalog, records, ada.organizationId, "ben", { flagEditor: true });
  const eve = await addUser(catalog, records, second.id, "eve", {
    flagEditor: true,
    flagOwn: true,
  });

  const writes: Write[] = [];
  const held: Dataset[] = [];
  const candidates: AccountValues[] = [];
  const connectionOf = (token: unknown): Connection => ({
    name: "test",
    fingerprint: "test",
    capabilities: {},
    isTrusted: false,
    async authorize() {
      if (token === "refused") throw new PluginError("PLUGIN_FORBIDDEN", ["wrong token"]);
    },
    datasets: () => Promise.resolve(held),
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
    underCheck: () => Promise.reject(new Error("not part of these tests")),
    refuseCandidate: () => Promise.resolve(),
    refuseAddress: () => Promise.resolve(),
    askVersion: () => Promise.resolve({ outcome: "answered", version: "3.0.0" }),
    connectorProperties: () => Promise.resolve(undefined),
    providers: () => Promise.resolve([]),
    callsOf: () => {
      throw new Error("not part of these tests");
    },
    release: () => Promise.resolve(),
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
    if (!handler)
      throw new Error(`${resource} has no ${action}; there are ${recordActions.join()}`);
    const given = JSON.parse(JSON.stringify({ action, ...body })) as Record<string, unknown>;
    const signal = new AbortController().signal;
    const answer = await handler({
      resource,
      action,
      body: given,
      principal,
      requestId: randomUUID(),
      address: undefined,
      signal,
    });
    return JSON.parse(JSON.stringify(answer)) as Answer;
  };
  const rows: Tenants["rows"] = async (principal, resource, find) => {
    const found = await call(principal, resource, "get", find === undefined ? {} : { find });
    return found["rows"] as Answer[];
  };
  /** Returns a query that the caller may run, over a dataset with one column. */
  const query = async ({ userId }: Principal) => {
    const { id: dataset_id } = await records.insert("securable", {
      type: "dataset",
      owner_id: userId,
    });
    const column = { type: "numeric", order: 0, user_id: userId, securable_id: dataset_id };
    const { id: column_id } = await records.insert("column", column);
    return { measures: [{ dataset_id, column_id, aggregation: { type: "sum" } }] };
  };
  const properties: Tenants["properties"] = async (principal, resource) => {
    const sample = { ...samples[resource] };
    if (resource === "plugin") return { ...sample, slug: `sample-${randomUUID().slice(0, 8)}` };
    if (resource === "alert") return { ...sample, query: await query(principal) };
    if (resource === "savedview")
      return { ...sample, securable_id: await make(principal, "securable") };
    if (resource === "savedquestion")
      return { ...sample, securable_id: (await query(principal)).measures[0]?.dataset_id };
    if (resource === "aimessage")
      return { ...sample, conversation_id: await make(principal, "aiconversation") };
    if (resource === "aimessageasset")
      return { ...sample, message_id: await make(principal, "aimessage") };
    return sample;
  };
  const make: Tenants["make"] = async (principal, resource) => {
    const given = givenIds[resource];
    if (given) return given;
    if (resource === "organization") return principal.organizationId;
    if (resource === "embedfiltergroup") {
      const [present] = await records.find(resource, { organization_id: principal.organizationId });
      if (present) return present.id;
    }
    if (resource === "securableversion") {
      const securable_id = await make(principal, "securable");
      const [version] = await records.find(resource, { securable_id });
      if (version) return version.id;
    }
    if (resource === "customchartversion") {
      const customchart_id = await make(principal, "customchart");
      const [version] = await records.find(resource, { customchart_id });
      if (version) return version.id;
    }
    if (resource === "sharestatistic") {
      const share_id = await make(principal, "share");
      return (await records.insert(resource, { share_id, day: "2024-01-31" })).id;
    }
    if (resource === "alertevent") {
      const alert_id = await make(principal, "alert");
      const [present] = await records.find(resource, { alert_id });
      if (present) return present.id;
      const at = new Date(0);
      const times = { slot_at: at, started_at: at, completed_at: at };
      const statuses = { status_before: "ok", status_after: "ok" };
      return (
        await records.insert(resource, {
          alert_id,
          user_id: principal.userId,
          outcome: "answered",
          ...times,
          ...statuses,
        })
      ).id;
    }
    if (resource === "exportevent") {
      const schedule_id = await make(principal, "schedule");
      const [present] = await records.find(resource, { schedule_id });
      if (present) return present.id;
      const at = new Date(0);
      const times = { slot_at: at, started_at: at, completed_at: at };
      const values = { schedule_id, user_id: principal.userId, outcome: "sent", ...times };
      return (await records.insert(resource, values)).id;
    }
    if (resource === "datasetcopy") {
      const securable_id = await make(principal, "securable");
      const [present] = await records.find(resource, { securable_id });
      return present?.id ?? (await records.insert(resource, { securable_id })).id;
    }
    if (resource === "delivery") {
      const alertevent_id = await make(principal, "alertevent");
      const channel_id = await make(principal, "channel");
      const [present] = await records.find(resource, { alertevent_id, channel_id });
      return present?.id ?? (await records.insert(resource, { alertevent_id, channel_id })).id;
    }
    if (resource === "auditevent") {
      await make(principal, "tag");
      const [event] = await records.find(resource, { user_id: principal.userId });
      if (event) return event.id;
    }
    const body = { properties: await properties(principal, resource) };
    return (await call(principal, resource, "create", body)).id;
  };
  const refusal: Tenants["refusal"] = async (principal, resource, action, body) => {
    const answer = await call(principal, resource, action, body).catch(
      (failure: unknown) => failure,
    );
    if (!(answer instanceof Error) || !("code" in answer) || !("status" in answer))
      throw new Error(`not refused: ${JSON.stringify(answer)} ${String(answer)}`);
    return answer as Error & Refusal;
  };
  return {
    catalog,
    records,
    connections,
    kernel,
    ada,
    ben,
    bob,
    eve,
    writes,
    held,
    candidates,
    call,
    refusal,
    async refusedBy(resource, given, action = "create") {
      const id = action === "update" ? await make(ada, resource) : undefined;
      return (await refusal(ada, resource, action, { id, properties: given })).message;
    },
    rows,
    properties,
    make,
    addUser: (of, name, values = {}, flags = {}) =>
      addUser(catalog, records, of.organizationId, name, flags, values),
    close: () => catalog.close(),
  };
}

/** Ids of records that everyone can read and nobody can create. */
export const givenIds: Readonly<Record<string, string>> = {
  country: "BE",
  locale: "fr-BE",
  currency: "EUR",
  timezone: "Europe/Brussels",
};

/** The properties with which to create a record of each resource, without the required references. */
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
  group: { name: "Sample" },
  collection: { name: { en: "Sample" } },
  integration: { name: { en: "Sample" } },
  formula: { name: { en: "Sample" }, expression: "COUNTR()" },
  tag: { tag: "sample" },
  hierarchylevel: { name: { en: "Sample" }, level: 1, color: "#00f" },
  customchart: {
    name: { en: "Sample" },
    type: "sample",
    script: "manifold.draw = () => {};",
  },
  theme: { name: "Sample", theme: { mainColor: "#00ff00" } },
  share: {},
  savedview: { name: "Sample", state: { version: 1 }, shared: true },
  savedquestion: {
    name: "Sample",
    question: { rows: [], measures: [], filters: [] },
    shared: true,
  },
  schedule: { frequency_quantity: 1, frequency_unit: "day", timezone: "Europe/Brussels" },
  acceleration: { load_type: "full" },
  channel: {
    name: { en: "Sample" },
    type: "webhook",
    config: { url: "https://canary-hook.example.org", secret: "canary-secret", text: "Hello" },
  },
  alert: {
    name: { en: "Sample" },
    query: {},
    frequency: { unit: "day", quantity: 1 },
  },
  thumbnail: { size: "32px", url: "https://pictures.example.org/32.png" },
  ssoconfig: { name: "Sample", type: "saml", config: { certificate: "canary-certificate" } },
  aiconversation: { name: "Sample" },
  aimessage: { content: { role: "user", content: "Hello" } },
  aimessageasset: { type: "item", value: { a: 1 } },
  embedfiltergroup: {},
};
