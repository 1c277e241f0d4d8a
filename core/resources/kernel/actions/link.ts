import type { Knex } from "knex";
import { ApiError, type Principal, type Row } from "../../../base/index.ts";
import { type Cipher, writeAudit } from "../../../catalog/index.ts";
import { refuseClosed, refuseWithout } from "../../../identity/index.ts";
import type { Through } from "../association.ts";
import type { Context, Declaration, LinkChange } from "../declaration.ts";
import type { Values } from "../field.ts";
import type { Role } from "../role.ts";
import { loadRow } from "../rowForm.ts";
import { roleOf } from "../policy.ts";
import { isOrganizational, selectAllowed, selectWithRole } from "../select.ts";
import type { ParsedLink } from "./parseLink.ts";

export interface LinkCall {
  readonly context: Context;
  readonly cipher: Cipher;
  /** The declaration of the association's resource. `id` is the id of a record of this resource. */
  readonly declaration: Declaration;
  readonly id: unknown;
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly requestId: string;
  readonly address: string | undefined;
  readonly parsed: ParsedLink;
  readonly action: "associate" | "dissociate";
}

async function writeLink(
  { ownKey, otherKey }: Through,
  { action, link, own, other, values: given }: LinkChange,
  userId: string,
  transaction: Knex.Transaction,
): Promise<void> {
  const personal = link.personal ? { [link.personal]: userId } : {};
  const keys = { [ownKey]: own.id, [otherKey]: other.id, ...personal };
  const values = Object.fromEntries(
    Object.entries(given).map(([member, value]) => [
      member,
      link.fields?.[member]?.storage === "jsonb" && value !== null ? JSON.stringify(value) : value,
    ]),
  );
  if (action === "dissociate") await transaction(link.table).where(keys).delete();
  else
    await transaction(link.table)
      .insert({ ...keys, ...values, updated_at: new Date() })
      .onConflict([...link.uniqueBy])
      .merge([...Object.keys(values), "updated_at"]);
}

/**
 * Sets or clears a foreign key. Clears the key only if it refers to the named record.
 */
async function writeKey(
  key: string,
  holder: { readonly table: string; readonly id: string },
  targetId: string,
  action: LinkCall["action"],
  more: Values,
  transaction: Knex.Transaction,
): Promise<void> {
  const query = transaction(holder.table).where({ id: holder.id });
  if (action === "dissociate") query.where(key, targetId);
  const value = action === "associate" ? targetId : null;
  await query.update({ [key]: value, updated_at: new Date(), ...more });
}

/**
 * Refuses to move a part from one record to another unless the caller may delete the part. The caller needs that right
 * on the part and on the record from which it is moved.
 * @throws {ApiError} FORBIDDEN
 */
async function expectMovable(
  {
    side,
    holder,
    key,
    above,
    to,
  }: {
    readonly side: Declaration;
    readonly holder: Row;
    readonly key: string;
    readonly above: Declaration;
    readonly to: string;
  },
  principal: Principal,
  transaction: Knex.Transaction,
): Promise<void> {
  const from = holder[key];
  const isPart = Object.values(side.associations).some(
    (each) => each.kind === "one" && each.key === key && each.isPart === true,
  );
  if (!isPart || typeof from !== "string" || from === to) return;
  const role = roleOf(side, "delete");
  const forbidden = () =>
    new ApiError("FORBIDDEN", [
      `${role} both this ${side.name} and the ${above.name} that it is a part of; moving it to another requires both rights`,
    ]);
  if (isOrganizational(role))
    throw new TypeError(
      `${side.name} must be deleted by a right, not by a role in the organization`,
    );
  for (const [declaration, id] of [
    [side, holder.id],
    [above, from],
  ] as const)
    if ((await selectAllowed(transaction, declaration, [id], role, principal)).length === 0)
      throw forbidden();
}

/**
 * Refuses a link if the caller lacks the feature that it needs. The call may name the records in either order.
 * @throws {ApiError} FORBIDDEN
 */
function refuseUnshared(
  { association, role, otherId }: ParsedLink,
  [own, other]: readonly [Declaration, Declaration],
  { principal, action }: Pick<LinkCall, "principal" | "action">,
): void {
  refuseClosed(principal, own.name, action);
  refuseClosed(principal, other.name, action);
  const what = `${action} ${role} of ${own.name}`;
  if (association.kind === "through") {
    const { feature } = association.link;
    if (feature) refuseWithout(feature, principal, what);
  } else {
    const holder = association.kind === "one" ? own : other;
    const isGivenAway = association.key === holder.ownedBy && otherId !== principal.userId;
    if (isGivenAway) refuseWithout("flag_private_sharing", principal, what);
  }
}

/**
 * Creates or removes one association after checking the roles on both records. Returns the record that the call names
 * by `id`, as it was before the change.
 * @throws {ApiError} RECORD_NOT_FOUND, FORBIDDEN, CONFLICT
 */
export async function link(call: LinkCall, transaction: Knex.Transaction): Promise<Row> {
  const { context, cipher, declaration, principal, action, signal, requestId, address } = call;
  const { association, role, otherId, values, path } = call.parsed;
  const { roles, resource } = association;
  const target = context.declarations.get(resource);
  if (!target) throw new TypeError(`there is no resource ${resource}`);
  refuseUnshared(call.parsed, [declaration, target], { principal, action });
  const select = async (side: Declaration, id: unknown, role: Role, member?: string) =>
    loadRow(side, await selectWithRole(transaction, side, id, role, principal, member), cipher);
  const own = await select(declaration, call.id, roles[0]);
  const lookup = association.kind === "through" ? association.lookup : undefined;
  const other = await select(target, otherId, roles[1], lookup);
  const hookCall = { context, principal, signal, requestId, address };
  if (association.kind === "through") {
    const change = { action, link: association.link, own, other, values, path };
    await declaration.hooks?.beforeLink?.(change, hookCall, transaction);
    if (target !== declaration)
      await target.hooks?.beforeLink?.(
        { ...change, own: other, other: own },
        hookCall,
        transaction,
      );
    await writeLink(association, change, principal.userId, transaction);
  } else {
    const holdsKey = association.kind === "one";
    const [side, holder, pointed] = holdsKey ? [declaration, own, other] : [target, other, own];
    const { key } = association;
    if (action === "dissociate" && key === side.ownedBy)
      throw new ApiError("CONFLICT", [
        `every ${side.name} must have an owner; associate another ${role} instead`,
      ]);
    const above = holdsKey ? target : declaration;
    if (action === "associate")
      await expectMovable({ side, holder, key, above, to: pointed.id }, principal, transaction);
    const change = { action, key, holder, target: pointed };
    const more = (await side.hooks?.beforeKey?.(change, hookCall, transaction)) ?? {};
    const held = { table: side.name, id: holder.id };
    await writeKey(key, held, pointed.id, action, more, transaction);
  }
  const linked = { role, resource, id: other.id };
  const event = { action, resource: declaration.name, recordId: own.id, target: linked };
  await writeAudit(context.records, hookCall, event, transaction);
  return own;
}
