import type { Knex } from "knex";
import { millisecondsOf } from "../../../plugins/protocol/index.ts";
import { nobody, type Principal, type Records, type ResourceRow } from "../../base/index.ts";
import type { Queries } from "../../queries/index.ts";

export interface MeasureContext {
  readonly records: Records;
  readonly queries: Pick<Queries, "evaluate">;
  readonly knex: Knex;
}

/**
 * Maximum number of rows for which distinct strings are counted. For numbers and instants, the limit of pushed data
 * applies.
 */
const countedTexts = 1_000_000;
const countedNumbers = 20_000;
/** Maximum number of aggregations per query. */
const mostMeasures = 60;

type Statistic = "min" | "max" | "distinctcount";

/**
 * Updates the row count of a live dataset and the statistics of its columns. Its queries run with the rights of the
 * dataset's owner like any other query, after people's queries and for a few columns at a time. Does nothing if the
 * dataset no longer exists, or if row filters apply to its owner.
 * @throws {ApiError | PluginError} as a query
 */
export async function measureDataset(
  datasetId: string,
  { records, queries, knex }: MeasureContext,
  signal: AbortSignal,
): Promise<void> {
  const [dataset] = await records.find("securable", { id: datasetId });
  const principal = dataset && (await ownerOf(dataset, knex));
  if (!dataset || !principal) return;
  const columns = (await records.find("column", { securable_id: datasetId })).filter(
    ({ expression, missing_since }) => !expression && !missing_since,
  );
  const fetchMeasures = async (measures: readonly (readonly [string, string])[]) => {
    const answer = await queries.evaluate(
      {
        measures: measures.map(([column_id, type]) => ({
          dataset_id: datasetId,
          column_id,
          aggregation: { type },
        })),
      },
      principal,
      signal,
      Date.now(),
    );
    return answer.data[0] ?? [];
  };
  const [counted] = await fetchMeasures([["*", "count"]]);
  const rows = Number(counted ?? 0);
  await records.change("securable", datasetId, { rows });
  const requested = columns.flatMap((column) =>
    statisticsOf(column, rows).map((statistic) => ({ column, statistic })),
  );
  const found = new Map<string, Map<Statistic, number | null>>();
  for (let from = 0; from < requested.length; from += mostMeasures) {
    const part = requested.slice(from, from + mostMeasures);
    const cells = await fetchMeasures(part.map(({ column, statistic }) => [column.id, statistic]));
    part.forEach(({ column, statistic }, index) => {
      const own = found.get(column.id) ?? new Map<Statistic, number | null>();
      found.set(column.id, own.set(statistic, numberOf(cells[index])));
    });
  }
  for (const column of columns) {
    const own = found.get(column.id);
    const [minimum = null, maximum = null] = [own?.get("min"), own?.get("max")];
    const cardinality = own?.get("distinctcount") ?? null;
    const values = { cardinality, minimum, maximum, minBound: minimum, maxBound: maximum };
    const isChanged =
      column.cardinality !== cardinality ||
      column.minimum !== minimum ||
      column.maximum !== maximum;
    if (isChanged) await records.change("column", column.id, values);
  }
}

function statisticsOf({ type }: ResourceRow<"column">, rows: number): readonly Statistic[] {
  if (type === "hierarchy") return rows <= countedTexts ? ["distinctcount"] : [];
  if (type !== "numeric" && type !== "datetime") return [];
  return rows <= countedNumbers ? ["min", "max", "distinctcount"] : ["min", "max"];
}

/** Returns a number, or the milliseconds of an instant. */
function numberOf(cell: unknown): number | null {
  if (typeof cell === "number") return cell;
  return typeof cell === "string" ? (millisecondsOf(cell) ?? null) : null;
}

/** Returns the owner of a dataset as a principal, without shares and overrides. */
async function ownerOf(
  { owner_id: userId }: ResourceRow<"securable">,
  knex: Knex,
): Promise<Principal | undefined> {
  const owner:
    | { readonly organization_id: string; readonly suborganization: string | null }
    | undefined = await knex("organization_user as o")
    .join("user as u", "u.id", "o.user_id")
    .where("o.user_id", userId)
    .first("o.organization_id", "u.suborganization");
  if (!owner) return undefined;
  return {
    authorizationId: nobody,
    authorizationType: "api",
    userId,
    organizationId: owner.organization_id,
    organizationRole: "member",
    suborganization: owner.suborganization,
    name: "",
    email: "",
  };
}
