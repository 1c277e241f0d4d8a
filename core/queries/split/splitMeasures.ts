import {
  leaves,
  namesIn,
  pairsOf,
  secondColumnId,
  type DataType,
  type Derived,
  type Expression,
  type Filter,
  type Query,
  type QueryColumn,
  isAnd,
  isOr,
} from "../../../plugins/protocol/index.ts";
import type { BoundQuery } from "../boundQuery.ts";
import { notJoinable } from "../join/findLinks.ts";
import type { JoinTree, ParsedQuery } from "../parsedQuery.ts";
import { passesNull } from "../plan/passesNull.ts";
import { planGroups } from "../plan/planGroups.ts";
import type { Residual } from "../queryPlan.ts";
import { namedColumns } from "../resolve/namedColumns.ts";
import type { MeasuredPart, UnmatchedRows } from "../secure/secure.ts";
import { createReach, type Reach } from "./reach.ts";

/** A part of a query before row filters are added. */
export interface BoundPart extends Omit<MeasuredPart, "secured" | "unmatched"> {
  readonly bound: BoundQuery;
  readonly unmatched?: Omit<UnmatchedRows, "all" | "matched"> & {
    readonly all: BoundQuery;
    readonly matched: BoundQuery;
  };
}

/** Binds the same query with its joins starting from another dataset. */
type Rebind = (tree: JoinTree) => Promise<BoundQuery>;

/**
 * Splits a joined query with groups into a query per measured dataset, so that each measure is computed over the rows
 * of its own dataset. A measure belongs to the coarsest dataset that determines every column it reads. If the dataset
 * also determines all dimensions and filters, its rows are queried directly. Otherwise, the rows of a finer dataset are
 * queried, and each row of the measured dataset counts once per group. Undefined if all measures belong to the root.
 * @throws {ApiError} QUERY_NOT_JOINABLE if no dataset determines a measure, or its dimensions and filters
 */
export async function splitMeasures(
  bound: BoundQuery,
  { path, tree, rollup }: ParsedQuery,
  rebind: Rebind,
): Promise<readonly BoundPart[] | undefined> {
  if (!tree) return undefined;
  const reach = createReach(tree);
  const columns = rollup ? planGroups(bound).pushed.columns : [];
  const measures = [...columns.entries()].filter(([, { aggregation }]) => aggregation);
  if (measures.length === 0) {
    if (tree.rootless === undefined) return undefined;
    throw notJoinable(path, tree.rootless);
  }
  const originsOf = createOrigins(bound);
  const framing = new Set([
    ...columns.filter(({ aggregation }) => !aggregation).flatMap((each) => originsOf(each)),
    ...bound.query.filters
      .flatMap((filter: Filter) => leaves(filter))
      .flatMap((leaf) => originsOf(leaf)),
  ]);
  const homes = new Map<string, Home>();
  for (const [index, column] of measures) {
    const measuredId = homeOf(column, originsOf, tree, reach);
    const baseId = measuredId && reach.coarsest(new Set([measuredId, ...framing]));
    if (measuredId === undefined || baseId === undefined)
      throw notJoinable(path, whyTorn(measuredId, framing, tree, reach));
    const key = JSON.stringify([measuredId, baseId]);
    const { measures: others = [] } = homes.get(key) ?? {};
    homes.set(key, { measuredId, baseId, measures: [...others, index] });
  }
  const all = [...homes.values()];
  const isOrdinary = all.every(
    ({ measuredId, baseId }) => measuredId === tree.rootId && baseId === tree.rootId,
  );
  if (isOrdinary && tree.rootless === undefined) return undefined;
  const known = new Map([[tree.rootId, Promise.resolve(bound)]]);
  const boundFrom = (rootId: string): Promise<BoundQuery> => {
    const found = known.get(rootId) ?? rebind(reach.treeFrom(rootId));
    known.set(rootId, found);
    return found;
  };
  return Promise.all(
    all.map(async (home) => {
      const base = await boundFrom(home.baseId);
      if (home.measuredId === home.baseId) return groupedPart(base, home);
      return foldedPart(base, home, reach, () => boundFrom(home.measuredId));
    }),
  );
}

/** The measures of a dataset, by their indexes among the columns of the groups. */
interface Home {
  readonly measuredId: string;
  /** The dataset whose rows are grouped. */
  readonly baseId: string;
  readonly measures: readonly number[];
}

/** Returns the datasets that a column of the query, or a test, reads. */
type OriginsOf = (column: Pick<QueryColumn, "column_id" | "weight" | "other">) => readonly string[];

function createOrigins({ dataset, joined, query }: BoundQuery): OriginsOf {
  const owners = new Map(dataset.source.columns.map(({ id }) => [id, dataset.id]));
  for (const [index, { columns }] of (query.joins ?? []).entries())
    for (const { id } of columns) owners.set(id, joined[index]?.id ?? dataset.id);
  const derived = new Map(query.derived?.map(({ id, expression }) => [id, expression]));
  const ownersOf = (id: string): readonly string[] => {
    const expression = derived.get(id);
    if (expression) return namesIn(expression).columnIds.flatMap(ownersOf);
    const owner = owners.get(id);
    return owner === undefined ? [] : [owner];
  };
  return (column) => {
    const second = secondColumnId(column);
    return [column.column_id, ...(second === undefined ? [] : [second])].flatMap(ownersOf);
  };
}

/** Returns the dataset over whose rows a measure is computed. Counts of rows and constants belong to the root. */
function homeOf(
  column: QueryColumn,
  originsOf: OriginsOf,
  tree: JoinTree,
  reach: Reach,
): string | undefined {
  const origins = new Set(originsOf(column));
  if (origins.size > 0) return reach.coarsest(origins);
  return tree.rootless === undefined ? tree.rootId : undefined;
}

function whyTorn(
  measuredId: string | undefined,
  framing: ReadonlySet<string>,
  { rootless = "" }: JoinTree,
  reach: Reach,
): string {
  if (measuredId === undefined)
    return `a measure reads no column, or columns of several datasets; ${rootless}. To count rows, count a column that is never null`;
  const others = [...framing].filter((id) => !reach.has(measuredId, id));
  return `measures of dataset ${measuredId} cannot be grouped or filtered by columns of ${others.join(", ")}; ${rootless}`;
}

/** Returns the part of a dataset whose rows determine every group and filter. */
function groupedPart(bound: BoundQuery, { measures }: Home): BoundPart {
  const { pushed, residual } = planGroups(bound);
  const picked = [...pushed.columns.keys()].filter(
    (index) => !pushed.columns[index]?.aggregation || measures.includes(index),
  );
  const typeAt = (index: number) => bound.types[residual.vectors.indexOf(index)] ?? "numeric";
  return {
    bound: partOf(bound, {
      columns: picked.flatMap((index) => pushed.columns[index] ?? []),
      types: picked.map(typeAt),
    }),
    vectors: pushed.columns.map((_, index) => picked.indexOf(index)),
  };
}

/**
 * Returns the part of a dataset that is grouped or filtered by columns of a finer dataset. The query returns each row
 * of the measured dataset once per group, identified by the columns that link it; `fold` aggregates these rows.
 */
async function foldedPart(
  bound: BoundQuery,
  { measuredId, baseId, measures }: Home,
  reach: Reach,
  boundFromMeasured: () => Promise<BoundQuery>,
): Promise<BoundPart> {
  const { pushed, residual } = planGroups(bound);
  const typeAt = (index: number) => bound.types[residual.vectors.indexOf(index)] ?? "numeric";
  const columns: QueryColumn[] = [];
  const types: DataType[] = [];
  const add = (column: QueryColumn, type: DataType): string => {
    const known = columns.findIndex((each) => isSameKey(each, column));
    if (known >= 0) return String(known);
    types.push(type);
    return String(columns.push(column) - 1);
  };
  const keys = [...pushed.columns.entries()].flatMap(([index, column]) =>
    column.aggregation ? [] : [{ index, id: add(column, typeAt(index)) }],
  );
  const place = bound.joined.findIndex(({ id }) => id === measuredId);
  const join = bound.query.joins?.[place];
  if (!join) throw new TypeError(`the dataset ${measuredId} must be joined`);
  const linked = pairsOf(join).map(({ right }): QueryColumn & { readonly type: DataType } => {
    const found = join.columns.find(({ column_id: id }) => id === right);
    if (!found) throw new TypeError(`the joined column ${right} must exist`);
    return { column_id: found.id, type: found.type };
  });
  const rowKey = linked.map((column) => add(column, column.type));
  const [matchedBy = ""] = rowKey;
  const derivedById = new Map(bound.query.derived?.map((each) => [each.id, each]));
  const typesById = new Map(
    [
      ...bound.dataset.source.columns,
      ...(bound.query.joins ?? []).flatMap((each) => each.columns),
    ].map(({ id, type }) => [id, type]),
  );
  const derived: Derived[] = [];
  /** Returns the column of a value. A value that is computed is null in rows without a row of the dataset. */
  const valueOf = (id: string): string => {
    const computed = derivedById.get(id);
    const type = computed?.type ?? typesById.get(id) ?? "numeric";
    const value = add({ column_id: id, type }, type);
    if (!computed) return value;
    const guarded = `value.${value}`;
    if (!derived.some((each) => each.id === guarded))
      derived.push({ id: guarded, type, expression: whereNotNull(matchedBy, value, type) });
    return guarded;
  };
  const folded = measures.map((index): QueryColumn => {
    const {
      column_id: id,
      weight,
      other,
      aggregation,
      fraction,
    } = pushed.columns[index] ?? {
      column_id: "*",
    };
    return {
      column_id: valueOf(id),
      ...(aggregation && { aggregation }),
      ...(fraction !== undefined && { fraction }),
      ...(weight !== undefined && { weight: valueOf(weight) }),
      ...(other !== undefined && { other: valueOf(other) }),
    };
  });
  const fold: Residual = {
    columns: types.map((type, index) => ({ id: String(index), type })),
    vectors: types.map((_, index) => index),
    query: {
      id: "",
      ...(derived.length > 0 && { derived }),
      columns: [...keys.map(({ id }) => ({ column_id: id })), ...folded],
      filters: [],
      options: { pushdown: true },
    },
  };
  const vectors = pushed.columns.map((_, index) => {
    const key = keys.findIndex((each) => each.index === index);
    const measure = measures.indexOf(index);
    if (key >= 0) return key;
    return measure < 0 ? -1 : keys.length + measure;
  });
  const originsOf = createOrigins(bound);
  const isFiner = (id: string) =>
    !derivedById.has(id) &&
    originsOf({ column_id: id }).some((each) => !reach.has(measuredId, each));
  const isMeant = bound.query.filters.some((filter: Filter) => failsOnNull(filter, isFiner));
  return {
    bound: partOf(bound, { columns, types }),
    vectors,
    fold,
    ...(!isMeant && {
      unmatched: {
        measuredId,
        finerId: baseId,
        all: partOf(
          await boundFromMeasured(),
          { columns: [{ column_id: "*", aggregation: "count" }], types: ["numeric"] },
          [],
        ),
        matched: partOf(bound, { columns: linked, types: linked.map(({ type }) => type) }, []),
      },
    }),
  };
}

function isSameKey(one: QueryColumn, other: QueryColumn): boolean {
  return (
    one.column_id === other.column_id &&
    one.level === other.level &&
    one.bin?.width === other.bin?.width &&
    one.bin?.origin === other.bin?.origin
  );
}

/** Returns a query for some groups, without the clauses that the host applies to the groups of all parts. */
function partOf(
  { dataset, joined, query }: BoundQuery,
  { columns, types }: Pick<Query, "columns"> & Pick<BoundQuery, "types">,
  filters: readonly Filter[] = query.filters,
): BoundQuery {
  const { id, joins, derived = [], options } = query;
  const used = new Set(namedColumns({ id, columns, filters, options }));
  const kept = derived.filter((each) => used.has(each.id));
  return {
    dataset,
    joined,
    query: {
      id,
      ...(joins && { joins }),
      ...(kept.length > 0 && { derived: kept }),
      columns,
      filters,
      options,
    },
    formulas: [],
    calculations: [],
    types,
    cells: columns.map((_, index) => index),
    limited: false,
  };
}

function whereNotNull(testedId: string, valueId: string, type: DataType): Expression {
  return {
    kind: "call",
    function: "case",
    args: [
      { kind: "call", function: "isNull", args: [{ kind: "column", column_id: testedId }] },
      { kind: "literal", type, value: null },
      { kind: "column", column_id: valueId },
    ],
  };
}

/** Returns whether a filter removes every row in which the given columns are null. */
function failsOnNull(filter: Filter, isNull: (columnId: string) => boolean): boolean {
  if (isAnd(filter)) return filter.and.some((each: Filter) => failsOnNull(each, isNull));
  if (isOr(filter)) return filter.or.every((each: Filter) => failsOnNull(each, isNull));
  return isNull(filter.column_id) && !passesNull(filter);
}
