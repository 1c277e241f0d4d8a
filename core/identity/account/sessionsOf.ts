import type { Knex } from "knex";

/** A sign-in that is still valid. */
export interface ShownSession {
  readonly id: string;
  /** How the person signed in: `password`, `app`, `recovery_code`, `passkey`, `sign_on` or `key_pair`. */
  readonly way: string;
  /** The User-Agent of the sign-in; null when it was not sent. */
  readonly device: string | null;
  readonly address: string | null;
  readonly begun_at: string;
  /** The time of the last call, updated at most once per minute. */
  readonly last_used_at: string;
  readonly ends_at: string;
  readonly current: boolean;
}

interface Row {
  readonly id: string;
  readonly way: string;
  readonly device: string | null;
  readonly ip: string | null;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly expiry: Date;
}

const mostRows = 200;

const statement = `
  select id, device, ip, created_at, last_used_at, expiry,
         coalesce(factor, case when ssoconfig_id is not null then 'sign_on'
                               when parent_id is not null then 'key_pair' else 'password' end) as way
    from "authorization"
   where user_id = :user and type = 'login' and deleted_at is null and expiry > now()
     and (coalesce(inactivity_interval, 0) = 0
          or coalesce(last_used_at, created_at) + make_interval(secs => inactivity_interval) > now())
   order by created_at desc, id
   limit ${mostRows}`;

/** Lists the latest 200 sessions and login pairs of a user, newest first. */
export async function sessionsOf(
  userId: string,
  currentId: string,
  knex: Knex,
): Promise<readonly ShownSession[]> {
  const { rows }: { rows: Row[] } = await knex.raw(statement, { user: userId });
  return rows.map(({ id, way, device, ip, created_at, last_used_at, expiry }) => ({
    id,
    way,
    device,
    address: ip,
    begun_at: created_at.toISOString(),
    last_used_at: (last_used_at ?? created_at).toISOString(),
    ends_at: expiry.toISOString(),
    current: id === currentId,
  }));
}
