import type { Knex } from "knex";
import type { Principal } from "../../../access/principal.ts";
import type { Cipher } from "../../../catalog/index.ts";
import { ApiError } from "../../../errors.ts";
import type { Row } from "../../records.ts";
import type { Association, Context, Declaration, Link, Values } from "../declaration.ts";
import { findAssociation } from "../findAssociation.ts";
import { isObject, kindOf, shorten } from "../json.ts";
import { loadRow } from "../rowForm.ts";
import { selectWithRole } from "../select.ts";

/** What a `resource` member says: the association, the other record, the members of the link. */
export interface ParsedLink {
  readonly role: string;
  readonly association: Association;
  readonly otherId: unknown;
  readonly values: Values;
}

export interface LinkCall {
  readonly context: Context;
  readonly cipher: Cipher;
  readonly declaration: Declaration;
  readonly principal: Principal;
  readonly signal: AbortSignal;
  /** The record on whose side the association is declared. */
  readonly id: unknown;
  readonly parsed: ParsedLink;
  readonly action: "associate" | "dissociate";
}

function parseLinkValues(link: Link, properties: unknown, path: string): Values {
  if (properties !== undefined && properties !== null && !isObject(properties))
    throw new ApiError("MEMBER_INVALID", [path, `must be an object, not ${kindOf(properties)}`]);
  const given = properties ?? {};
  const valueOf = (member: string) => (Object.hasOwn(given, member) ? given[member] : undefined);
  const values: Record<string, unknown> = {};
  const { flags = [], choice } = link;
  let highest = 0;
  for (const [index, name] of flags.entries()) {
    const value = valueOf(name);
    if (value !== undefined && value !== null && typeof value !== "boolean")
      throw new ApiError("MEMBER_INVALID", [`${path}.${name}`, `must be true or false, not ${kindOf(value)}`]);
    if (value === true) highest = index;
  }
  for (const [index, name] of flags.entries()) values[name] = index <= highest;
  if (choice) {
    const value = valueOf(choice.member) ?? choice.values[0];
    if (typeof value !== "string" || !choice.values.includes(value))
      throw new ApiError("MEMBER_INVALID", [`${path}.${choice.member}`, `must be one of ${choice.values.join(", ")}`]);
    values[choice.member] = value;
  }
  return values;
}

/** Reads `{role, id}` and the properties of a link. @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID, ROLE_UNKNOWN */
export function parseLink(declaration: Declaration, resource: unknown, properties: unknown, path: string): ParsedLink {
  if (!isObject(resource))
    throw new ApiError(resource === undefined ? "MEMBER_MISSING" : "MEMBER_INVALID", [path, "an object with role and id"]);
  const { role, id } = resource;
  if (typeof role !== "string") throw new ApiError("MEMBER_MISSING", [`${path}.role`, "the name of an association"]);
  const offered = Object.entries(declaration.associations).filter(([, { roles }]) => roles);
  const found = findAssociation(offered, role);
  if (!found)
    throw new ApiError("ROLE_UNKNOWN", [declaration.name, shorten(role), offered.map(([name]) => name).join(", ")]);
  const [name, association] = found;
  const values = association.kind === "through" ? parseLinkValues(association.link, properties, "properties") : {};
  return { role: name, association, otherId: id, values };
}

async function write({ association, values }: ParsedLink, action: LinkCall["action"], own: Row, other: Row, transaction: Knex.Transaction, otherTable: string, ownTable: string): Promise<void> {
  const now = new Date();
  if (association.kind === "through") {
    const keys = { [association.ownKey]: own.id, [association.otherKey]: other.id };
    const { table } = association.link;
    if (action === "dissociate") await transaction(table).where(keys).delete();
    else
      await transaction(table)
        .insert({ ...keys, ...values, updated_at: now })
        .onConflict([...association.link.uniqueBy])
        .merge([...Object.keys(values), "updated_at"]);
    return;
  }
  const [table, holder, target] =
    association.kind === "one" ? [ownTable, own, other] : [otherTable, other, own];
  const query = transaction(table).where({ id: holder.id });
  if (action === "dissociate") query.where(association.key, target.id);
  await query.update({ [association.key]: action === "associate" ? target.id : null, updated_at: now });
}

/**
 * Makes or ends one association, after both roles are checked; the record that is named first in the
 * request is answered.
 * @throws {ApiError} RECORD_NOT_FOUND, FORBIDDEN, CONFLICT
 */
export async function link(call: LinkCall, transaction: Knex.Transaction): Promise<Row> {
  const { context, cipher, declaration, principal, parsed, action, signal } = call;
  const { association, otherId, values } = parsed;
  const { roles, resource } = association;
  const otherDeclaration = context.declarations.get(resource);
  if (!otherDeclaration || !roles) throw new TypeError(`${declaration.name} has no association with ${resource}`);
  const lookup = association.kind === "through" ? association.lookup : undefined;
  const select = async (side: Declaration, id: unknown, role: (typeof roles)[number], member?: string) =>
    loadRow(side, await selectWithRole(transaction, side, id, role, principal, member), cipher);
  const own = await select(declaration, call.id, roles[0]);
  const other = await select(otherDeclaration, otherId, roles[1], lookup);
  if (association.kind === "through") {
    const change = { action, link: association.link, values };
    const hookCall = { context, principal, signal };
    await declaration.hooks?.beforeLink?.({ ...change, own, other }, hookCall, transaction);
    if (otherDeclaration !== declaration)
      await otherDeclaration.hooks?.beforeLink?.({ ...change, own: other, other: own }, hookCall, transaction);
  }
  await write(parsed, action, own, other, transaction, otherDeclaration.name, declaration.name);
  return own;
}
