import type { Records } from "../contracts/index.ts";
import { writeAudit } from "../audit/index.ts";
import { type PasswordCheck, refuseChangedPassword } from "./createPasswordCheck.ts";
import { personOf } from "./principalOf.ts";
import { createLoginPair, storeLoginPair } from "./tokens/loginPair.ts";

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
  readonly records: Records;
  readonly checkPassword: PasswordCheck;
}

/** Makes the sign-in by e-mail address and password: one check and one transaction a call. */
export function createSignIn({ records, checkPassword }: SignInOptions): SignIn {
  return async (body, { address, requestId }) => {
    const person = await checkPassword(body, address);
    const { user, standing } = person;
    const pair = createLoginPair();
    const expiry = await records.transaction(async (transaction) => {
      await refuseChangedPassword(person, transaction);
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
