import { isRecord, type Api } from "../../api/index.ts";

interface Listed {
  readonly id: string;
  readonly name: unknown;
}

/** The data that a question is about: datasets from the address or from its dashboard. */
export interface Scope {
  readonly datasets: readonly Listed[];
  readonly dashboard: (Listed & { readonly datasetIds: readonly string[] }) | undefined;
}

const mostDatasets = 200;
/** Maximum number of datasets per question. */
const mostPerQuestion = 10;

/** Fetches the datasets that questions can be about, and the dashboard with the given id. */
export async function readScope(
  api: Api,
  id: string | undefined,
  signal: AbortSignal,
): Promise<Scope> {
  const listed = api.get<Listed>(
    "securable",
    {
      where: { type: "dataset" },
      attributes: ["id", "name"],
      order: [["modified_at", "desc"]],
      limit: mostDatasets,
    },
    { signal },
  );
  if (id === undefined) return { datasets: (await listed).rows, dashboard: undefined };
  const where = { id, type: "dashboard" };
  const found = await api.get<Listed & { readonly contents: unknown }>(
    "securable",
    { where, attributes: ["id", "name", "contents"] },
    { signal },
  );
  const [dashboard] = found.rows;
  return {
    datasets: (await listed).rows,
    dashboard: dashboard && {
      ...dashboard,
      datasetIds: datasetIdsOf(dashboard.contents).slice(0, mostPerQuestion),
    },
  };
}

/** Returns the ids of the datasets in the contents of a dashboard, without duplicates. */
function datasetIdsOf(contents: unknown): readonly string[] {
  const ids = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) walk(each);
    if (!isRecord(value)) return;
    for (const member of ["datasetId", "set", "dataset_id"]) {
      const id = value[member];
      if (typeof id === "string") ids.add(id);
    }
    for (const each of Object.values(value)) walk(each);
  };
  walk(contents);
  return [...ids];
}
