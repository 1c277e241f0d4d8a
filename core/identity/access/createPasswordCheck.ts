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

/** A user whose password was right a moment ago. */
export interface CheckedPerson {
  readonly user: UserColumns;
  readonly standing: Standing;
  /** The hash that the password was compared with. */
  readonly stored: StoredHash;
  /** The hash of the password as it is stored today. */
  readonly newest: StoredHash;
}

/** From where a person signs in, and in which request. */
export interface PasswordCaller {
  readonly address: string;
  readonly requestId: string;
  /** Secret that identifies a browser which has signed in before. */
  readonly knownDevice?: string | undefined;
  /** Called with the browser's new secret after a sign-in. */
  remember?(device: RememberedDevice): void;
}

/**
 * Checks the `email` and `password` of a body that was sent from an address. @throws {ApiError} MEMBER_MISSING,
 * UNAUTHORIZED, CREDENTIALS_TOO_MANY, SIGN_INS_TOO_MANY, HOST_BUSY
 */
export type PasswordCheck = (
  body: Readonly<Record<string, unknown>>,
  caller: PasswordCaller,
) => Promise<CheckedPerson>;

export interface PasswordCheckOptions {
  readonly catalog: Pick<Catalog, "knex">;
  /** Counts what failed, by address and by e-mail address. */
  readonly limits: {
    admit(address: string): void;
    failed(address: string): void;
  };
  readonly waits: Waits;
  /** Takes the users of an e-mail address, none of whom has the password that was given. */
  onWrong?(people: readonly Principal[], caller: PasswordCaller): void;
  /** Is called for each e-mail address that no user with a password has. */
  readonly noteRefusal?: NoteRefusal;
  /** Hashes passwords; tests pass their own to count calls. */
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
    throw new ApiError("MEMBER_MISSING", [member, "a text"]);
  return value;
}

/**
 * Makes the check of e-mail address and password. An unknown address, one without a password and a wrong password are
 * one and the same 401, after one hash each. Guesses from a known device, or with a recovery code, are counted
 * separately, so strangers who guess cannot make the owner wait there. Refusals happen before hashing.
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
    // A known device may share its network with strangers.
    if (!isTrusted) limits.admit(address);
    refuseWhileHashing(isTrusted);
    const stranger = { kind: "password", email } as const;
    let attempt = await waits.admit(
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
        // Whoever proved to be one user of an address is a stranger to its other users, in other organizations.
        limits.admit(address);
        attempt = await waits.admit(stranger);
        found = findIn(others);
      } catch (failure) {
        // A wait would say that the address has other users.
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
 * Refuses a person whose password was changed after it was checked, and holds off the next change until the transaction
 * ends: a change ends all sessions that it finds. A hash of fewer stages than today's is replaced.
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
  // A sign-in at the same time may have replaced the hash of the same password.
  if (!now || !timingSafeEqual(now.hash, newest.hash)) throw new ApiError("UNAUTHORIZED");
}
