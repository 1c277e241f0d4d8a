import type { Multilingual, StatementParameter } from "../../../plugins/protocol/index.ts";
import { ApiError, isObject, kindOf, type Members } from "../../base/index.ts";
import { fillParameter, sampleOf, statementParameter } from "../../queries/index.ts";

/** A dataset with a statement, as a caller sends it. */
export interface GivenStatement {
  readonly text: string;
  readonly name: Multilingual;
  /**
   * The declared parameters, each `{parameter, type, value?}` as in row filters. The parameters are stored with the
   * dataset.
   */
  readonly parameters: readonly Record<string, unknown>[];
  /**
   * A value for each parameter, used when the source describes the statement: the parameter's default, or a sample of
   * its type.
   */
  readonly samples: Readonly<Record<string, StatementParameter>>;
}

const longestText = 100_000;
const mostParameters = 100;
const nobody = new Map<string, never>();

/** Returns whether a create call contains a statement, as `query` or `sql`. */
export function holdsStatement({ query, sql }: Members): boolean {
  return (query ?? sql ?? null) !== null;
}

/**
 * Parses `query` (or `sql`), `name` and `parameters` of a create call.
 * @throws {ApiError} MEMBER_INVALID, MEMBER_MISSING with the member
 */
export function readStatement({
  query,
  sql,
  name,
  parameters,
  datasets,
  tables,
}: Members): GivenStatement {
  const member = (query ?? null) === null ? "sql" : "query";
  const text = query ?? sql;
  if (typeof text !== "string" || text.trim() === "" || text.length > longestText)
    throw new ApiError("MEMBER_INVALID", [
      `properties.${member}`,
      `must be a string with a single select statement of at most ${longestText} characters`,
    ]);
  if ((datasets ?? tables ?? null) !== null)
    throw new ApiError("MEMBER_INVALID", [
      `properties.${member}`,
      "must not be combined with datasets or tables; send one call for each",
    ]);
  const given = parameters ?? [];
  if (!Array.isArray(given) || given.length > mostParameters)
    throw new ApiError("MEMBER_INVALID", [
      "properties.parameters",
      `must be a list of at most ${mostParameters} {parameter, type, value}, not ${kindOf(given)}`,
    ]);
  const read = given.map((each: unknown, index) =>
    readParameter(each, `properties.parameters[${index}]`),
  );
  const samples = new Map(read.map(({ name: id, sample }) => [id, sample]));
  if (samples.size < read.length)
    throw new ApiError("MEMBER_INVALID", [
      "properties.parameters",
      "must name each parameter only once",
    ]);
  return {
    text,
    name: readName(name),
    parameters: read.map(({ kept }) => kept),
    samples: Object.fromEntries(samples),
  };
}

function readName(name: unknown): Multilingual {
  if (name === undefined || name === null || name === "") return { en: "Statement" };
  if (typeof name === "string" && name.length <= 1000) return { en: name };
  if (isObject(name)) {
    const texts = Object.entries(name);
    const isText = ([language, text]: readonly [string, unknown]) =>
      /^[a-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/.test(language) &&
      typeof text === "string" &&
      text.length <= 1000;
    if (texts.length > 0 && texts.length <= 200 && texts.every(isText))
      return Object.fromEntries(texts.map(([language, text]) => [language, String(text)]));
  }
  throw new ApiError("MEMBER_INVALID", [
    "properties.name",
    'must be a string of at most 1000 characters, or strings by language such as {en: "Sales"}',
  ]);
}

interface ReadParameter {
  readonly name: string;
  readonly kept: Record<string, unknown>;
  readonly sample: StatementParameter;
}

function readParameter(given: unknown, path: string): ReadParameter {
  if (!isObject(given))
    throw new ApiError("MEMBER_INVALID", [
      path,
      `must be {parameter, type, value}, not ${kindOf(given)}`,
    ]);
  const { parameter, type, value = null } = given;
  const name = String(parameter).replace(/^metadata\./, "");
  if (typeof parameter !== "string" || !/^[A-Za-z_][\w-]*$/.test(name))
    throw new ApiError("MEMBER_INVALID", [
      `${path}.parameter`,
      "must be a name of letters, digits, - and _, optionally with the prefix metadata.",
    ]);
  // Uses the check for row filters, which reads the default, or a sample of the type.
  const filter = { ...asFilter, value: { ...given, value: value ?? sampleOf(type) } };
  const filled = fillParameter(filter, nobody, path)?.value;
  const scalar = /^array\[(.+)\]$/.exec(String(type))?.[1] ?? String(type);
  return {
    name,
    kept: { parameter: `metadata.${name}`, type, ...(value !== null && { value }) },
    sample: statementParameter(filled, scalar),
  };
}

const asFilter = {
  clause: "where",
  origin: "global",
  securable_id: "",
  column_id: "",
  expression: "? in ?",
} as const;
