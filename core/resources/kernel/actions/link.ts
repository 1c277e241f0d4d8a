import type { Knex } from "knex";
import type { Principal } from "../../../access/principal.ts";
import type { Cipher } from "../../../catalog/index.ts";
import type { Row } from "../../records.ts";
import type { Context, Declaration, LinkChange, Role, Through } from "../declaration.ts";
import { loadRow } from "../rowForm.ts";
import { selectWithRole } from "../select.ts";
import type { ParsedLink } from "./parseLink.ts";

export interface LinkCall {
  readonly context: Context;
  readonly cipher: Cipher;
  /** Of the record on whose side the association is declared, and that record's id. */
  readonly declaration: Declaration;
  readonly id: unknown;
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly parsed: ParsedLink;
  readonly action: "associate" | "dissociate";
}

async function writeLink(
  { ownKey, otherKey }: Through,
  { action, link, own, other, values }: LinkChange,
  transaction: Knex.Transaction,
): Promise<void> {
  const keys = { [ownKey]: own.id, [otherKey]: other.id };
  if (action === "dissociate") await transaction(link.table).where(keys).delete();
  else
    await transaction(link.table)
      .insert({ ...keys, ...values, updated_at: new Date() })
      .onConflict([...link.uniqueBy])
      .merge([...Object.keys(values), "updated_at"]);
}

/** Sets or clears the key on the record that holds it; clears only the association that was named. */
async function writeKey(
  key: string,
  holder: { readonly table: string; readonly id: string },
  targetId: string,
  action: LinkCall["action"],
  transaction: Knex.Transaction,
): Promise<void> {
  const query = transaction(holder.table).where({ id: holder.id });
  if (action === "dissociate") query.where(key, targetId);
  await query.update({ [key]: action === "associate" ? targetId : null, updated_at: new Date() });
}

/**
 * Makes or ends one association after both roles are checked, and answers the record on the side of `id` as it was.
 * @throws {ApiError} RECORD_NOT_FOUND, FORBIDDEN, CONFLICT
 */
export async function link(call: LinkCall, transaction: Knex.Transaction): Promise<Row> {
  const { context, cipher, declaration, principal, action, signal } = call;
  const { association, otherId, values } = call.parsed;
  const { roles, resource } = association;
  const target = context.declarations.get(resource);
  if (!target || !roles)
    throw new TypeError(`${declaration.name} has no association with ${resource}`);
  const select = async (side: Declaration, id: unknown, role: Role, member?: string) =>
    loadRow(side, await selectWithRole(transaction, side, id, role, principal, member), cipher);
  const own = await select(declaration, call.id, roles[0]);
  const lookup = association.kind === "through" ? association.lookup : undefined;
  const other = await select(target, otherId, roles[1], lookup);
  const hookCall = { context, principal, signal };
  if (association.kind === "through") {
    const change = { action, link: association.link, own, other, values };
    await declaration.hooks?.beforeLink?.(change, hookCall, transaction);
    if (target !== declaration)
      await target.hooks?.beforeLink?.(
        { ...change, own: other, other: own },
        hookCall,
        transaction,
      );
    await writeLink(association, change, transaction);
  } else {
    const holdsKey = association.kind === "one";
    const [side, holder, pointed] = holdsKey ? [declaration, own, other] : [target, other, own];
    const { key } = association;
    await side.hooks?.beforeKey?.({ action, key, holder, target: pointed }, hookCall);
    await writeKey(key, { table: side.name, id: holder.id }, pointed.id, action, transaction);
  }
  return own;
}
