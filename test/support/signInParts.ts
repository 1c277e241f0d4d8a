import { openSignInFailures } from "../../core/identity/access/index.ts";
import type { Records } from "../../core/base/contracts/index.ts";
import {
  createPasskeys,
  createSecondStep,
  createWaits,
} from "../../core/identity/factors/index.ts";
import { silentLog, type TestCatalog } from "./catalog.ts";

export interface SignInPartsOptions {
  readonly catalog: TestCatalog;
  readonly records: Records;
  readonly now?: () => number;
  /**
   * Number of wrong passwords that are allowed before users must wait between attempts. With 0, they never have to
   * wait.
   */
  readonly tries?: number;
}

/**
 * Returns the second sign-in step of a host at `http://localhost`, with waiting times and a history of failed attempts.
 */
export function signInParts({ catalog, records, now, tries = 0 }: SignInPartsOptions) {
  const clock = now ? { now } : {};
  const passkeys = createPasskeys(() => "http://localhost");
  const options = { knex: catalog.transactions, cipher: catalog.cipher, passkeys, ...clock };
  const failures = openSignInFailures({ records, log: silentLog, ...clock });
  const waits = createWaits({ knex: catalog.knex, tries, ...clock });
  return { passkeys, secondStep: createSecondStep(options), failures, waits };
}
