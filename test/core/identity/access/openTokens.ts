import type { Principal } from "../../../../core/base/contracts/index.ts";
import { authenticate } from "../../../../core/identity/access/index.ts";
import { openTenants, type Answer, type Tenants } from "../../resources/openTenants.ts";

export interface Pair {
  readonly id: string;
  readonly token: string;
}

/**
 * Two organizations with data. Ada belongs to the first, Eve to the second. The foreign dataset belongs to Eve; all
 * other datasets and dashboards belong to Ada.
 */
export interface Tokens extends Tenants {
  readonly dataset: string;
  /** Columns of the dataset by name: hierarchies `city` and `tenant`, numeric `km`, and datetime `day`. */
  readonly columns: Readonly<Record<string, string>>;
  readonly otherDataset: string;
  readonly dashboard: string;
  readonly otherDashboard: string;
  readonly foreignDataset: string;
  readonly foreignColumn: string;
  /** Issues a token of type embed for the user `u-1`, with the given properties. */
  mint(properties?: Readonly<Record<string, unknown>>, issuer?: Principal): Promise<Pair & Answer>;
  /** Returns the principal that a call with the key pair gets. */
  whoIs(pair: Pair): Promise<Principal>;
}

const types = { city: "hierarchy", km: "numeric", day: "datetime", tenant: "hierarchy" };

export async function openTokens(): Promise<Tokens> {
  const tenants = await openTenants();
  const { records, ada, eve, call, catalog } = tenants;
  const datasetOf = async (owner: Principal) => {
    const values = { type: "dataset" as const, storage: "strata", owner_id: owner.userId, rows: 7 };
    const { id } = await records.insert("securable", { ...values, name: { en: "Trips" } });
    const made = await records.insertMany(
      "column",
      Object.entries(types).map(([name, type], order) => ({
        name: { en: name },
        type,
        order,
        securable_id: id,
        user_id: owner.userId,
        cardinality: 3,
      })),
    );
    const ids = made.map((column) => [(column["name"] as { en: string }).en, column.id]);
    return { id, columns: Object.fromEntries(ids) as Record<string, string> };
  };
  const own = await datasetOf(ada);
  const other = await datasetOf(ada);
  const foreign = await datasetOf(eve);
  const dashboardOf = async (owner: Principal) =>
    (await call(owner, "securable", "create", { properties: { type: "dashboard" } })).id;
  return {
    ...tenants,
    dataset: own.id,
    columns: own.columns,
    otherDataset: other.id,
    dashboard: await dashboardOf(ada),
    otherDashboard: await dashboardOf(ada),
    foreignDataset: foreign.id,
    foreignColumn: String(foreign.columns["city"]),
    async mint(properties = {}, issuer = ada) {
      const given = { type: "embed", username: "u-1", ...properties };
      return (await call(issuer, "authorization", "create", { properties: given })) as Pair &
        Answer;
    },
    whoIs: ({ id, token }) => authenticate({ catalog, cipher: catalog.cipher }, { key: id, token }),
  };
}
