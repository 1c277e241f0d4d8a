import { ApiError, type ResourceRow, type Members } from "../../base/index.ts";
import { readInformat, type DateForm } from "../../resources/index.ts";
import { dataTypeOf, type DataType } from "../../../plugins/protocol/index.ts";
import { columnValues, type ColumnValues } from "./columnValues.ts";
import type { DetectedType } from "./detectType.ts";
import type { EncodedColumn } from "./encodeRows.ts";
import type { Push } from "./parsePush.ts";
import type { PushedRows } from "./pushedRows.ts";

/** The members of a push that determine its columns. */
export interface PushShape extends Pick<Push, "type" | "header" | "updateMetadata"> {
  readonly rows: Pick<PushedRows, "width" | "detect">;
}

/** How the cells of a push match the columns of its dataset. */
export interface ColumnMatch {
  /** One target per cell of a row. */
  readonly targets: readonly (EncodedColumn & { readonly id: string })[];
  readonly added: readonly ColumnValues[];
  readonly removed: readonly ResourceRow<"column">[];
  /** Existing columns whose order changes. */
  readonly moved: readonly { readonly id: string; readonly order: number }[];
  /** Warnings about added columns. */
  readonly warnings: readonly string[];
}

/** Columns that a push creates. */
export interface NewColumns {
  readonly columns: readonly ColumnValues[];
  readonly warnings: readonly string[];
}

/**
 * Matches pushed cells to columns: by name if there is a header, otherwise by `order`. A column without a source name
 * matches by its name in any language. A dataset without columns gets its columns from the first push. With
 * `update_metadata`, unknown names become new columns. A replace then also removes the columns that are missing in the
 * header, and uses the order of the header. The remaining columns keep their ids and types.
 * @throws {ApiError} MEMBER_INVALID for a different width, and for unknown names without `update_metadata`
 */
export function matchColumns(
  push: PushShape,
  columns: readonly ResourceRow<"column">[],
  securableId: string,
  userId: string,
): ColumnMatch {
  const existing = inOrder(columns);
  if (existing.length === 0) {
    const { columns: added, warnings } = newColumns(push, securableId, userId);
    return { targets: added.map(newTarget), added, removed: [], moved: [], warnings };
  }
  if (!push.header)
    return { ...byPosition(push, existing), added: [], removed: [], moved: [], warnings: [] };
  const { byName, shared } = nameColumns(existing);
  const unclear = push.header.filter((name) => shared.has(name));
  // If the host chose one of the columns, it could put cells into the wrong column, which row filters may test.
  if (unclear.length > 0)
    throw new ApiError("MEMBER_INVALID", [
      "properties.options.header",
      `two columns of the dataset are named ${unclear.map(quote).join(", ")}; rename or remove one of them`,
    ]);
  const unknown = push.header.filter((name) => !byName.has(name));
  if (unknown.length > 0 && !push.updateMetadata)
    throw new ApiError("MEMBER_INVALID", [
      "properties.options.header",
      `the dataset has no column ${unknown.map(quote).join(", ")}; it has ${[...byName.keys()].map(quote).join(", ")}; set options.update_metadata to true to add columns`,
    ]);
  const reshapes = push.type === "replace" && push.updateMetadata;
  const lastOrder = Math.max(-1, ...existing.map((column) => Number(column.order)));
  const added: ColumnValues[] = [];
  const warnings: string[] = [];
  const targets = push.header.map((name, position) => {
    const known = byName.get(name);
    if (known) return target(known, position);
    const order = reshapes ? position : lastOrder + added.length + 1;
    const detected = push.rows.detect(position);
    const column = columnValues(name, order, detected, securableId, userId);
    added.push(column);
    warnings.push(...warningsOf(name, detected));
    return newTarget(column, position);
  });
  if (!reshapes) return { targets, added, removed: [], moved: [], warnings };
  const kept = new Set(targets.map((each) => each.id));
  const orders = new Map(existing.map((column) => [column.id, Number(column.order)]));
  return {
    targets,
    added,
    removed: existing.filter((column) => !kept.has(column.id)),
    moved: targets.flatMap(({ id, position }) =>
      orders.has(id) && orders.get(id) !== position ? [{ id, order: position }] : [],
    ),
    warnings,
  };
}

/** Returns columns in the order of their cells. Columns with equal `order` keep their order of creation. */
export function inOrder(
  columns: readonly ResourceRow<"column">[],
): readonly ResourceRow<"column">[] {
  const madeAt = (column: ResourceRow<"column">) => Number(column.created_at);
  return columns.toSorted(
    (one, other) =>
      Number(one.order) - Number(other.order) ||
      madeAt(one) - madeAt(other) ||
      (one.id < other.id ? -1 : 1),
  );
}

/**
 * Describes the columns of pushed rows, one per cell, for a dataset without columns.
 * @throws {ApiError} MEMBER_MISSING without rows and header
 */
export function newColumns(
  { header, rows }: Pick<PushShape, "header" | "rows">,
  securableId: string,
  userId: string,
): NewColumns {
  const width = header?.length ?? rows.width;
  if (width === undefined)
    throw new ApiError("MEMBER_MISSING", [
      "properties.options.header",
      "a push without rows needs a header that names the columns",
    ]);
  const detected = Array.from({ length: width }, (_, position) => rows.detect(position));
  const nameOf = (position: number) => header?.[position] ?? `column_${position + 1}`;
  return {
    columns: detected.map((each, position) =>
      columnValues(nameOf(position), position, each, securableId, userId),
    ),
    warnings: detected.flatMap((each, position) => warningsOf(nameOf(position), each)),
  };
}

function warningsOf(name: string, { doubt }: DetectedType): readonly string[] {
  if (doubt === undefined) return [];
  return [
    `the column ${quote(name)} is stored as text: ${doubt}; send ISO dates, or first create the column with type datetime and its informat`,
  ];
}

/**
 * Returns the columns by the names that a header can use. Source names take precedence. `shared` contains
 * the names that several columns have.
 */
function nameColumns(columns: readonly ResourceRow<"column">[]): {
  readonly byName: ReadonlyMap<string, ResourceRow<"column">>;
  readonly shared: ReadonlySet<string>;
} {
  const byName = new Map<string, ResourceRow<"column">>();
  const shared = new Set<string>();
  const add = (name: string, column: ResourceRow<"column">) => {
    if (byName.has(name)) shared.add(name);
    else byName.set(name, column);
  };
  const sources = columns.filter((column) => typeof column.source_name === "string");
  for (const column of sources) add(String(column.source_name), column);
  const taken = new Set(byName.keys());
  for (const column of columns.filter((each) => !sources.includes(each)))
    for (const name of new Set(namesOf(column))) if (!taken.has(name)) add(name, column);
  return { byName, shared };
}

function namesOf({ name }: ResourceRow<"column">): readonly string[] {
  const names = typeof name === "object" && name !== null ? Object.values(name) : [];
  return names.filter((each): each is string => typeof each === "string");
}

/** Returns the target for the cells of a new column. */
export function newTarget(column: ColumnValues, position: number): ColumnMatch["targets"][number] {
  const { id, type, source_name: name } = column;
  return { id, type, position, name, form: formOf(column) };
}

function byPosition(
  push: PushShape,
  existing: readonly ResourceRow<"column">[],
): Pick<ColumnMatch, "targets"> {
  const width = push.rows.width ?? existing.length;
  if (width !== existing.length)
    throw new ApiError("MEMBER_INVALID", [
      "properties.data row 1, counted from 1,",
      `it has ${width} cells, but the dataset has ${existing.length} columns; use options.header to name the columns that you send`,
    ]);
  return { targets: existing.map(target) };
}

function target(column: ResourceRow<"column">, position: number): ColumnMatch["targets"][number] {
  return {
    id: column.id,
    type: typeOf(column),
    position,
    name: String(column.source_name ?? namesOf(column)[0] ?? ""),
    form: formOf(column),
  };
}

const formOf = (column: Members<"informat">): DateForm | undefined => readInformat(column.informat);

/** Returns the type of a column's values in the store. */
export function typeOf(column: ResourceRow<"column">): DataType {
  return dataTypeOf(column.type);
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}
