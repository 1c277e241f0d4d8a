import { titleOf, type TransferRecord } from "./record.ts";
import { type Json } from "./json.ts";
import { carried, type KindName } from "./kinds.ts";
import { isObject } from "../../base/index.ts";

/** Kinds that have secrets; only in their files a text `${NAME}` stands for a variable of the environment. */
export const secretive: readonly KindName[] = ["plugin", "account", "channel"];

/** Members that the API shows and that may be keys all the same. */
const keys: Partial<Record<KindName, readonly string[]>> = { account: ["identifier"] };

const form = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/;
const escaped = /^\$+\{[A-Za-z_][A-Za-z0-9_]*\}$/;

/** The variable that a text stands for; undefined when it is a plain text. */
export function variableOf(value: unknown): string | undefined {
  return typeof value === "string" ? form.exec(value)?.[1] : undefined;
}

/** A plain text in a file: one that looks like a placeholder has one more $ there. */
function unescape(value: unknown): unknown {
  return typeof value === "string" && escaped.test(value) ? value.slice(1) : value;
}

/** A file may name these variables alone: it must not carry the others of the environment to a server that it names. */
const prefixes = secretive.map((kind) => `MANIFOLD_${kind.toUpperCase()}_`);

/** Says why a file may not have this placeholder; undefined for a good one, and for a value that is no placeholder. */
export function placeholderProblem(value: unknown): string | undefined {
  const variable = variableOf(value);
  if (variable === undefined || prefixes.some((prefix) => variable.startsWith(prefix)))
    return undefined;
  return `must name a variable that begins with ${prefixes.join(", ")}, not ${variable}; write $\${${variable}} for the text itself`;
}

const word = (text: string) =>
  text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");

interface Secret {
  readonly record: TransferRecord;
  readonly member: string;
  /** For a sealed member: the name within. */
  readonly name?: string;
}

function secretsOf(record: TransferRecord): Secret[] {
  if (!secretive.includes(record.kind)) return [];
  return [...carried(record.kind)].flatMap(([member, field]): Secret[] => {
    if (field.secret) return [{ record, member }];
    const value = record.properties[member];
    if (keys[record.kind]?.includes(member)) return value === null ? [] : [{ record, member }];
    if (!field.sealed || !isObject(value)) return [];
    const hidden = Object.keys(value).filter((name) => value[name] === null);
    return hidden.map((name) => ({ record, member, name }));
  });
}

/** The same variable for the same secret as long as no other record has its name: then the variable contains the id. */
function variables(secrets: readonly Secret[]): string[] {
  const base = secrets.map(({ record, member, name }) =>
    ["MANIFOLD", record.kind, titleOf(record), name ?? member, name && !word(name) ? member : ""]
      .map(word)
      .filter(Boolean)
      .join("_"),
  );
  const withId = base.map((variable, index) =>
    base.indexOf(variable) === base.lastIndexOf(variable)
      ? variable
      : `${variable}_${secrets[index]!.record.id.slice(0, 8).toUpperCase()}`,
  );
  return withId.map((variable, index) => {
    const before = withId.slice(0, index).filter((each) => each === variable).length;
    return before === 0 ? variable : `${variable}_${before + 1}`;
  });
}

/** The records with a placeholder for every secret. Plain texts of these kinds that look like one are escaped. */
export function hideSecrets(records: readonly TransferRecord[]): readonly TransferRecord[] {
  const secrets = records.flatMap(secretsOf);
  const named = variables(secrets);
  const byRecord = new Map<TransferRecord, Map<string, string>>();
  for (const [index, { record, member, name }] of secrets.entries()) {
    const own = byRecord.get(record) ?? new Map<string, string>();
    own.set(JSON.stringify([member, name]), `\${${named[index]!}}`);
    byRecord.set(record, own);
  }
  return records.map((record) => {
    if (!secretive.includes(record.kind)) return record;
    const own = byRecord.get(record) ?? new Map<string, string>();
    const hide = (value: unknown, member: string, name?: string): unknown => {
      const placeholder = own.get(JSON.stringify([member, name]));
      if (placeholder !== undefined) return placeholder;
      if (name === undefined && isObject(value))
        return Object.fromEntries(
          Object.entries(value).map(([inner, each]) => [inner, hide(each, member, inner)]),
        );
      return typeof value === "string" && escaped.test(value) ? `$${value}` : value;
    };
    const properties = [...carried(record.kind)].flatMap(([member, field]) =>
      field.secret || Object.hasOwn(record.properties, member)
        ? [[member, hide(record.properties[member], member)] as const]
        : [],
    );
    return { ...record, properties: Object.fromEntries(properties) };
  });
}

/** A member whose variable is not set. */
export interface Unset {
  /** The member, or `member.name` of a sealed one. */
  readonly path: string;
  readonly variable: string;
}

export interface Revealed {
  readonly properties: Json;
  /** Left out of `properties`. */
  readonly unset: readonly Unset[];
}

/** The properties of a file with its placeholders filled; an empty variable counts as not set. */
export function fillPlaceholders(
  { kind, properties }: Pick<TransferRecord, "kind" | "properties">,
  environment: Readonly<Record<string, string | undefined>>,
): Revealed {
  if (!secretive.includes(kind)) return { properties, unset: [] };
  const unset: Unset[] = [];
  const fill = (values: Json, path: readonly string[]): Json =>
    Object.fromEntries(
      Object.entries(values).flatMap(([member, value]) => {
        if (path.length === 0 && isObject(value)) return [[member, fill(value, [member])]];
        const variable = variableOf(value);
        if (variable === undefined) return [[member, unescape(value)]];
        const given = environment[variable];
        if (given) return [[member, given]];
        unset.push({ path: [...path, member].join("."), variable });
        return [];
      }),
    );
  return { properties: fill(properties, []), unset };
}
