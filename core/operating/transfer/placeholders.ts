import { titleOf, type TransferRecord } from "./record.ts";
import { type Json } from "./json.ts";
import { carried, type KindName } from "./kinds.ts";
import { isObject } from "../../base/index.ts";

/** Kinds with secrets. Only in the files of these kinds does the string `${NAME}` mean an environment variable. */
export const secretive: readonly KindName[] = ["plugin", "account", "channel"];

/** Members that may contain secret keys although the API shows their values. */
const keys: Partial<Record<KindName, readonly string[]>> = { account: ["identifier"] };

/** The regular expression of a placeholder. */
export const placeholderPattern = "^\\$\\{([A-Za-z_][A-Za-z0-9_]*)\\}$";
const form = new RegExp(placeholderPattern);
const escaped = /^\$+\{[A-Za-z_][A-Za-z0-9_]*\}$/;

/** Returns the variable to which a string refers; undefined for any other string. */
export function variableOf(value: unknown): string | undefined {
  return typeof value === "string" ? form.exec(value)?.[1] : undefined;
}

/**
 * Returns the string that a string in a file stands for. In files, a plain string that looks like a placeholder has an
 * additional $.
 */
function unescape(value: unknown): unknown {
  return typeof value === "string" && escaped.test(value) ? value.slice(1) : value;
}

/**
 * Prefixes of the variables that a file may name. Other variables of the environment must not be sent to a server that
 * the file names.
 */
const prefixes = secretive.map((kind) => `MANIFOLD_${kind.toUpperCase()}_`);

/** Returns why a file may not contain a placeholder; undefined for a valid placeholder, and for any other value. */
export function placeholderProblem(value: unknown): string | undefined {
  const variable = variableOf(value);
  if (variable === undefined || prefixes.some((prefix) => variable.startsWith(prefix)))
    return undefined;
  return `must name a variable that begins with ${prefixes.join(", ")}, not ${variable}; write $\${${variable}} for the string itself`;
}

const word = (text: string) =>
  text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");

interface Secret {
  readonly record: TransferRecord;
  readonly member: string;
  /** The name of the value within a sealed member. */
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

/** The variables of secrets in files that an earlier export wrote, by `keyOfSecret`. */
export type KnownVariables = ReadonlyMap<string, string>;

/** Identifies a secret across exports: the id of its record, its member, and its name within a sealed member. */
function keyOfSecret(id: string, member: string, name?: string): string {
  return JSON.stringify([id, member, name ?? null]);
}

/** Returns the variables that the properties of a file name, by `keyOfSecret`. */
export function variablesIn({
  id,
  properties,
}: Pick<TransferRecord, "id" | "properties">): readonly (readonly [string, string])[] {
  return Object.entries(properties).flatMap(([member, value]) => {
    const inner: readonly (readonly [string | undefined, unknown])[] = isObject(value)
      ? Object.entries(value)
      : [[undefined, value]];
    return inner.flatMap(([name, each]) => {
      const variable = variableOf(each);
      return variable === undefined ? [] : [[keyOfSecret(id, member, name), variable] as const];
    });
  });
}

/**
 * Assigns variables to secrets. A secret keeps the variable of an earlier export, so that the names stay valid when
 * other records come and go. If several records need the same new name, the type of the record is appended, and then a
 * number if necessary.
 */
function variables(secrets: readonly Secret[], known: KnownVariables): string[] {
  const keptOf = ({ record, member, name }: Secret) =>
    known.get(keyOfSecret(record.id, member, name));
  const nameOf = ({ record, member, name }: Secret, isTyped: boolean) =>
    [
      "MANIFOLD",
      record.kind,
      titleOf(record),
      isTyped ? String(record.properties["type"] ?? record.properties["provider"] ?? "") : "",
      name ?? member,
      name && !word(name) ? member : "",
    ]
      .map(word)
      .filter(Boolean)
      .join("_");
  const bases = secrets.map((secret) => nameOf(secret, false));
  const taken = new Set(secrets.flatMap((secret) => keptOf(secret) ?? []));
  return secrets.map((secret, index) => {
    const kept = keptOf(secret);
    if (kept !== undefined) return kept;
    const base = bases[index]!;
    const isAlone = bases.indexOf(base) === bases.lastIndexOf(base);
    const wanted = isAlone && !taken.has(base) ? base : nameOf(secret, true);
    let variable = wanted;
    for (let count = 2; taken.has(variable); count++) variable = `${wanted}_${count}`;
    taken.add(variable);
    return variable;
  });
}

/**
 * Replaces every secret of the records with a placeholder. Other strings of these kinds that look like a placeholder
 * are escaped. `known` are the variables of an earlier export, which are kept.
 */
export function hideSecrets(
  records: readonly TransferRecord[],
  known: KnownVariables = new Map(),
): readonly TransferRecord[] {
  const secrets = records
    .flatMap(secretsOf)
    .toSorted((one, other) => (one.record.id < other.record.id ? -1 : 1));
  const named = variables(secrets, known);
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
  /** The name of the member, or `member.name` for a value within a sealed member. */
  readonly path: string;
  readonly variable: string;
}

export interface Revealed {
  readonly properties: Json;
  /** The members that `properties` lacks because their variables are not set. */
  readonly unset: readonly Unset[];
}

/**
 * Returns the properties of a file in which placeholders are replaced with the values of variables. An empty variable
 * counts as not set.
 */
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
