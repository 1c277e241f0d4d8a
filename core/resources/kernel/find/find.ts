import type { Knex } from "knex";
import { isObject, kindOf, type Principal, type Members } from "../../../base/index.ts";
import type { Cipher } from "../../../catalog/index.ts";
import type { Declaration } from "../declaration.ts";
import { limits } from "../limits.ts";
import { parseAttributes } from "./attributes.ts";
import { fetchIncludes } from "./fetchIncludes.ts";
import { createBudget } from "./budget.ts";
import { parseIncludes } from "./include.ts";
import { createLanes } from "./lanes.ts";
import { narrowFirst } from "./narrow.ts";
import { columnsOf, presentLevel } from "./level.ts";
import { compileOrder, orderBy } from "./order.ts";
import { expectObject, invalidMember, type Scope } from "./scope.ts";
import { compileSearch } from "./search.ts";
import { compileWhere } from "./where.ts";

export interface FindOptions {
  readonly knex: Knex;
  readonly cipher: Cipher;
  readonly declarations: ReadonlyMap<string, Declaration>;
  readonly declaration: Declaration;
  readonly principal: Principal;
  readonly note?: Scope["note"];
}

/**
 * The result of a search: the number of all matching records, regardless of `limit`, and the records of the page in
 * order.
 */
export interface Found {
  readonly count: number;
  readonly rows: readonly Record<string, unknown>[];
}

const members = [
  "where",
  "search",
  "attributes",
  "include",
  "order",
  "limit",
  "offset",
  "options",
] as const;

function wholeNumber(value: unknown, path: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0)
    throw invalidMember(
      path,
      `must be a whole number of 0 or more, not ${typeof value === "number" ? "this number" : kindOf(value)}`,
    );
  return value;
}

const countColumn = "found_count";

/**
 * Maximum number of concurrent statements per find. Three keep two cores busy and leave connections for other calls.
 */
const laneCount = 3;

/** Returns whether a `where` lists ids of the records, or of the records to which they belong. */
function namesFew({ allow }: Declaration, where: unknown): boolean {
  if (!isObject(where)) return false;
  return ["id", ...(allow.keys ?? [])].some((member) => {
    const value = Object.hasOwn(where, member) ? where[member] : undefined;
    const named = isObject<"in" | "eq">(value) ? (value.in ?? value.eq) : value;
    return typeof named === "string" || Array.isArray(named);
  });
}

/** Returns whether a find fetches a record by its id. The answer then includes the members that lists omit. */
function isFetchedById(where: unknown): boolean {
  return isObject<"id">(where) && typeof where.id === "string";
}

/**
 * Searches the records that the caller may read, at most `limits.pageSize` at a time. Executes one SQL statement,
 * another statement for the count if the page has no rows, and at most one statement per include. Includes are read
 * concurrently.
 * @throws {ApiError} MEMBER_UNKNOWN, MEMBER_INVALID with the path of the member
 */
export async function find(options: FindOptions, given: unknown): Promise<Found> {
  const { knex, cipher, declaration } = options;
  const request: Members<(typeof members)[number]> = expectObject(given ?? {}, "find", members);
  const scope: Scope = { ...options, alias: "t0", path: "find", budget: createBudget() };
  const { attributes, requested } = parseAttributes(scope, request.attributes);
  const includes = parseIncludes(scope, request.include);
  const order = compileOrder(scope, request.order);
  const limit = wholeNumber(request.limit, "find.limit");
  if (limit !== undefined && limit > limits.pageSize)
    throw invalidMember(
      "find.limit",
      `must be at most ${limits.pageSize}; request more records in pages`,
    );
  const offset = wholeNumber(request.offset, "find.offset");
  const conditions = [
    ...(request.where === undefined ? [] : [compileWhere(scope, request.where)]),
    ...(request.search === undefined ? [] : [compileSearch(scope, request.search)]),
  ];
  const where =
    conditions.length > 0
      ? knex.raw(conditions.map(() => "?").join(" and "), conditions)
      : undefined;
  const named =
    request.attributes === undefined && isFetchedById(request.where) ? attributes : requested;

  const found = knex(`${declaration.name} as t0`).select("t0.id");
  narrowFirst(found, scope, where, includes, namesFew(declaration, request.where));
  for (const [index, [value]] of order.entries())
    found.select(knex.raw("? as ??", [value, `o${index}`]));
  const page = knex("found")
    .select("id")
    .orderByRaw(orderBy(knex, order, (index) => knex.raw("??", [`o${index}`])))
    .limit(limit ?? limits.pageSize)
    .offset(offset ?? 0);
  const paged = knex
    .withMaterialized("found", found)
    .select(columnsOf(scope, { attributes, requested: named }, includes))
    .select(knex.raw("(select count(*) from found) as ??", [countColumn]))
    .from(`${declaration.name} as t0`)
    .whereRaw("t0.id = any(array(?))", [page])
    .orderByRaw(orderBy(knex, order));
  const read: Record<string, unknown>[] = limit === 0 ? [] : await paged;
  const rows = presentLevel({ scope, attributes }, read, cipher);
  await fetchIncludes({ includes, cipher, lanes: createLanes(laneCount) }, read, rows);
  return { count: await countOf(), rows };

  /**
   * Counts the matching records with a separate statement. This is needed for an empty page, because the count is read
   * from the rows of the page.
   */
  async function countOf(): Promise<number> {
    const [first] = read;
    if (first) return Number(first[countColumn]);
    if (!offset && limit !== 0) return 0;
    const counted: { count?: unknown } | undefined = await found
      .clone()
      .clearSelect()
      .count({ count: "*" })
      .first();
    return Number(counted?.count);
  }
}
