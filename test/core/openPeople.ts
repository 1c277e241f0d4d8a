import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type Client } from "../../core/web/client/index.ts";
import { openHost, type Host, type HostOptions } from "../../core/host.ts";
import { openTestDatabase } from "../support/catalog.ts";
import { joinSharedHost } from "../support/joinSharedHost.ts";
import { openLegacyPlugin, type LegacyPlugin } from "../support/legacyPlugin.ts";
import { testOptions } from "../support/openTestHost.ts";

type Json = Readonly<Record<string, unknown>>;

/** A caller with its own key pair. */
export interface Person extends Client {
  readonly id: string;
  readonly pair: { readonly key: string; readonly token: string };
}

export interface Dataset {
  readonly id: string;
  /** Ids of the dataset's columns by name. */
  readonly columns: Readonly<Record<string, string>>;
}

/** A host and the owner of an organization. Tests add other users. */
export interface People {
  readonly host: Host;
  readonly owner: Person;
  readonly publicGroup: string;
  /** Adds a user to the organization. */
  add(name: string, values?: Json, flags?: Json): Promise<Person>;
  /** Pushes six rows of `region` and `km`: north with 1, 2 and 3, and south with 4, 5 and 6. */
  push(by?: Person): Promise<Dataset>;
  /** Adds the same rows as a live source, with an additional column `salary`. */
  connect(by?: Person): Promise<Dataset>;
  /** Creates a token of type embed. */
  mint(properties: Json, by?: Person): Promise<Person>;
  /** Calls an action of a resource with any body. */
  call(resource: string, body: Json): Promise<{ readonly status: number; readonly body: Json }>;
  /** Stops the live sources, as in an outage. */
  endSources(): Promise<void>;
  close(): Promise<void>;
}

const rows = [
  ["north", 1],
  ["north", 2],
  ["north", 3],
  ["south", 4],
  ["south", 5],
  ["south", 6],
] as const;

/** If `settings` are given, opens a separate host. If not, creates a new organization on the shared host. */
export async function openPeople(settings?: HostOptions): Promise<People> {
  const host = settings ? await openOwnHost(settings) : await joinSharedHost();
  const plugins: LegacyPlugin[] = [];
  const personOf = (id: string, key: string, token: string): Person => ({
    ...createClient({ url: host.url, key, token }),
    id,
    pair: { key, token },
  });
  const made = host.madeCredentials ?? { key: "", token: "" };
  const first = createClient({ url: host.url, ...made });
  const me = await first.get("user", { where: { id: "me" } });
  const owner = personOf(String(me.rows[0]?.["id"]), made.key, made.token);
  const groups = await owner.get("group", { where: { public: true } });
  const mint: People["mint"] = async (properties, by = owner) => {
    const token = await by.create<{ id: string; token: string; user_id: string }>("authorization", {
      type: "embed",
      username: "u-1",
      ...properties,
    });
    return personOf(token.user_id, token.id, token.token);
  };
  const endSources = async () => {
    for (const plugin of plugins.splice(0)) await plugin.close();
  };
  return {
    host,
    owner,
    publicGroup: String(groups.rows[0]?.["id"]),
    async add(name, values = {}, flags) {
      const user = await owner.create<{ id: string; key: string; token: string }>("user", {
        email: `${name}@example.org`,
        name,
        ...values,
      });
      const organizations = await owner.get("organization");
      if (flags)
        await owner.associate(
          "organization",
          String(organizations.rows[0]?.["id"]),
          { role: "Users", id: user.id },
          flags,
        );
      const login = createClient({ url: host.url, key: user.key, token: user.token });
      const pair = await login.create<{ id: string; token: string }>("authorization", {
        type: "api",
      });
      return personOf(user.id, pair.id, pair.token);
    },
    async push(by = owner) {
      const pushed = await by.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
        type: "create",
        data: rows,
        options: { header: ["region", "km"] },
      });
      const [dataset] = pushed.rows;
      return { id: String(dataset?.id), columns: byName(dataset?.columns ?? []) };
    },
    async connect(by = owner) {
      const slug = `source-${plugins.length}-${Date.now().toString(36)}`;
      const columns = [
        { id: "region", type: "hierarchy" },
        { id: "km", type: "numeric" },
        { id: "salary", type: "numeric" },
      ].map((column) => ({ ...column, name: { en: column.id } }));
      const trips = {
        id: "trips",
        name: { en: "Trips" },
        columns,
        rows: rows.map(([region, km]) => [region, km, 1_000 * km]),
      };
      const plugin = await openLegacyPlugin({
        version: "2.0.0",
        pushdown: false,
        datasets: [trips],
      });
      plugins.push(plugin);
      await by.create("plugin", {
        slug,
        name: { en: slug },
        base_url: plugin.url,
        protocol_version: "2.0.0",
        authorize: "host/key/token",
      });
      const account = await by.create<{ id: string }>("account", {
        provider: slug,
        name: slug,
        host: "db.example.org",
        identifier: "ada",
        token: "a-password",
      });
      const { data } = await by.create<{ data: { id: string; columns: Json[] }[] }>(
        "dataprovider",
        { provider: slug, account_id: account.id, datasets: ["trips"] },
      );
      const id = String(data[0]?.id);
      const found = await by.get("column", { where: { securable_id: id } });
      return { id, columns: byName(found.rows) };
    },
    mint,
    async call(resource, body) {
      const answer = await fetch(`${host.url}/0.1.0/${resource}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ version: "0.1.0", ...body }),
      });
      return { status: answer.status, body: (await answer.json()) as Json };
    },
    endSources,
    async close() {
      await endSources();
      await host.close();
    },
  };
}

async function openOwnHost(settings: HostOptions): Promise<Host> {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-people-"));
  const own = settings.databaseUrl === undefined ? await openTestDatabase() : undefined;
  const host = await openHost({
    ...testOptions,
    dataDir,
    databaseUrl: own?.databaseUrl,
    egressAllow: ["127.0.0.1"],
    ...settings,
  });
  return {
    ...host,
    async close() {
      await host.close();
      await own?.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function byName(columns: readonly Json[]): Readonly<Record<string, string>> {
  return Object.fromEntries(columns.map(({ id, source_name: name }) => [String(name), String(id)]));
}

/** Returns the answer to a query for the sum of `km`. */
export function sumOf(
  { id, columns }: Dataset,
  measure = "km",
): { readonly measures: readonly Json[] } {
  const [dataset_id, column_id] = [id, columns[measure]];
  return { measures: [{ dataset_id, column_id, aggregation: { type: "sum" } }] };
}
