import { timingSafeEqual } from "node:crypto";
import type { Knex } from "knex";
import type { Catalog, NoteRefusal } from "../../catalog/index.ts";
import { ApiError, nobody, type Principal } from "../../base/index.ts";
import {
  comparableEmail,
  hashPassword,
  isHashOf,
  lockPassword,
  storedForm,
  type StoredHash,
} from "./password.ts";
import { isCode, recoveryCodeUsers, type Waits } from "../factors/index.ts";
import { hashInQueue, refuseWhileHashing } from "./hashingQueue.ts";
import { knownDeviceOf, type Proof, type RememberedDevice } from "./knownDevices.ts";
import { personOf, type Standing, type UserColumns } from "./principalOf.ts";
import { codeOf } from "./codeOf.ts";

/** A user whose password has just been checked. */
export interface CheckedPerson {
  readonly user: UserColumns;
  readonly standing: Standing;
  /** The stored hash that matched the password. */
  readonly stored: StoredHash;
  /** The password's hash as it would be stored now. */
  readonly newest: StoredHash;
}

/** The source of a sign-in, with the request and the browser's device secret. */
export interface PasswordCaller {
  readonly address: string;
  readonly requestId: string;
  /** The secret that identifies a browser that has signed in before. */
  readonly knownDevice?: string | undefined;
  /** Called with the browser's new secret after a sign-in. */
  remember?(device: RememberedDevice): void;
}

/**
 * Checks the `email` and `password` of a body sent from an address.
 * @throws {ApiError} MEMBER_MISSING, UNAUTHORIZED, CREDENTIALS_TOO_MANY, SIGN_INS_TOO_MANY, HOST_BUSY
 */
export type PasswordCheck = (
  body: Readonly<Record<string, unknown>>,
  caller: PasswordCaller,
) => Promise<CheckedPerson>;

export interface PasswordCheckOptions {
  readonly catalog: Pick<Catalog, "knex">;
  /** Counts failures by address. */
  readonly limits: {
    admit(address: string): void;
    failed(address: string): void;
  };
  readonly waits: Waits;
  /** Called with the users who have the e-mail address, if none of them has the given password. */
  onWrong?(people: readonly Principal[], caller: PasswordCaller): void;
  /** Called if a password is refused because no user with a password has the e-mail address. */
  readonly noteRefusal?: NoteRefusal;
  /** Hashes passwords. Tests replace it to count calls. */
  readonly hash?: typeof hashPassword;
  /** Clock for tests, in milliseconds since 1970. */
  readonly now?: () => number;
}

const longestPassword = 200;
const noSalt = Buffer.alloc(16);

interface Candidate extends Pick<CheckedPerson, "user" | "standing">, StoredHash {
  readonly salt: Buffer;
}

const statement = `
  select p.salt, p.hash, p.stage_count, to_jsonb(u) as "user", to_jsonb(o) as standing
    from user_password p
    join "user" u on u.id = p.user_id
    join organization_user o on o.user_id = p.user_id
   where p.email = ?
   order by p.created_at, p.user_id`;

function read(body: Readonly<Record<string, unknown>>, member: string): string {
  const value = Object.hasOwn(body, member) ? body[member] : undefined;
  if (typeof value !== "string" || value === "")
    throw new ApiError("MEMBER_MISSING", [member, "a string"]);
  return value;
}

/**
 * Creates the check of e-mail address and password. An unknown address, a user without a password and a wrong password
 * all cause the same 401 response, after computing one hash. Guesses from a known device or with a recovery code are
 * counted separately, so that guesses by strangers do not make the owner wait on a known device. Calls over a limit are
 * refused before hashing.
 */
export function createPasswordCheck(options: PasswordCheckOptions): PasswordCheck {
  const { catalog, limits, waits, hash = hashPassword, now = Date.now } = options;
  const { knex } = catalog;

  const proofOf = async (
    email: string,
    body: Readonly<Record<string, unknown>>,
    { knownDevice }: PasswordCaller,
  ): Promise<Proof | undefined> => {
    const device = await knownDeviceOf(email, knownDevice, knex, now());
    if (device) return device;
    const code = codeOf(body);
    const isLong = typeof code === "string" && !isCode(code.replaceAll(/\s/g, ""));
    if (!isLong || code === "") return undefined;
    const userIds = await recoveryCodeUsers(email, code.slice(0, 100), knex);
    if (userIds.length === 0) return undefined;
    return { name: `recovery code of ${userIds.join()}`, userIds: new Set(userIds) };
  };

  return async (body, caller) => {
    const { address } = caller;
    const email = comparableEmail(read(body, "email"));
    const password = read(body, "password");
    const proof = await proofOf(email, body, caller);
    const isTrusted = proof !== undefined;
    // Calls from a known device are not limited by address, because strangers may share its network.
    if (!isTrusted) limits.admit(address);
    refuseWhileHashing(isTrusted);
    const stranger = { kind: "password", email } as const;
    let attempt = await waits.countAttempt(
      proof ? { kind: "proved password", email, proof: proof.name } : stranger,
    );
    const { rows }: { rows: Candidate[] } = await knex.raw(statement, [email]);
    const salt = rows[0]?.salt ?? noSalt;
    const given = password.slice(0, longestPassword + 1);
    const hashes = await hashInQueue(() => hash(given, salt), isTrusted);
    const findIn = (candidates: readonly Candidate[]) =>
      candidates.find((row) => isHashOf(row, hashes) && row.salt.equals(salt));
    const isProved = ({ user }: Candidate) => proof?.userIds.has(user.id) ?? true;
    let found = findIn(rows.filter(isProved));
    const others = rows.filter((row) => !isProved(row));
    const isOther = !found && others.length > 0;
    if (isOther)
      try {
        // A device or recovery code of one user proves nothing about other users with the same e-mail address, who are
        // in other organizations.
        limits.admit(address);
        attempt = await waits.countAttempt(stranger);
        found = findIn(others);
      } catch (failure) {
        // An error that reports a wait would reveal that other users have the same e-mail address.
        if (!(failure instanceof ApiError && failure.status === 429)) throw failure;
      }
    if (!found) {
      options.onWrong?.(
        rows.map(({ user, standing }) => personOf(nobody, "login", user, standing)),
        caller,
      );
      limits.failed(address);
      if (rows.length === 0)
        options.noteRefusal?.({ way: "password", code: "UNAUTHORIZED", address });
      throw new ApiError("UNAUTHORIZED");
    }
    await attempt.passed();
    if (isTrusted && !isOther) await waits.endSeries(stranger);
    const { user, standing, hash: stored, stage_count } = found;
    return { user, standing, stored: { hash: stored, stage_count }, newest: storedForm(hashes) };
  };
}

/**
 * Refuses a person whose password was changed after the check. Blocks further changes of the password until the
 * transaction ends, because a change must also revoke the session that the transaction creates. If the stored hash has
 * fewer stages than new hashes, replaces it.
 * @throws {ApiError} UNAUTHORIZED
 */
export async function refuseChangedPassword(
  { user, stored, newest }: CheckedPerson,
  transaction: Knex.Transaction,
): Promise<void> {
  await lockPassword(user.email, transaction);
  const own = transaction("user_password").where({ user_id: user.id });
  const now: { hash: Buffer } | undefined = await own.clone().first("hash");
  if (now && timingSafeEqual(now.hash, stored.hash)) {
    if (stored.stage_count < newest.stage_count) await own.update(newest);
    return;
  }
  // A concurrent sign-in may have replaced the hash, although the password is the same.
  if (!now || !timingSafeEqual(now.hash, newest.hash)) throw new ApiError("UNAUTHORIZED");
}
