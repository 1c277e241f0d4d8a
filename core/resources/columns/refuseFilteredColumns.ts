import type { Knex } from "knex";
import { arrayBinding } from "../../catalog/index.ts";
import {
  ApiError,
  type Principal,
  type Records,
  type ResourceRow,
  type WrittenValues,
} from "../../base/index.ts";
import { ExpressionError, listReferences } from "../../queries/index.ts";
import type { HookCall, KeyChange } from "../kernel/index.ts";

/** Members of a column that decide which rows pass a filter on the column, or on a column derived from it. */
const decisive = ["expression", "type", "subtype", "informat", "hidden"] as const;

const kinds = {
  share: { named: "a share of the dataset", resource: "securable", right: "own" },
  filter_group: { named: "the embed filter group", resource: "embedfiltergroup", right: "own" },
  token: { named: "a token", resource: "user", right: "modify" },
} as const;

/**
 * Selects the row filters on the given columns of a dataset. A user who changes the filter needs a right on the record
 * `record_id`. For a token's filter, this is the issuer.
 */
const statement = `
  with target as (select ?::uuid as dataset_id, ?::text[] as columns),
  filters as (
    select 'share' as kind, l.securable_id as record_id, l.filters
      from securable_user l join target on l.securable_id = dataset_id
    union all
    select 'share', l.securable_id, l.filters
      from securable_group l join target on l.securable_id = dataset_id
    union all
    select 'share', l.securable_id, l.filters
      from securable_integration l join target on l.securable_id = dataset_id
    union all
    select 'filter_group', l.embedfiltergroup_id, l.filters
      from embedfiltergroup_securable l join target on l.securable_id = dataset_id
    union all
    select 'token', a.maker_id, a.filters
      from "authorization" a, target
     where a.deleted_at is null and a.expiry > now() and a.type <> 'api' and a.maker_id is not null
       and a.filters @> jsonb_build_array(jsonb_build_object('securable_id', dataset_id))
  )
  select distinct f.kind, f.record_id
    from filters f
    join target on true
    cross join lateral jsonb_array_elements(case jsonb_typeof(f.filters) when 'array' then f.filters else '[]' end) e
   where lower(e->>'column_id') = any(target.columns)
     and coalesce(e->>'origin', 'global') = 'global'`;

/**
 * The caller who changes columns, and the connection to read with. The connection is the transaction of the change, if
 * there is one.
 */
interface ChangedBy {
  readonly records: Records;
  readonly principal: Principal;
  readonly knex: Knex;
  readonly transaction?: Knex.Transaction;
}

/**
 * Refuses to change or remove columns on which row filters of the dataset depend, directly or through derived columns,
 * unless the caller may change those filters. Owners of the dataset may change the filters of its shares. Owners of the
 * organization may change the filter group. The issuer of a token, or a user who manages the issuer, may change the
 * filters of the token.
 * @throws {ApiError} FORBIDDEN that names only the kind of filter
 */
export async function refuseFilteredColumns(
  datasetId: string,
  changed: readonly string[],
  { records, knex, principal, transaction }: ChangedBy,
): Promise<void> {
  if (changed.length === 0) return;
  const columns = await records.find("column", { securable_id: datasetId }, transaction);
  const affected = dependentsOf(new Set(changed), columns);
  const { rows }: { rows: { kind: keyof typeof kinds; record_id: string }[] } = await (
    transaction ?? knex
  ).raw(statement, [datasetId, arrayBinding(affected)]);
  const foreign = new Set<string>();
  for (const { kind, record_id } of rows) {
    const { named, resource, right } = kinds[kind];
    if (foreign.has(named)) continue;
    const ruled = await records.visible(resource, [record_id], right, principal, transaction);
    if (ruled.size === 0) foreign.add(named);
  }
  if (foreign.size > 0)
    throw new ApiError("FORBIDDEN", [
      `change the filter on rows of ${[...foreign].join(" and ")}, which depends on this column; ask someone who has that right`,
    ]);
}

/** Returns the ids of the given columns and of all columns derived from them, directly or indirectly. */
function dependentsOf(
  changed: ReadonlySet<string>,
  columns: readonly ResourceRow<"column">[],
): ReadonlySet<string> {
  const affected = new Set(changed);
  const derived = columns.flatMap(({ id, expression }) =>
    typeof expression === "string" && expression !== "" ? [{ id, of: columnsIn(expression) }] : [],
  );
  for (let before = -1; before < affected.size;) {
    before = affected.size;
    for (const { id, of } of derived) if (of.some((each) => affected.has(each))) affected.add(id);
  }
  return affected;
}

/**
 * Returns the ids of the columns in an expression, or none if it cannot be parsed. Ignoring such an expression is safe,
 * because a filter on its column makes the dataset unavailable.
 */
function columnsIn(expression: string): readonly string[] {
  try {
    return listReferences(expression).map(({ columnId }) => columnId.toLowerCase());
  } catch (failure) {
    if (failure instanceof ExpressionError) return [];
    throw failure;
  }
}

type PositionedColumn = Pick<ResourceRow<"column">, "id" | "expression" | "order">;

/** Returns the position of each stored column. A push without a header assigns its cells by position. */
function positionsOf(columns: readonly PositionedColumn[]): ReadonlyMap<string, number> {
  const ordered = columns
    .filter((column) => !column.expression)
    .toSorted((one, other) => Number(one.order) - Number(other.order));
  return new Map(ordered.map(({ id }, index) => [id, index]));
}

/** Returns the columns whose position changes. */
function movedBy(
  before: readonly PositionedColumn[],
  after: readonly PositionedColumn[],
): readonly string[] {
  const positions = positionsOf(after);
  return [...positionsOf(before)].flatMap(([id, position]) =>
    positions.get(id) === position ? [] : [id],
  );
}

/**
 * Checks an update of a column against filters that depend on the column, or on other columns whose position would
 * change.
 */
export async function refuseFilteredOnUpdate(
  row: ResourceRow<"column">,
  values: WrittenValues<"column">,
  { context, principal }: HookCall,
): Promise<void> {
  const datasetId = row.securable_id;
  if (typeof datasetId !== "string") return;
  const { records, knex } = context;
  const differs = (member: keyof ResourceRow<"column">) =>
    Object.hasOwn(values, member) && (values[member] ?? null) !== (row[member] ?? null);
  // A push with a header matches a stored column without a source name by its name.
  const isRenamed =
    !row.expression &&
    typeof row.source_name !== "string" &&
    Object.hasOwn(values, "name") &&
    JSON.stringify(values.name) !== JSON.stringify(row.name);
  const changed = isRenamed || decisive.some(differs) ? [row.id] : [];
  if (differs("order")) {
    const { expression = row.expression, order = row.order } = values;
    const before = await records.find("column", { securable_id: datasetId });
    const after = before.map((each) =>
      each.id === row.id ? { id: row.id, expression, order } : each,
    );
    changed.push(...movedBy(before, after));
  }
  await refuseFilteredColumns(datasetId, changed, { records, knex, principal });
}

/** Checks adding a column to a dataset, or removing it, against the filters that depend on the column. */
export async function refuseFilteredOnMove(
  { action, holder, target }: KeyChange<ResourceRow<"column">>,
  { context: { records }, principal }: HookCall,
  transaction: Knex.Transaction,
): Promise<void> {
  const changedBy = { records, knex: transaction, principal, transaction };
  const columnsOf = (id: string) => records.find("column", { securable_id: id }, transaction);
  const leaves = holder.securable_id;
  const isLeaving = action === "dissociate" ? leaves === target.id : leaves !== target.id;
  if (typeof leaves === "string" && isLeaving) {
    const before = await columnsOf(leaves);
    const after = before.filter(({ id }) => id !== holder.id);
    const moved = [holder.id, ...movedBy(before, after)];
    await refuseFilteredColumns(leaves, moved, changedBy);
  }
  if (action === "dissociate" || leaves === target.id) return;
  const before = await columnsOf(target.id);
  const moved = movedBy(before, [...before, holder]);
  await refuseFilteredColumns(target.id, moved, changedBy);
}
