import { randomUUID } from "node:crypto";
import { type Cipher, openSealed, sealContext, SecretLost } from "../../catalog/index.ts";
import { ApiError, isObject, type Row, type Members } from "../../base/index.ts";
import type { Declaration } from "./declaration.ts";
import type { Field, RowOf, Values } from "./field.ts";

function stored(
  declaration: Declaration,
  member: string,
  field: Field,
  id: string,
  value: unknown,
  cipher: Cipher,
): unknown {
  if (value === null || value === undefined) return null;
  if (field.secret) return cipher.seal(String(value), sealContext(declaration.name, member, id));
  if (field.sealed)
    return cipher.seal(JSON.stringify(value), sealContext(declaration.name, member, id));
  return field.storage === "jsonb" ? JSON.stringify(value) : value;
}

/**
 * Returns the stored form of members.
 * @throws {TypeError} for a member that the declaration does not know, which is a bug in the caller
 */
export function storeValues(
  declaration: Declaration,
  id: string,
  values: Values,
  cipher: Cipher,
): Record<string, unknown> {
  const written: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(values)) {
    const field = Object.hasOwn(declaration.fields, member)
      ? declaration.fields[member]
      : undefined;
    if (!field) throw new TypeError(`${declaration.name} has no member ${member}`);
    if (value !== undefined)
      written[member] = stored(declaration, member, field, id, value, cipher);
  }
  return written;
}

/** Returns the stored form of a new record, with defaults, id and timestamps. */
export function storeNew(
  declaration: Declaration,
  values: Values,
  cipher: Cipher,
): Record<string, unknown> {
  const now = new Date();
  const complete: Record<string, unknown> & { id?: unknown } = {};
  for (const [member, field] of Object.entries(declaration.fields)) {
    const fallback = typeof field.default === "function" ? field.default() : field.default;
    if (fallback !== undefined) complete[member] = fallback;
  }
  for (const [member, value] of Object.entries(values))
    if (value !== undefined) complete[member] = value;
  const id = typeof complete.id === "string" ? complete.id : randomUUID();
  const made = { created_at: now, updated_at: now, ...complete, id };
  return storeValues(declaration, id, { ...made, ...declaration.stamp?.(made, cipher) }, cipher);
}

const sealedMembers = new WeakMap<Declaration, readonly string[]>();

function sealedMembersOf(declaration: Declaration): readonly string[] {
  const known = sealedMembers.get(declaration);
  if (known) return known;
  const sealed = Object.entries(declaration.fields).flatMap(([member, field]) =>
    field.sealed ? [member] : [],
  );
  sealedMembers.set(declaration, sealed);
  return sealed;
}

/**
 * Decrypts the sealed members of a record. If a member cannot be decrypted, it is null, and `refuseLost` refuses to use
 * the record.
 */
export function openMembers(
  declaration: Declaration,
  read: Readonly<Record<string, unknown>>,
  cipher: Cipher,
): Values {
  return openSealed(declaration.name, sealedMembersOf(declaration), read, cipher);
}

/** Returns a record in the form that the host's code reads. */
export function loadRow<Declared extends Declaration>(
  declaration: Declared,
  read: Members<"id">,
  cipher: Cipher,
): RowOf<Declared> {
  // PostgreSQL returns untyped rows. A test compares each declaration with its table, so rows match `RowOf`.
  return { ...openMembers(declaration, read, cipher), id: String(read.id) } as RowOf<Declared>;
}

/**
 * Returns the plain text of a secret member.
 * @throws {ApiError} SECRET_LOST
 */
export function openSecret(
  declaration: Declaration,
  row: Row,
  member: string,
  cipher: Cipher,
): string | undefined {
  const sealed = row[member];
  if (!declaration.fields[member]?.secret)
    throw new TypeError(`${declaration.name}.${member} is not a secret`);
  if (typeof sealed !== "string") return undefined;
  try {
    return cipher.open(sealed, sealContext(declaration.name, member, row.id));
  } catch (cause) {
    if (!(cause instanceof SecretLost)) throw cause;
    throw new ApiError("SECRET_LOST", [member, declaration.name, row.id], { cause });
  }
}

/** Returns the wire form of a member's value. */
export function presentValue(field: Field, value: unknown, beside?: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return value.toISOString();
  if (!field.sealed || !isObject(value)) return value;
  const hidden = Object.fromEntries(Object.keys(value).map((name) => [name, null]));
  return { ...hidden, ...field.show?.(value, beside) };
}

/** Returns the members that responses may contain. */
export function wireFields(declaration: Declaration): [string, Field][] {
  return Object.entries(declaration.fields).filter(([, field]) => !field.secret && !field.hidden);
}

/** Returns the alias of the column in which a statement reads the `showBeside` of a member. */
export const besideColumn = (member: string): string => `found_beside_${member}`;

/** Returns the wire form of a record, with those declared members that `row` contains. */
export function presentRow(declaration: Declaration, row: Values): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [member, field] of wireFields(declaration))
    if (Object.hasOwn(row, member))
      record[member] = presentValue(field, row[member], row[besideColumn(member)]);
  return record;
}
