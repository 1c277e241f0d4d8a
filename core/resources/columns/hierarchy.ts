import type { Knex } from "knex";
import Type from "typebox";
import { arrayBinding, writeAudit } from "../../catalog/index.ts";
import { ApiError, asMap, type Handler, isObject, type Members } from "../../base/index.ts";
import {
  type Fields,
  type KernelOptions,
  colour,
  expectRow,
  flag,
  limits,
  list,
  multilingual,
  number,
  problemOf,
  text,
} from "../kernel/index.ts";

/** The members stored for one value of a hierarchy column. `id` is the value itself. */
export const hierarchyFields: Fields = {
  name: multilingual({ description: "Name of the value, by language.", length: limits.nameLength }),
  color: colour({ description: "Colour of the value in charts." }),
  virtual: flag({
    description: "Whether the value only groups other values, so that no row contains it.",
    nullable: false,
  }),
  trace: list(Type.String(), "a list of strings", {
    description: "The values above this value, from the coarsest.",
  }),
  level: number({ description: "Level of the value, from the coarsest." }),
  subTreeLevel: number({ description: "Number of levels below the value." }),
};
const value = text({ description: "The value.", nullable: false, length: limits.indexedLength });
const jsonMembers = ["name", "trace"];

function invalid(path: string, problem: string): ApiError {
  return new ApiError("MEMBER_INVALID", [path, problem]);
}

/** Returns the updates of a call by value. If a value occurs twice, the later update applies. */
function parseUpdates(properties: unknown): Map<string, Members> {
  const path = "properties.updates";
  const members = asMap(properties);
  const updates = isObject<"updates">(members) ? members.updates : undefined;
  if (!Array.isArray(updates))
    throw new ApiError("MEMBER_MISSING", [path, "a list of {id, name, color, …}"]);
  if (updates.length > limits.hierarchyUpdateCount)
    throw invalid(path, `must have at most ${limits.hierarchyUpdateCount} entries`);
  const byValue = new Map<string, Members>();
  for (const [index, update] of updates.entries()) {
    const at = `${path}[${index}]`;
    if (!isObject(update)) throw invalid(at, "must be an object with an id");
    const { id } = update;
    const problem = problemOf(value, id ?? null);
    if (problem !== undefined) throw invalid(`${at}.id`, problem);
    const members: Record<string, unknown> = { ...byValue.get(String(id)) };
    for (const [member, field] of Object.entries(hierarchyFields)) {
      const given = Object.hasOwn(update, member) ? update[member] : undefined;
      if (given === undefined) continue;
      const complaint = problemOf(field, given);
      if (complaint !== undefined) throw invalid(`${at}.${member}`, complaint);
      members[member] = given;
    }
    byValue.set(String(id), members);
  }
  return byValue;
}

function presentElement({ value: id, ...members }: Members): Members {
  return { id, ...members };
}

/** Returns whether an update clears a member and leaves no member stored for the value. */
function isCleared(given: Members, members: Members): boolean {
  const isEmpty = Object.entries(members).every(([member, each]) =>
    member === "virtual" ? each === false : each === null || each === undefined,
  );
  return isEmpty && Object.values(given).includes(null);
}

/**
 * Writes elements. Members absent from an update stay unchanged. An element is removed when an update clears its last
 * member. Executes at most three SQL statements per 1,000 elements.
 */
async function writeElements(
  columnId: string,
  updates: ReadonlyMap<string, Members>,
  transaction: Knex.Transaction,
): Promise<void> {
  const names = Object.keys(hierarchyFields);
  const all = [...updates];
  for (let start = 0; start < all.length; start += 1_000) {
    const part = all.slice(start, start + 1_000);
    const present: Members[] = await transaction("hierarchy_element")
      .select("value", ...names)
      .where("column_id", columnId)
      .whereRaw("value = any(?::text[])", [arrayBinding(part.map(([id]) => id))]);
    const kept = new Map(present.map(({ value: id, ...members }) => [String(id), members]));
    const merged = part.map(([id, given]) => {
      const members: Members = { virtual: false, ...kept.get(id), ...given };
      return { id, members, isGone: isCleared(given, members) };
    });
    const gone = merged.filter(({ isGone }) => isGone).map(({ id }) => id);
    if (gone.length > 0)
      await transaction("hierarchy_element")
        .where("column_id", columnId)
        .whereRaw("value = any(?::text[])", [arrayBinding(gone)])
        .delete();
    if (gone.length === part.length) continue;
    const written = merged
      .filter(({ isGone }) => !isGone)
      .map(({ id, members }) => {
        const stored = names.map((member) => {
          const each = members[member] ?? null;
          return [
            member,
            jsonMembers.includes(member) && each !== null ? JSON.stringify(each) : each,
          ];
        });
        const now = new Date();
        return { ...Object.fromEntries(stored), column_id: columnId, value: id, updated_at: now };
      });
    await transaction("hierarchy_element")
      .insert(written)
      .onConflict(["column_id", "value"])
      .merge([...names, "updated_at"]);
  }
}

function wholeNumber(given: unknown, fallback: number, path: string): number {
  if (given === undefined || given === null) return fallback;
  if (!Number.isSafeInteger(given) || Number(given) < 0)
    throw invalid(path, "must be a whole number of 0 or more");
  return Number(given);
}

/**
 * Creates the handlers of `hierarchy`: labels, colours and tree positions of a column's values. A hierarchy has the id
 * and the rights of its column. `update` adds, changes and clears values; `get` lists all values in order, or only
 * `where.value`.
 */
export function hierarchyHandlers(
  { catalog: { knex }, records, cipher }: KernelOptions,
  declarations: Parameters<typeof expectRow>[0]["declarations"],
): { readonly get: Handler; readonly update: Handler } {
  const context = { knex, cipher, declarations };
  return {
    async get({ body, principal }) {
      const find = isObject<"where" | "limit" | "offset">(body.find) ? body.find : {};
      const where = isObject<"column_id" | "id" | "value">(find.where) ? find.where : {};
      const id = where.column_id ?? where.id;
      if (id === undefined)
        throw new ApiError("MEMBER_MISSING", ["find.where.column_id", "the id of a column"]);
      const { id: columnId } = await expectRow(context, "column", id, "read", principal);
      const column = declarations.get("column");
      const limited: { limited: boolean } | undefined = await knex("column as t")
        .where("t.id", columnId)
        .first({ limited: column?.isLimited?.(knex, "t", principal) ?? knex.raw("false") });
      if (limited?.limited)
        throw new ApiError("FORBIDDEN", [
          "see all rows of the dataset, because the call lists values of all rows; your share of the dataset has filters",
        ]);
      const limit = wholeNumber(find.limit, limits.pageSize, "find.limit");
      if (limit > limits.pageSize)
        throw invalid("find.limit", `must be at most ${limits.pageSize}`);
      const { value } = where;
      if (value !== undefined && typeof value !== "string")
        throw invalid("find.where.value", "must be a string, the value itself");
      const elements = () =>
        knex("hierarchy_element").where({
          column_id: columnId,
          ...(value !== undefined && { value }),
        });
      const rows: Members[] = await elements()
        .select("value", "column_id", ...Object.keys(hierarchyFields))
        .orderBy("value")
        .limit(limit)
        .offset(wholeNumber(find.offset, 0, "find.offset"));
      const counted: { count?: unknown } | undefined = await elements()
        .count({ count: "*" })
        .first();
      return { count: Number(counted?.count), rows: rows.map(presentElement) };
    },
    async update(call) {
      const { body, principal } = call;
      const column = await expectRow(context, "column", body.id, "modify", principal);
      const updates = parseUpdates(body.properties);
      await records.transaction(async (transaction) => {
        // Updates of the same column are serialized, so that no update overwrites members set by another.
        await transaction("column").where({ id: column.id }).forUpdate().first("id");
        await writeElements(column.id, updates, transaction);
        const event = { action: "update", resource: "hierarchy", recordId: column.id } as const;
        await writeAudit(records, call, { ...event, members: ["updates"] }, transaction);
      });
      return { id: column.id, count: updates.size, code: 200 };
    },
  };
}
