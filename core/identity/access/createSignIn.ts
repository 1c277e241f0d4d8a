import type { Records } from "../../base/index.ts";
import { writeAudit } from "../../catalog/index.ts";
import {
  type PasswordCaller,
  type PasswordCheck,
  refuseChangedPassword,
} from "./createPasswordCheck.ts";
import type { SecondStep } from "../factors/index.ts";
import { rememberDevice } from "./knownDevices.ts";
import type { SignInFailures } from "./openSignInFailures.ts";
import { personOf } from "./principalOf.ts";
import { codeOf } from "./codeOf.ts";
import { verifySecondFactor } from "./verifySecondFactor.ts";
import { refuseOutside } from "./refuseOutside.ts";
import { signInEvent } from "./signInEvent.ts";
import { createLoginPair, storeLoginPair } from "./tokens/loginPair.ts";

/** The person who signed in, with a new key pair of type login. The pair cannot be returned again later. */
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
 * Signs in a person with the `email` and `password` of a body.
 * @throws {ApiError} MEMBER_MISSING, UNAUTHORIZED, CREDENTIALS_TOO_MANY, SIGN_INS_TOO_MANY, SOURCE_REFUSED,
 * SECOND_FACTOR_REQUIRED, SECOND_FACTOR_WRONG, SECOND_FACTOR_WAIT, HOST_BUSY
 */
export type SignIn = (
  body: Readonly<Record<string, unknown>>,
  caller: PasswordCaller & { readonly device?: string | undefined },
) => Promise<SignedIn>;

export interface SignInOptions {
  readonly records: Records;
  readonly checkPassword: PasswordCheck;
  readonly secondStep: SecondStep;
  readonly failures: Pick<SignInFailures, "note">;
  readonly limits: { failed(address: string): void };
  /** Clock for tests, in milliseconds since 1970. */
  readonly now?: () => number;
}

/** Creates the sign-in by e-mail address and password: one check and one transaction per call. */
export function createSignIn(options: SignInOptions): SignIn {
  const { records, checkPassword, secondStep, failures, now = Date.now } = options;
  return async (body, caller) => {
    const { address, requestId, device, knownDevice } = caller;
    const person = await checkPassword(body, caller);
    const factor = await verifySecondFactor({ ...options, person, code: codeOf(body), caller });
    const { user, standing } = person;
    const pair = createLoginPair();
    const { expiry, remembered } = await records.transaction(async (transaction) => {
      await refuseChangedPassword(person, transaction);
      const principal = personOf(pair.key, "login", user, standing);
      const ways = ["password", factor ?? []].flat();
      await refuseOutside(principal, { ways, caller, failures }, transaction);
      if (factor === undefined) await secondStep.refuseAdded(user.id, transaction);
      const proof = {
        factor: factor ?? null,
        proved_at: new Date(),
        ip: address,
        device: device?.slice(0, 200) ?? null,
      };
      const ends = await storeLoginPair(pair, user.id, records, transaction, proof);
      const event = signInEvent(pair.key, ways, address);
      await writeAudit(records, { principal, requestId, address }, event, transaction);
      const remembered = await rememberDevice(user.id, knownDevice, now(), transaction);
      return { expiry: ends.toISOString(), remembered };
    });
    caller.remember?.(remembered);
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
