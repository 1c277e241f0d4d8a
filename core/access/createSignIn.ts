import type { Records } from "../contracts/index.ts";
import { timingSafeEqual } from "node:crypto";
import PQueue from "p-queue";
import { writeAudit } from "../audit/index.ts";
import type { Catalog } from "../catalog/index.ts";
import { ApiError } from "../errors.ts";
import { personOf, type Standing, type UserColumns } from "./principalOf.ts";
import { createLoginPair, storeLoginPair } from "./tokens/loginPair.ts";
import { comparableEmail, hashPassword } from "./password.ts";

/** Who signed in, and the key pair of type login that it was given; shown this once. */
export interface SignedIn {
  readonly user: {
    readonly id: string;
    readonly name: string | null;
    readonly email: string;
    readonly organization_id: string;
    readonly token: {
      readonly id: string;
      readonly token: string;
      readonly uid: string;
      readonly tokenExpiry: string;
      readonly cookieExpiry: string;
    };
    readonly twoFactorAuthentication: null;
  };
}

/**
 * Signs a person in who calls from an address. @throws {ApiError} MEMBER_MISSING, UNAUTHORIZED, CREDENTIALS_TOO_MANY,
 * SIGN_INS_TOO_MANY, HOST_BUSY
 */
export type SignIn = (
  body: Readonly<Record<string, unknown>>,
  caller: { readonly address: string; readonly requestId: string },
) => Promise<SignedIn>;

export interface SignInOptions {
  readonly catalog: Pick<Catalog, "knex">;
  readonly records: Records;
  /** Counts what failed, by address and by e-mail address. */
  readonly limits: {
    admit(address: string): void;
    failed(address: string): void;
    admitSignIn(email: string): void;
    failedSignIn(email: string): void;
  };
  /** Hashes passwords; tests pass their own to count calls. */
  readonly hash?: typeof hashPassword;
}

/** Hashes at a time, each of 32 MiB, and calls that wait for one. */
const atOnce = 2;
const waitingCount = 100;
const longestPassword = 200;
const noSalt = Buffer.alloc(16);

interface Candidate {
  readonly salt: Buffer;
  readonly hash: Buffer;
  readonly user: UserColumns;
  readonly standing: Standing;
}

const statement = `
  select p.salt, p.hash, to_jsonb(u) as "user", to_jsonb(o) as standing
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
 * Makes the sign-in by e-mail address and password. An unknown address, one without a password and a wrong password are
 * one and the same 401, after one hash each. One look-up, one hash and one transaction a call.
 */
export function createSignIn(options: SignInOptions): SignIn {
  const { catalog, records, limits, hash = hashPassword } = options;
  const queue = new PQueue({ concurrency: atOnce });
  return async (body, { address, requestId }) => {
    const email = comparableEmail(read(body, "email"));
    const password = read(body, "password");
    limits.admit(address);
    limits.admitSignIn(email);
    if (queue.size >= waitingCount)
      throw new ApiError("HOST_BUSY", ["other sign-ins"], { retryAfterS: 5 });
    const { rows }: { rows: Candidate[] } = await catalog.knex.raw(statement, [email]);
    const salt = rows[0]?.salt ?? noSalt;
    const given = await queue.add(() => hash(password.slice(0, longestPassword + 1), salt));
    const found = rows.filter(
      (row) => timingSafeEqual(row.hash, given) && row.salt.equals(salt),
    )[0];
    if (!found) {
      limits.failed(address);
      limits.failedSignIn(email);
      throw new ApiError("UNAUTHORIZED");
    }
    const { user, standing } = found;
    const pair = createLoginPair();
    const expiry = await records.transaction(async (transaction) => {
      const ends = await storeLoginPair(pair, user.id, records, transaction);
      const principal = personOf(pair.key, "login", user, standing);
      const event = { action: "create", resource: "authorization", recordId: pair.key } as const;
      await writeAudit(records, { principal, requestId }, event, transaction);
      return ends.toISOString();
    });
    return {
      user: {
        id: user.id,
        name: user.name,
        email: user.email,
        organization_id: standing.organization_id,
        token: {
          id: pair.key,
          token: pair.token,
          uid: user.id,
          tokenExpiry: expiry,
          cookieExpiry: expiry,
        },
        twoFactorAuthentication: null,
      },
    };
  };
}
