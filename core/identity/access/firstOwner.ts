import type { Knex } from "knex";
import { comparableEmail } from "./password.ts";

interface OwnerRow {
  readonly user_id: string;
  readonly organization_id: string;
  readonly email: string | null;
}

/** Selects an owner by the id of the organization, the e-mail address, or both. */
export interface OwnerChoice {
  readonly email?: string | undefined;
  readonly organizationId?: string | undefined;
}

const ownersOf = (transaction: Knex.Transaction) =>
  transaction("organization_user as l")
    .join("organization as o", "o.id", "l.organization_id")
    .where("l.flagOwn", true)
    .orderBy([{ column: "o.created_at" }, { column: "l.created_at" }, { column: "l.user_id" }]);

/** Finds the first owner of the first organization; undefined before the first start. */
export async function firstOwner(transaction: Knex.Transaction): Promise<string | undefined> {
  const first: { user_id: string } | undefined = await ownersOf(transaction).first("l.user_id");
  return first?.user_id;
}

/**
 * Finds the chosen owner: without a choice, the first owner of the first organization; with only an organization, the
 * first owner of that organization.
 * @throws {Error} if nobody matches, if the user is not an owner, or if several owners have the e-mail address
 */
export async function chosenOwner(
  { email, organizationId }: OwnerChoice,
  transaction: Knex.Transaction,
): Promise<string> {
  const found: OwnerRow[] = await ownersOf(transaction)
    .join("user as u", "u.id", "l.user_id")
    .modify((query) => {
      if (organizationId !== undefined) void query.where("o.id", organizationId);
    })
    .select("l.user_id", "l.organization_id", "u.email");
  const sought = email === undefined ? undefined : comparableEmail(email);
  const owners =
    sought === undefined
      ? found.slice(0, 1)
      : found.filter((each) => each.email !== null && comparableEmail(each.email) === sought);
  const [owner, ...others] = owners;
  const where = organizationId === undefined ? "" : ` in the organization ${organizationId}`;
  if (!owner)
    throw new Error(
      email === undefined
        ? `there is no owner${where}; manifold quota list shows the ids of organizations`
        : `no owner has the e-mail address ${JSON.stringify(email)}${where}; only owners of an organization can get a link, and they can then invite others`,
    );
  if (others.length > 0)
    throw new Error(
      `owners of ${owners.length} organizations have the e-mail address ${JSON.stringify(email)}; choose one with --organization: ${owners.map((each) => each.organization_id).join(", ")}`,
    );
  return owner.user_id;
}

/** Returns whether a user is an owner of their organization. */
export async function isOwner(userId: string, transaction: Knex.Transaction): Promise<boolean> {
  const row: unknown = await ownersOf(transaction).where("l.user_id", userId).first("l.user_id");
  return row !== undefined;
}
