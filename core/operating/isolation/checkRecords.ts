import type { Members } from "../../base/index.ts";
import type { Allowance } from "./allowance.ts";
import { type Call, listAll } from "./createCall.ts";
import { findOf, rowsOf } from "./testQuery.ts";
import type { KnownRecord, Leak } from "./isolationReport.ts";

/** Resources whose lists a token may read, each with the resources to include. */
const lists: Readonly<Record<string, readonly Members[]>> = {
  securable: [{ model: "Column" }, { model: "Formula" }],
  column: [{ model: "Column", as: "Joins" }],
  formula: [],
  hierarchylevel: [],
  collection: [],
  integration: [],
  tag: [],
  theme: [],
  customchart: [],
  user: [],
};

const shownCount = 3;

/**
 * Checks that no list, record, column or error contains the id or the name of a record that a token may not see. Names
 * that an allowed record also has are not checked.
 */
export async function checkRecords({
  key,
  call,
  allowance,
  known,
}: {
  readonly key: string;
  readonly call: Call;
  readonly allowance: Allowance;
  readonly known: readonly KnownRecord[];
}): Promise<Leak[]> {
  const { securables, hiddenColumns } = allowance;
  if (!securables) return [];
  const isAllowed = ({ id, datasetId }: KnownRecord) =>
    securables.has(datasetId) && !hiddenColumns.has(id);
  const foreign = known.filter((record) => !isAllowed(record));
  const ownNames = new Set(known.filter(isAllowed).flatMap(({ names }) => names));
  const texts = foreign.flatMap(({ id, names }) => [
    { id, text: id },
    ...names.filter((name) => !ownNames.has(name)).map((name) => ({ id, text: name })),
  ]);
  const byText = new Map(texts.map(({ id, text }) => [text, id]));
  const leaks: Leak[] = [];
  const leakIn = (answer: unknown): string | undefined =>
    textsIn(answer).find((text) => byText.has(text));
  for (const [resource, include] of Object.entries(lists)) {
    const rows = (await listAll(call, resource, { order: [["id", "asc"]], include })).map(
      withoutContents,
    );
    for (const row of rows) {
      const text = leakIn(row);
      if (text === undefined) continue;
      leaks.push(await smallestSearch({ key, call, resource, row, include, text }, leakIn));
      break;
    }
  }
  for (const record of foreign) {
    const leak = await findForeign(record, key, call);
    if (leak) leaks.push(leak);
  }
  return leaks;
}

/** Removes contents of dashboards, which are returned as saved and may name columns that their reader cannot see. */
function withoutContents(row: Members): Members {
  return { ...row, contents: null };
}

/**
 * Matches members whose strings are names. Strings in other members, such as types, may equal a name by coincidence.
 */
const naming = /name|title|label|description|email/i;

/** Lists the ids anywhere in an answer, and the strings in members that contain names. */
function textsIn(value: unknown, isNamed = false): string[] {
  if (typeof value === "string")
    return isNamed ? [value, value.toLowerCase()] : isUuidText(value) ? [value.toLowerCase()] : [];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, isNamed));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    textsIn(each, isNamed || naming.test(name)),
  );
}

const isUuidText = (text: string): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

async function smallestSearch(
  {
    key,
    call,
    resource,
    row,
    include,
    text,
  }: {
    readonly key: string;
    readonly call: Call;
    readonly resource: string;
    readonly row: Members<"id">;
    readonly include: readonly Members[];
    readonly text: string;
  },
  leakIn: (answer: unknown) => string | undefined,
): Promise<Leak> {
  const where = { id: row.id };
  const finds: readonly Members[] = [
    { where },
    ...include.map((each) => ({ where, include: [each] })),
    { order: [["id", "asc"]], include },
  ];
  for (const find of finds) {
    const found = (await listAll(call, resource, find)).map(withoutContents);
    if (leakIn(found) === undefined) continue;
    return leakOf(key, `a list of ${resource} shows ${text}`, resource, { action: "get", find }, [
      text,
    ]);
  }
  const body = { action: "get", find: { include } };
  return leakOf(key, `a list of ${resource} shows ${text}`, resource, body, [text]);
}

/** Requests a record that the token may not see, and the rows of the record. */
async function findForeign(
  { id, resource, type, datasetId }: KnownRecord,
  key: string,
  call: Call,
): Promise<Leak | undefined> {
  const find = { where: { id } };
  const [row] = await listAll<"name">(call, resource, find);
  if (row)
    return leakOf(
      key,
      `a search by id finds the ${type} ${id}`,
      resource,
      { action: "get", find },
      [row.name ?? id],
    );
  if (resource !== "column") return undefined;
  const query = { datasetId, columns: [{ id }], tests: [], isRaw: false };
  const body = { action: "get", find: findOf(query) };
  const rows = rowsOf(await call("data", body));
  if (!rows) return undefined;
  const what = `a query returns values of the column ${id}, which the token may not see`;
  return leakOf(key, what, "data", body, rows.slice(0, shownCount));
}

function leakOf(
  key: string,
  what: string,
  resource: string,
  body: Members,
  seen: readonly unknown[],
): Leak {
  return { key, what, question: { resource, body }, seen };
}
