import type { Knex } from "knex";
import { ApiError, isObject, type Row } from "../../base/index.ts";
import type { HookCall } from "../kernel/index.ts";

const namedCount = 5;

/**
 * Refuses to delete a record that other records need. The message names the records that the caller may see.
 * @throws {ApiError} CONFLICT
 */
export async function refuseDependents(
  row: Row,
  {
    resource,
    noun,
    key,
    without,
  }: {
    readonly resource: string;
    /** The words for one of these records, and for several. */
    readonly noun: readonly [one: string, several: string];
    readonly key: string;
    readonly without: string;
  },
  { context, principal }: HookCall,
  transaction: Knex.Transaction,
): Promise<void> {
  const counted: { count?: unknown } | undefined = await transaction(resource)
    .where(key, row.id)
    .count({ count: "*" })
    .first();
  const count = Number(counted?.count);
  if (count === 0) return;
  const seen: { id: string; name: unknown }[] = await transaction(`${resource} as t`)
    .where(`t.${key}`, row.id)
    .where((rights) => context.declarations.get(resource)?.allow(rights, "t", "read", principal))
    .orderBy("t.created_at")
    .limit(namedCount)
    .select("t.id", "t.name");
  const [one, several] = noun;
  const isOne = count === 1;
  const total = isOne ? `1 ${one}` : `${count} ${several}`;
  const shown = seen.map(({ id, name }) => [...nameOf(name), id].join(" "));
  const unseenCount = count - seen.length;
  const others = unseenCount > 0 && seen.length > 0 ? ` and ${unseenCount} more` : "";
  const list =
    seen.length === 0
      ? `${total}, which you cannot see, ${without}; ask an owner of your organization to delete ${isOne ? "it" : "them"} first`
      : `${total} ${without}: ${shown.join(", ")}${others}; delete ${isOne ? "it" : "them"} first`;
  throw new ApiError("CONFLICT", [list]);
}

/** Returns the name of a record in quotes, in English if it has several; empty if it has no name. */
function nameOf(name: unknown): readonly string[] {
  if (typeof name === "string" && name !== "") return [JSON.stringify(name)];
  if (!isObject<"en">(name)) return [];
  const [text] = [name.en, ...Object.values(name)].filter((each) => typeof each === "string");
  return text === undefined || text === "" ? [] : [JSON.stringify(text)];
}
