import { createSignInLimit, openSignInFailures } from "../../core/access/index.ts";
import type { Records } from "../../core/contracts/index.ts";
import { createPasskeys, createSecondStep } from "../../core/factors/index.ts";
import { silentLog, type TestCatalog } from "./catalog.ts";

export interface SignInPartsOptions {
  readonly catalog: TestCatalog;
  readonly records: Records;
  readonly now?: () => number;
  /** Sign-ins of an e-mail address that may fail; 0 for no limit. */
  readonly failuresPerMinute?: number;
}

/** Makes the second step, the limit of failures and their history of a host at `http://localhost`. */
export function signInParts({ catalog, records, now, failuresPerMinute = 0 }: SignInPartsOptions) {
  const clock = now ? { now } : {};
  const passkeys = createPasskeys(() => "http://localhost");
  const options = { knex: catalog.transactions, cipher: catalog.cipher, passkeys, ...clock };
  const failures = openSignInFailures({ records, log: silentLog, ...clock });
  const signInLimit = createSignInLimit({ knex: catalog.knex, failuresPerMinute });
  return { passkeys, secondStep: createSecondStep(options), failures, signInLimit };
}
