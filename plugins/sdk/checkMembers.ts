import { nearestName } from "./nearestName.ts";

/** Names from other protocols and query languages that authors use by mistake, each with our name. */
const otherNames: Readonly<Record<string, string>> = {
  where: "filters",
  sort: "order",
  orderBy: "order",
  sorting: "order",
  groupBy: "grouping",
  aggregations: "grouping",
  paging: "limit",
  offset: "limit",
  label: "name",
  title: "name",
  fields: "columns",
  tables: "datasets",
  number: "numeric",
  string: "hierarchy",
  text: "hierarchy",
  date: "datetime",
  avg: "average",
  mean: "average",
  not: "!=",
  equals: "=",
  eq: "=",
  "==": "=",
  "<>": "!=",
  neq: "!=",
  contains: "like",
};

/**
 * Refuses names that are not in a list. The error suggests the nearest name in the list.
 *
 * - `what` describes a name after "is not", such as "a capability" or "a member of a column".
 * - `where` is the place of the names, such as `capabilities.filters`.
 * @throws {TypeError} that names the place and the nearest or all known names
 */
export function checkNames(
  given: readonly unknown[],
  known: readonly string[],
  { what, where }: { readonly what: string; readonly where: string },
): void {
  for (const name of given)
    if (typeof name !== "string" || !known.includes(name))
      throw new TypeError(`${where}: ${unknownName(name, known, what)}`);
}

/** An object whose members have not been checked. `Name` lists the members that the caller reads. */
export type Members<Name extends string = never> = Readonly<Record<string, unknown>> & {
  readonly [Member in Name]?: unknown;
};

/**
 * Refuses a value that is not an object, and an object with unknown members. `Name` lists the members that the
 * caller reads.
 * @throws {TypeError} as `checkNames`
 */
export function checkMembers<Name extends string = never>(
  value: unknown,
  known: readonly string[],
  place: { readonly what: string; readonly where: string },
): asserts value is Members<Name> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError(`${place.where} must be an object`);
  // A member with the value undefined counts as absent.
  const given = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [name],
  );
  checkNames(given, known, place);
}

/** Returns the message for an unknown name, such as `filter is not a capability; did you mean filters?` */
function unknownName(name: unknown, known: readonly string[], what: string): string {
  const shown = typeof name === "string" ? name : JSON.stringify(name);
  const meant = typeof name === "string" ? meantName(name, known) : undefined;
  const help = meant === undefined ? `known are ${known.join(", ")}` : `did you mean ${meant}?`;
  return `${shown} is not ${what}; ${help}`;
}

function meantName(name: string, known: readonly string[]): string | undefined {
  const other = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
  if (other !== undefined && known.includes(other)) return other;
  return nearestName(name, known);
}
