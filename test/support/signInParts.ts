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
  /** Wrong passwords that an account may enter before waiting begins. 0 means no waiting. */
  readonly tries?: number;
}

/**
 * Returns a host's second sign-in step, and the waiting times and history of failed attempts, at `http://localhost`.
 */
export function signInParts({ catalog, records, now, tries = 0 }: SignInPartsOptions) {
  const clock = now ? { now } : {};
  const passkeys = createPasskeys(() => "http://localhost");
  const options = { knex: catalog.transactions, cipher: catalog.cipher, passkeys, ...clock };
  const failures = openSignInFailures({ records, log: silentLog, ...clock });
  const waits = createWaits({ knex: catalog.knex, tries, ...clock });
  return { passkeys, secondStep: createSecondStep(options), failures, waits };
}
