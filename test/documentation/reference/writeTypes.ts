import { isObject, openVariant } from "../../../core/base/index.ts";
import { describeMembers } from "../../../core/http/openapi/describeMembers.ts";

type Json = Readonly<Record<string, unknown>>;

/** Returns the anchor of a heading, as GitHub writes it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

/** Writes text as a cell of a table. */
const cellOf = (text: string): string => text.replaceAll("|", String.raw`\|`).replaceAll("\n", " ");

/** Writes a table. Its rows are lists of cells. */
export function writeTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellOf).join(" | ")} |\n`;
  return `${line(head)}|${"---|".repeat(head.length)}\n${rows.map(line).join("")}`;
}

/** Joins words as in "a, b or c". */
const either = (words: readonly string[]) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

const formats: Readonly<Record<string, string>> = {
  uuid: "id",
  "date-time": "instant",
  binary: "file",
};

/** Writes the type of a schema in words, with a link to each named schema. `linkTo` returns the link of a name. */
export function typeOf(schema: unknown, linkTo: (name: string) => string): string {
  if (!isObject<keyof Schema>(schema)) return "anything";
  const { $ref, anyOf, allOf, items, type, format } = schema as Schema;
  if ($ref !== undefined) return linkTo($ref.slice($ref.lastIndexOf("/") + 1));
  if ("const" in schema) return `\`${String(schema.const)}\``;
  if (Array.isArray(schema.enum)) return either(schema.enum.map((each) => `\`${String(each)}\``));
  if (anyOf) {
    const known = anyOf.filter((each) => !(isObject(each) && each[openVariant] === true));
    return either([...new Set(known.map((each) => typeOf(each, linkTo)))]);
  }
  if (allOf) return allOf.map((each) => typeOf(each, linkTo)).join(" with ");
  switch (type ?? "") {
    case "array":
      return `list of ${severalOf(typeOf(items, linkTo))}`;
    case "string":
      return formats[format ?? ""] ?? "string";
    case "boolean":
      return "`true` or `false`";
    case "null":
      return "null";
    case "integer":
    case "number":
    case "object":
      return type ?? "";
    default:
      return "anything";
  }
}

/** Returns the words for several values of a type. */
function severalOf(words: string): string {
  if (/ or /.test(words)) return `(${words})`;
  return words
    .replace(/^(string|number|integer|object|instant|id|file)\b/, "$1s")
    .replace(/^list\b/, "lists");
}

interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly unknown[];
  readonly allOf?: readonly unknown[];
  readonly items?: unknown;
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Json;
  readonly required?: readonly string[];
  readonly description?: string;
}

/** A member of an object, and the members within it, by their paths. */
export interface MemberRow {
  readonly path: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** The form of a union that has this member. Absent if the value has one form, or if all forms have the member. */
  readonly form?: { readonly number: number; readonly count: number };
}

/** Lists the members of a schema and, below each, the members of objects without a name. */
export function membersOf(given: unknown, within: string): readonly MemberRow[] {
  return rowsOf(describeMembers(given, within) as Schema, "");
}

function rowsOf(schema: Schema, before: string): MemberRow[] {
  const { properties = {}, required = [], anyOf = [], allOf = [] } = schema;
  const own = Object.entries(properties).flatMap(([name, value]): MemberRow[] => {
    const inner = value as Schema;
    const path = `${before}${name}`;
    const isRequired = required.includes(name);
    return [{ path, schema: inner, isRequired }, ...below(inner, path)];
  });
  const whole = allOf.flatMap((each) => rowsOf(each as Schema, before));
  const rows = [...own, ...alternativesOf(anyOf as readonly Schema[], before), ...whole];
  return rows.filter(({ path }, index) => rows.findIndex((each) => each.path === path) === index);
}

/**
 * Lists the members of the alternatives of a union. A member is required only if all alternatives that are objects
 * require it. A member that other alternatives lack belongs to a form of the value.
 */
function alternativesOf(alternatives: readonly Schema[], before: string): MemberRow[] {
  const objects = alternatives.filter(({ properties }) => properties !== undefined);
  return alternatives.flatMap((schema) =>
    rowsOf(schema, before).map((row): MemberRow => {
      const name = row.path.slice(before.length);
      if (objects.length < 2 || !Object.hasOwn(schema.properties ?? {}, name)) return row;
      if (objects.every(({ properties = {} }) => Object.hasOwn(properties, name)))
        return { ...row, isRequired: objects.every((each) => each.required?.includes(name)) };
      return { ...row, form: { number: objects.indexOf(schema) + 1, count: objects.length } };
    }),
  );
}

/** Returns what the table says after the name of a member. */
function needOf({ isRequired, form }: MemberRow): string {
  const words = [
    ...(isRequired ? ["required"] : []),
    ...(form ? [`in form ${form.number} of ${form.count}`] : []),
  ];
  return words.length === 0 ? "" : ` (${words.join(" ")})`;
}

function below(schema: Schema, path: string): MemberRow[] {
  if (schema.type === "array") return below((schema.items ?? {}) as Schema, `${path}[]`);
  const list = (schema.anyOf ?? []).find((each) => isObject<"type">(each) && each.type === "array");
  const others = list ? below(list as Schema, path) : [];
  const rows = schema.$ref === undefined ? rowsOf(schema, `${path}.`) : [];
  return [...rows, ...others.filter((each) => !rows.some((row) => row.path === each.path))];
}

/** Writes the members of a schema as a table; an empty string if it has none. */
export function writeMembers(
  given: unknown,
  within: string,
  linkTo: (name: string) => string,
): string {
  const rows = membersOf(given, within);
  if (rows.length === 0) return "";
  return writeTable(
    ["member", "type", "meaning"],
    rows.map((row) => [
      `\`${row.path}\`${needOf(row)}`,
      typeOf(row.schema, linkTo),
      row.schema.description ?? linkedMeaning(row.schema, linkTo),
    ]),
  );
}

const linkedMeaning = (schema: Schema, linkTo: (name: string) => string) =>
  schema.$ref === undefined
    ? ""
    : `See ${linkTo(schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1))}.`;
