import type { Knex } from "knex";
import { arrayBinding } from "../../catalog/index.ts";
import { type Reader, localeIn } from "./createMessage.ts";

/** Finds the settings of a recipient of an alert's messages; undefined for an address without a user. */
export type ReaderOf = (alertUserId: string, recipient: string | null) => Reader | undefined;

/**
 * Finds the recipients who are users in the organization of an alert's user, so that each reads messages in their own
 * language and time zone. Runs one statement.
 */
export async function readersOf(
  alertUserIds: readonly string[],
  recipients: readonly string[],
  transaction: Knex.Transaction,
): Promise<ReaderOf> {
  const { rows }: { rows: readonly Row[] } = await transaction.raw(
    `select own.user_id, lower(u.email) as email, u.locale, u.locale_id, u.timezone_id
       from organization_user own
       join organization_user other on other.organization_id = own.organization_id
       join "user" u on u.id = other.user_id
      where own.user_id = any(?::uuid[]) and lower(u.email) = any(?::text[])
      order by u.created_at desc`,
    [arrayBinding([...new Set(alertUserIds)]), arrayBinding([...new Set(recipients)])],
  );
  const readers = new Map(
    rows.map((row) => [
      `${row.user_id} ${row.email}`,
      { locale: localeIn(row), zone: row.timezone_id ?? undefined },
    ]),
  );
  return (userId, recipient) =>
    recipient === null ? undefined : readers.get(`${userId} ${recipient}`);
}

interface Row {
  readonly user_id: string;
  readonly email: string;
  readonly locale: string | null;
  readonly locale_id: string | null;
  readonly timezone_id: string | null;
}
