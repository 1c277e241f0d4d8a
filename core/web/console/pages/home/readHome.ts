import type { Api, Found } from "../../api/index.ts";

/** A record that the Home page lists. */
export interface Listed {
  readonly id: string;
  readonly name: unknown;
  readonly rows?: number | null;
  readonly modified_at?: string | null;
  readonly status?: string | null;
}

/** A record that is late or has failed. */
export interface Problem {
  readonly kind: "alert" | "firing" | "account" | "sync";
  readonly name: unknown;
  readonly id: string;
  readonly href: string;
}

export interface HomeRecords {
  readonly dashboards: Found<Listed>;
  readonly datasets: Found<Listed>;
  readonly alerts: Found<Listed>;
  readonly problems: readonly Problem[];
}

const shownCount = 6;
const problemCount = 20;
/** Time after which a dataset that synchronizes every hour counts as late, in milliseconds. */
const lateMs = 86_400_000;

/** Fetches recent records and problems. Makes five calls at the same time. */
export async function readHome(api: Api, signal: AbortSignal): Promise<HomeRecords> {
  const newest = { order: [["modified_at", "desc"]], limit: shownCount };
  const securables = (type: string, more: object = {}) =>
    api.get<Listed>(
      "securable",
      { where: { type, ...more }, attributes: ["id", "name", "rows", "modified_at"], ...newest },
      { signal },
    );
  const late = new Date(Date.now() - lateMs).toISOString();
  const [dashboards, datasets, alerts, accounts, unsynchronized] = await Promise.all([
    securables("dashboard", { is_variant: false }),
    securables("dataset"),
    api.get<Listed>(
      "alert",
      {
        attributes: ["id", "name", "status"],
        order: [["updated_at", "desc"]],
        limit: problemCount,
      },
      { signal },
    ),
    api.get<Listed>(
      "account",
      { where: { invalid: true }, attributes: ["id", "name"], limit: problemCount },
      { signal },
    ),
    api.get<Listed>(
      "securable",
      {
        where: {
          type: "dataset",
          meta_sync_enabled: true,
          account_id: { not: null },
          last_metadata_sync_at: { lt: late },
        },
        attributes: ["id", "name"],
        limit: problemCount,
      },
      { signal },
    ),
  ]);
  return {
    dashboards,
    datasets,
    alerts: { count: alerts.count, rows: alerts.rows.slice(0, shownCount) },
    problems: [
      ...alerts.rows.flatMap(({ id, name, status }): Problem[] =>
        status === "error" || status === "firing"
          ? [{ kind: status === "error" ? "alert" : "firing", id, name, href: `/alerts/${id}` }]
          : [],
      ),
      ...accounts.rows.map(({ id, name }): Problem => ({
        kind: "account",
        id,
        name,
        href: "/data",
      })),
      ...unsynchronized.rows.map(({ id, name }): Problem => ({
        kind: "sync",
        id,
        name,
        href: `/data/${id}`,
      })),
    ],
  };
}
