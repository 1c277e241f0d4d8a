import { isObject, type Members } from "../../base/index.ts";
import { type Call, listAll, objectsIn } from "./createCall.ts";
import type { Test } from "./testQuery.ts";
import { readTest } from "./readTest.ts";

/** The rows of one dataset that a token's filters allow. */
export type RowAllowance =
  | { readonly kind: "tests"; readonly tests: readonly Test[] }
  | { readonly kind: "closed" }
  | { readonly kind: "unknown"; readonly reason: string };

/** The records and rows that a token may reach according to its own record. The token may actually reach less. */
export interface Allowance {
  readonly key: string;
  /** Ids of datasets and dashboards; undefined if unknown. */
  readonly securables: ReadonlySet<string> | undefined;
  readonly hiddenColumns: ReadonlySet<string>;
  rowsOf(datasetId: string, types: ReadonlyMap<string, string>): RowAllowance;
}

const displayOrigins = [
  "chart",
  "initialization",
  "itemFilter",
  "filterFromVizItem",
  "filterFromFilterItem",
];
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

const idsIn = (value: unknown): string[] =>
  (JSON.stringify(value ?? null).match(uuid) ?? []).map((id) => id.toLowerCase());

type RowFilterMember = "column_id" | "expression" | "securable_id" | "value" | "origin" | "applies";
type RowFilter = Members<RowFilterMember>;

/** Finds row filters anywhere in an answer. Row filters are objects with a column and an expression. */
function filtersIn(value: unknown): RowFilter[] {
  if (Array.isArray(value)) return value.flatMap(filtersIn);
  if (!isObject<RowFilterMember>(value)) return [];
  const isFilter =
    typeof value.column_id === "string" &&
    typeof value.expression === "string" &&
    typeof value.securable_id === "string";
  return isFilter ? [value] : Object.values(value).flatMap(filtersIn);
}

const onRows = (filters: unknown): RowFilter[] =>
  filtersIn(filters).filter(({ origin }) => !displayOrigins.includes(String(origin)));

const isParameter = (value: unknown): boolean =>
  isObject(value) && Object.hasOwn(value, "parameter");

type ExplainedDataset = Members<"id" | "rows" | "filters">;

type TokenMember =
  | "access"
  | "dashboards"
  | "filters"
  | "hidden_columns"
  | "integration_id"
  | "role"
  | "securables";

interface Explained {
  readonly datasets: readonly ExplainedDataset[];
  readonly record: Members<TokenMember>;
}

/**
 * Reads everything that the issuer of a token can learn about the token.
 * @throws {Error} if the administrator did not issue the token
 */
async function explain(admin: Call, key: string): Promise<Explained> {
  const datasets: ExplainedDataset[] = [];
  for (let offset = 0; ;) {
    const options = { limit: 500, offset };
    const { status, body } = await admin("authorization", { action: "explain", id: key, options });
    if (status !== 200 || !isObject<"datasets" | "dashboards" | "count">(body))
      throw new Error(
        `the administrator did not issue ${key}, or the token has expired; ` +
          "without MANIFOLD_KEY, the tokens are only compared with each other",
      );
    const found = objectsIn<"id" | "rows" | "filters">(body.datasets);
    const dashboards = objectsIn(body.dashboards);
    datasets.push(...found);
    offset += found.length + dashboards.length;
    if (found.length + dashboards.length === 0 || offset >= Number(body.count))
      return { datasets, record: body };
  }
}

/**
 * Determines what a token may reach from its record, as the issuer reads it: the members of the token, the
 * organization's filter group, and the shares. The result is an upper bound, computed without the host's own rules.
 */
export async function allowanceByIssuer(admin: Call, key: string): Promise<Allowance> {
  const { record, datasets } = await explain(admin, key);
  const { access, securables, integration_id } = record;
  const reached = new Set([...idsIn(access), ...idsIn(securables)]);
  const named =
    isObject<"collections">(access) && Array.isArray(access.collections) ? access.collections : [];
  for (const id of idsIn(named))
    for (const row of await listAll(admin, "collection", {
      where: { id },
      include: [{ model: "Securable" }],
    }))
      for (const each of idsIn(row)) reached.add(each);
  if (typeof integration_id === "string")
    for (const row of await listAll(admin, "integration", {
      where: { id: integration_id },
      include: [{ model: "Securable" }],
    }))
      for (const each of idsIn(row)) reached.add(each);
  const ofGroup = await listAll(admin, "embedfiltergroup", {
    where: {},
    include: [{ model: "Securable" }],
  });
  const raw = [...onRows(record.filters), ...onRows(ofGroup)];
  const explainedById = new Map(datasets.map((each) => [String(each.id), each]));
  // A designer's own dashboards belong to the designer's user, so no list of the token contains them.
  for (const { id, rights } of objectsIn<"id" | "rights">(record.dashboards))
    if (record.role !== "viewer" && rights === "own") reached.add(String(id));
  return {
    key,
    securables: reached,
    hiddenColumns: new Set(idsIn(record.hidden_columns)),
    rowsOf(datasetId, types) {
      const explained = explainedById.get(datasetId);
      if (explained?.rows === "closed") return { kind: "closed" };
      const known = objectsIn<RowFilterMember>(explained?.filters);
      const own = raw.filter(
        ({ securable_id }) => String(securable_id).toLowerCase() === datasetId,
      );
      const filled = own.flatMap((filter) => {
        if (!isParameter(filter.value)) return [filter];
        const same = known.find(
          (each) =>
            String(each.column_id) === String(filter.column_id).toLowerCase() &&
            each.expression === filter.expression,
        );
        if (same?.applies === false) return [];
        return [{ ...filter, value: same && Object.hasOwn(same, "value") ? same.value : {} }];
      });
      const shared = known.filter(({ origin }) => origin === "share");
      return testsOf([...filled, ...shared], types);
    },
  };
}

function testsOf(filters: readonly RowFilter[], types: ReadonlyMap<string, string>): RowAllowance {
  const tests: Test[] = [];
  for (const filter of filters) {
    if (filter.applies === false) continue;
    const columnId = String(filter.column_id).toLowerCase();
    const read = readTest(filter, types.get(columnId));
    if (!read || !types.has(columnId))
      return {
        kind: "unknown",
        reason: `the reference does not support the filter ${String(filter.expression)} on ${columnId}`,
      };
    tests.push(...read);
  }
  return { kind: "tests", tests };
}

/** Determines what a token may reach from its own record, as far as the token can read it. */
export async function allowanceByItself(call: Call, key: string): Promise<Allowance> {
  const [record = {}] = await listAll<TokenMember>(call, "authorization", {
    where: { id: key },
  });
  const { access, securables, integration_id, role } = record;
  const named =
    isObject<"collections">(access) && Array.isArray(access.collections) ? access.collections : [];
  const isWhole =
    named.length === 0 && typeof integration_id !== "string" && (role ?? "viewer") === "viewer";
  const raw = onRows(record.filters);
  return {
    key,
    securables: isWhole ? new Set([...idsIn(access), ...idsIn(securables)]) : undefined,
    hiddenColumns: new Set(),
    rowsOf(datasetId, types) {
      const own = raw.filter(
        ({ securable_id }) => String(securable_id).toLowerCase() === datasetId,
      );
      // Rows must pass every filter that can be parsed, even if another filter cannot be parsed.
      const tests = own.flatMap((filter) => {
        const read = testsOf([filter], types);
        return read.kind === "tests" ? read.tests : [];
      });
      return { kind: "tests", tests };
    },
  };
}
