import { randomUUID } from "node:crypto";
import { ClientError, createClient, type Client } from "../../core/web/client/index.ts";
import { accountOperations } from "../../core/http/openapi/index.ts";
import { declarations, type Association, type Declaration } from "../../core/resources/index.ts";
import { rulesOf } from "../../core/resources/kernel/index.ts";
import { givenIds, samples } from "../core/resources/openTenants.ts";
import { openTestHost } from "./openTestHost.ts";
import { openLegacyPlugin, type LegacyPlugin } from "./legacyPlugin.ts";
import { openModelStandIn } from "./modelStandIn.ts";

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** An action of a resource, the roles that it needs, and its result when an owner calls it over HTTP. */
export interface Outcome {
  readonly resource: string;
  readonly action: string;
  readonly association?: string;
  /**
   * The role that the caller needs on the record (for `create`, in the organization). For associations, also the role
   * that the caller needs on the other record.
   */
  readonly own: string;
  readonly other?: string;
  /** `done`, or the code of the error. */
  readonly outcome: string;
}

export interface World {
  readonly url: string;
  /** The key pair of the host's owner. */
  readonly pair: { readonly key: string; readonly token: string };
  readonly owner: Client;
  /** Sends an action for which the client has no method, as the owner. Rejects if the host refuses the action. */
  call(resource: string, body: object, form?: "json" | "text"): Promise<unknown>;
  /** Returns every operation that the host describes, as resource and action. */
  operations(): Promise<readonly (readonly [resource: string, action: string])[]>;
  close(): Promise<void>;
}

const table = {
  id: "public.trips",
  name: { en: "Trips" },
  columns: [{ id: "km", name: { en: "Km" }, type: "numeric" }],
  rows: [[3]],
};

/** Opens a host with an owner, and a plugin that the host may call. */
export async function openWorld(): Promise<World & { readonly plugin: LegacyPlugin }> {
  const plugin = await openLegacyPlugin({ version: "3.0.0", pushdown: true, datasets: [table] });
  const model = await openModelStandIn();
  const host = await openTestHost({
    aiUrl: model.url,
    aiModel: "stand-in",
    callsPerSecond: 0,
    egressAllow: ["127.0.0.1"],
  });
  const { key, token } = host.madeCredentials ?? { key: "", token: "" };
  return {
    plugin,
    url: host.url,
    pair: { key, token },
    async call(resource, body, form = "json") {
      const answer = await fetch(`${host.url}/0.1.0/${resource}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ key, token, version: "0.1.0", ...body }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return answer[form]();
    },
    owner: createClient({ url: host.url, key, token }),
    async operations() {
      const answer = await fetch(`${host.url}/openapi.json`);
      const { paths } = (await answer.json()) as { paths: Record<string, unknown> };
      return Object.keys(paths).flatMap((path) => {
        const [, resource, action] = /^\/0\.1\.0\/(\w+)\/(\w+)$/.exec(path) ?? [];
        return resource && action ? [[resource, action] as const] : [];
      });
    },
    async close() {
      await plugin.close();
      await host.close();
      await model.close();
    },
  };
}

/** Returns functions that create a record of each resource. */
function createMaker({ owner, plugin }: { readonly owner: Client; readonly plugin: LegacyPlugin }) {
  let count = 0;
  const me = async () => firstOf("user", { id: "me" });
  const firstOf = async (resource: string, where: object): Promise<string> => {
    const { rows } = await owner.get(resource, { where, limit: 1 });
    if (typeof rows[0]?.["id"] !== "string") throw new Error(`found no matching ${resource}`);
    return rows[0]["id"];
  };
  const dataset = async (): Promise<string> => {
    const options = { header: ["city", "km"], name: { en: "Trips" } };
    const body = { type: "create", data: [["Ghent", 3]], options };
    const { rows } = await owner.create<{ rows: readonly Row[] }>("data", body);
    return String(rows[0]?.id);
  };
  const liveDataset = async (): Promise<string> => {
    const { id: account_id } = await owner.create<Row>("account", await properties("account"));
    const body = { account_id, datasets: [table.id] };
    const { data } = await owner.create<{ data: readonly Row[] }>("dataprovider", body);
    return String(data[0]?.id);
  };
  /** Slug of the plugin that all accounts use. */
  let provider: unknown;
  let measuredId: string | undefined;
  const query = async () => {
    measuredId ??= await dataset();
    const column_id = await firstOf("column", { securable_id: measuredId, type: "numeric" });
    return { measures: [{ dataset_id: measuredId, column_id, aggregation: { type: "sum" } }] };
  };
  const properties = async (resource: string): Promise<Record<string, unknown>> => {
    const sample = { ...samples[resource] };
    if (resource === "plugin")
      return {
        ...sample,
        base_url: plugin.url,
        slug: `every-${count++}`,
        protocol_version: "3.0.0",
      };
    if (resource === "account") {
      provider ??= (await owner.create<Row>("plugin", await properties("plugin")))["slug"];
      return { ...sample, provider };
    }
    if (resource === "alert") return { ...sample, query: await query() };
    if (resource === "savedview") return { ...sample, securable_id: await make("securable") };
    if (resource === "savedquestion") return { ...sample, securable_id: await dataset() };
    if (resource === "aimessage")
      return { ...sample, conversation_id: await make("aiconversation") };
    if (resource === "aimessageasset") return { ...sample, message_id: await make("aimessage") };
    return sample;
  };
  const make = async (resource: string): Promise<string> => {
    const given = givenIds[resource];
    if (given) return given;
    if (resource === "dataset") return dataset();
    if (resource === "live dataset") return liveDataset();
    if (resource === "organization") return firstOf(resource, {});
    if (resource === "auditevent") return firstOf(resource, {});
    if (resource === "customchartversion")
      return firstOf(resource, { customchart_id: await make("customchart") });
    if (resource === "securableversion")
      return firstOf(resource, { securable_id: await make("securable") });
    if (resource === "embedfiltergroup") {
      const present = await owner.get(resource);
      const id = present.rows[0]?.["id"];
      if (typeof id === "string") return id;
    }
    return (await owner.create<Row>(resource, await properties(resource))).id;
  };
  return { make, me, dataset, properties, firstOf };
}

/**
 * The kinds of record that an association requires on each side. Lists only associations that do not accept every
 * record of a resource.
 */
const kinds: Readonly<Record<string, readonly [own: string, other: string]>> = {
  "securable Datasets": ["securable", "dataset"],
  "securable Dashboards": ["dataset", "securable"],
  "securable Acceleration": ["live dataset", "acceleration"],
  "acceleration Securables": ["acceleration", "live dataset"],
  "securable Columns": ["dataset", "column"],
  "securable EmbedFilterGroups": ["dataset", "embedfiltergroup"],
  "securable Shares": ["securable", "share"],
  "embedfiltergroup Securables": ["embedfiltergroup", "dataset"],
  "column Securable": ["column", "dataset"],
};

const said = (calling: Promise<unknown>): Promise<string> =>
  calling.then(
    () => "done",
    (failure: Error) =>
      `${"status" in failure ? String(failure.status) : "failed"}: ${failure.message}`,
  );

/** Performs every action of every resource and service over HTTP, as an owner. */
export async function everyAction(
  world: World & { readonly plugin: LegacyPlugin },
): Promise<Outcome[]> {
  const { owner, call } = world;
  const issuer = createMaker(world);
  const { make, me, firstOf } = issuer;
  const outcomes: Outcome[] = [];

  const filterOn = async (datasetId: string) => ({
    securable_id: datasetId,
    column_id: await firstOf("column", { securable_id: datasetId, type: "numeric" }),
    expression: "? > ?",
    value: 1,
  });
  /** Records for both sides of links. Reads and updates also use them, because these do not remove records. */
  const made = new Map<string, string>();
  const shared = async (side: "own" | "other", kind: string): Promise<string> => {
    // Creating another record of this resource deletes the previous record.
    if (kind === "embedfiltergroup") return make(kind);
    const id = made.get(`${side} ${kind}`) ?? (await make(kind));
    made.set(`${side} ${kind}`, id);
    return id;
  };
  const link = async (
    declaration: Declaration,
    role: string,
    association: Association,
  ): Promise<readonly [string, string]> => {
    const [ownKind, otherKind] = kinds[`${declaration.name} ${role}`] ?? [
      declaration.name,
      association.resource,
    ];
    const isOwner = association.kind === "one" && association.key === declaration.ownedBy;
    const id = await shared("own", ownKind);
    // Owners who transfer a record no longer see it.
    const other = isOwner ? await me() : await shared("other", otherKind);
    const lookup = association.kind === "through" ? association.lookup : undefined;
    const named = lookup
      ? String((await owner.get(otherKind, { where: { id: other } })).rows[0]?.[lookup])
      : other;
    const isFiltered = ownKind === "embedfiltergroup" || otherKind === "embedfiltergroup";
    const properties = isFiltered
      ? { filters: [await filterOn(ownKind === "dataset" ? id : other)] }
      : undefined;
    const target = { role, id: named };
    const associated = await said(owner.associate(declaration.name, id, target, properties));
    return [associated, await said(owner.dissociate(declaration.name, id, target))];
  };
  const update = async (declaration: Declaration): Promise<string> => {
    const id = await shared("own", declaration.name);
    const sample = await issuer.properties(declaration.name);
    const settable = Object.entries(sample).filter(([member]) =>
      declaration.fields[member]?.on.includes("update"),
    );
    return said(
      owner.update<Row>(declaration.name, id, Object.fromEntries(settable)).then((answer) => {
        if (answer.id !== id) throw new Error("the response contains another record");
      }),
    );
  };
  const read = async ({ name }: Declaration): Promise<string> => {
    if (["sharestatistic", "alertevent", "exportevent", "datasetcopy", "delivery"].includes(name))
      return said(owner.get(name));
    const id = await shared("own", name);
    return said(
      owner.get(name, { where: { id } }).then(({ count, rows }) => {
        if (count !== 1 || rows[0]?.["id"] !== id)
          throw new Error("the response does not contain the record");
      }),
    );
  };
  const remove = async ({ name }: Declaration): Promise<string> => {
    const id = await make(name);
    return said(
      owner.delete(name, id).then(async () => {
        const left = await owner.get(name, { where: { id } });
        if (left.count !== 0) throw new Error("the record still exists");
      }),
    );
  };

  for (const declaration of declarations.values()) {
    const { name, associations } = declaration;
    const answers = new Map<string, readonly [string, string]>();
    for (const rule of rulesOf(declaration)) {
      const { action, association = "" } = rule;
      const outcome = await {
        create: async () => {
          // At most one record of this resource exists.
          if (name === "embedfiltergroup") await owner.delete(name, await make(name));
          return said(issuer.properties(name).then((given) => owner.create(name, given)));
        },
        get: () => read(declaration),
        update: () => update(declaration),
        delete: () => remove(declaration),
        validate: async () =>
          said(
            owner.validate(name, await issuer.properties(name)).then((answer) => {
              if (answer["valid"] !== true) throw new Error(String(answer["message"]));
            }),
          ),
        associate: async () => {
          const found = associations[association];
          if (!found) throw new Error(`${name} has no ${association}`);
          answers.set(association, await link(declaration, association, found));
          return answers.get(association)?.[0] ?? "";
        },
        dissociate: async () => answers.get(association)?.[1] ?? "",
      }[action]();
      outcomes.push({ resource: name, ...rule, outcome });
    }
  }
  const service = async (
    resource: string,
    action: string,
    own: string,
    calling: Promise<unknown>,
  ) => outcomes.push({ resource, action, own, outcome: await said(calling) });
  const datasetId = await make("dataset");
  const column = await firstOf("column", { securable_id: datasetId, type: "hierarchy" });
  const query = { dimensions: [{ dataset_id: datasetId, column_id: column }] };
  await service("data", "create", "own", issuer.dataset());
  const pushed = { type: "create", data: [["Ghent", 1]], options: { header: ["city", "km"] } };
  await service(
    "data",
    "validate",
    "none",
    call("data", { action: "validate", properties: pushed }),
  );
  await service(
    "data",
    "update",
    "own",
    issuer
      .dataset()
      .then((id) => owner.update("data", id, { data: [["Ghent", 4]], options: { key: ["city"] } })),
  );
  await service("data", "get", "read", owner.get("data", query));
  await service("data", "explain", "read", call("data", { action: "explain", find: query }));
  const updates = [{ id: "Ghent", name: { en: "Ghent", fr: "Gand" } }];
  await service("hierarchy", "update", "modify", owner.update("hierarchy", column, { updates }));
  await service(
    "hierarchy",
    "get",
    "read",
    owner.get("hierarchy", { where: { column_id: column } }),
  );
  const account_id = await make("account");
  const provider = (await owner.get("account", { where: { id: account_id } })).rows[0]?.[
    "provider"
  ];
  const find = { provider, account_id };
  await service("dataprovider", "get", "read", owner.get("dataprovider", find));
  const tables = { ...find, datasets: [table.id] };
  await service("dataprovider", "create", "use", owner.create("dataprovider", tables));
  const id = await make("alert");
  const seen = await owner.create<Row>("authorization", { type: "embed", username: "seen" });
  await service(
    "authorization",
    "explain",
    "own",
    call("authorization", { action: "explain", id: seen.id }),
  );
  await service("authorization", "list", "own", call("authorization", { action: "list" }));
  const ids = [(await owner.get("user", { where: { id: "me" } })).rows[0]?.["id"]];
  await service("user", "explain", "own", call("user", { action: "explain", ids }));
  await service("user", "invite", "own", call("user", { action: "invite", id: ids[0] }));
  await service(
    "securable",
    "explain",
    "read",
    call("securable", { action: "explain", id: datasetId }),
  );
  await service("organization", "explain", "own", call("organization", { action: "explain" }));
  const config = { issuer: "http://127.0.0.1:9", client_id: "nobody" };
  const sso = await owner.create<Row>("ssoconfig", { name: "Nobody", type: "openid", config });
  for (const action of ["explain", "test"])
    await service("ssoconfig", action, "own", call("ssoconfig", { action, id: sso.id }));
  await service("alert", "test", "own", owner.test("alert", { id }));
  await service("alert", "preview", "own", owner.preview({ id, options: { type: "sms" } }));
  const from = new Date(Date.now() - 3 * 86_400_000).toISOString();
  await service("alert", "backtest", "own", owner.backtest({ id, options: { from, run: true } }));
  await service("channel", "test", "own", owner.test("channel", { id: await make("channel") }));
  await service(
    "plugin",
    "explain",
    "read",
    call("plugin", { action: "explain", id: await make("plugin") }),
  );
  await service("plugin", "test", "own", owner.test("plugin", { id: await make("plugin") }));
  // No job has failed in this host, so the call returns the same error as for an unknown id.
  const absent = (calling: Promise<unknown>): Promise<unknown> =>
    calling.then(
      () => Promise.reject(new Error("a random id returned a record")),
      (failure: unknown) =>
        failure instanceof ClientError && failure.status === 404
          ? undefined
          : Promise.reject(failure),
    );
  await service("delivery", "resend", "own", absent(owner.resend(randomUUID())));
  await service("job", "get", "own", owner.get("job"));
  await service("usage", "get", "own", owner.get("usage"));
  const ended = owner.update("job", randomUUID(), { state: "cancelled" });
  await service("job", "update", "own", absent(ended));
  const exported = (resource: string) =>
    call(resource, { action: "create", properties: { type: "json", query } });
  await service("export", "create", "read", exported("export"));
  await service("export", "get", "own", owner.get("export"));
  await service("export", "delete", "own", absent(owner.delete("export", randomUUID())));
  await service("dataexport", "create", "read", exported("dataexport"));
  const datasets = [{ id: datasetId }];
  await service(
    "generate_descriptions",
    "create",
    "modify",
    owner.create("generate_descriptions", { datasets }),
  );
  const question = { type: "generate-example-questions", dataset_id: datasetId };
  await service("aichart", "create", "read", owner.create<unknown>("aichart", question));
  const wish = { dataset_id: datasetId, prompt: "The number of rows" };
  await service("iqformula", "create", "read", owner.create("iqformula", wish));
  const input = [
    { type: "text", value: "How many?" },
    { type: "dataset", value: datasetId },
  ];
  const prompt = { agent: "analyst", task: "generate", input };
  await service("aiprompt", "create", "read", owner.create<unknown>("aiprompt", prompt));
  const written = (resource: string, properties: object) =>
    call(resource, { action: "create", properties }, "text");
  const iq = { prompt: "How many?", dataset_id: datasetId };
  await service("iqmessage", "create", "read", written("iqmessage", iq));
  await service("aisummary", "create", "read", written("aisummary", { query }));
  return outcomes;
}

/**
 * Performs every account operation that the host describes, as an owner with an API token. For this caller, operations
 * that change sign-in factors must fail with SIGN_IN_STALE, and all other operations must succeed. Returns the
 * operations whose result was different.
 */
export async function everyStep({
  owner,
}: World): Promise<{ readonly count: number; readonly refused: readonly string[] }> {
  const given = { "sessions/end": { others: true } } as const;
  const refused: string[] = [];
  const paths = Object.keys(accountOperations);
  for (const path of paths) {
    const failure = await owner
      .account(path as "overview", given[path as "sessions/end"] ?? {})
      .then(
        () => undefined,
        (error: ClientError) => error.code,
      );
    if (failure !== undefined && failure !== "SIGN_IN_STALE") refused.push(`${path}: ${failure}`);
  }
  return { count: paths.length, refused };
}

/**
 * Renders the outcomes as a Markdown table with one row per resource. The row lists the actions and associations of the
 * resource, and the roles that they need.
 */
export function outcomesAsMarkdown(outcomes: readonly Outcome[]): string {
  const mark = ({ outcome }: Outcome) => (outcome === "done" ? "" : " (refused)");
  const rows = [...new Set(outcomes.map(({ resource }) => resource))].toSorted().map((resource) => {
    const of = outcomes.filter((each) => each.resource === resource);
    const actions = of.filter(({ association }) => association === undefined);
    const links = of.filter(({ action }) => action === "associate");
    const ended = new Map(
      of.filter(({ action }) => action === "dissociate").map((each) => [each.association, each]),
    );
    const cells = [
      resource,
      actions.map((each) => `${each.action} (${each.own})${mark(each)}`).join(", "),
      links
        .map((each) => {
          const end = ended.get(each.association);
          const stays = end && end.outcome !== "done" ? ", cannot be removed" : "";
          return `${each.association} (${each.own}, ${each.other}${stays})${mark(each)}`;
        })
        .join(", "),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| resource | actions (role) | associations (role on the record, role on the other) |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

if (import.meta.main) {
  const world = await openWorld();
  try {
    process.stdout.write(outcomesAsMarkdown(await everyAction(world)));
  } finally {
    await world.close();
  }
}
