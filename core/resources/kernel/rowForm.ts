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

/** The form in which members are written; a member that the declaration does not know is a fault of the caller. */
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

/** The form in which a new record is written: defaults, id and timestamps filled in. */
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

/** Opens the sealed members of a record. A member that does not open is null; `refuseLost` refuses such a record. */
export function openMembers(
  declaration: Declaration,
  read: Readonly<Record<string, unknown>>,
  cipher: Cipher,
): Values {
  return openSealed(declaration.name, sealedMembersOf(declaration), read, cipher);
}

/** The form in which the host's code reads a record. */
export function loadRow<Declared extends Declaration>(
  declaration: Declared,
  read: Members<"id">,
  cipher: Cipher,
): RowOf<Declared> {
  // PostgreSQL types no rows. A test holds each declaration against its table, so that rows are what `RowOf` says.
  return { ...openMembers(declaration, read, cipher), id: String(read.id) } as RowOf<Declared>;
}

/** The plain text of a secret member. @throws {ApiError} SECRET_LOST */
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

/** The wire form of a value of a member. */
export function presentValue(field: Field, value: unknown, beside?: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return value.toISOString();
  if (!field.sealed || !isObject(value)) return value;
  const hidden = Object.fromEntries(Object.keys(value).map((name) => [name, null]));
  return { ...hidden, ...field.show?.(value, beside) };
}

/** The members of a record that a response may carry. */
export function wireFields(declaration: Declaration): [string, Field][] {
  return Object.entries(declaration.fields).filter(([, field]) => !field.secret && !field.hidden);
}

/** The column in which a statement reads `showBeside` of a member. */
export const besideColumn = (member: string): string => `found_beside_${member}`;

/** Returns the wire form of a record, with the declared members that `row` has. */
export function presentRow(declaration: Declaration, row: Values): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [member, field] of wireFields(declaration))
    if (Object.hasOwn(row, member))
      record[member] = presentValue(field, row[member], row[besideColumn(member)]);
  return record;
}
