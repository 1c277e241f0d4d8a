import { openSignInFailures } from "../../core/access/index.ts";
import type { Records } from "../../core/contracts/index.ts";
import { createPasskeys, createSecondStep } from "../../core/factors/index.ts";
import { silentLog, type TestCatalog } from "./catalog.ts";

export interface SignInPartsOptions {
  readonly catalog: TestCatalog;
  readonly records: Records;
  readonly now?: () => number;
}

/** Makes the second step and the history of failures of a host at `http://localhost`. */
export function signInParts({ catalog, records, now }: SignInPartsOptions) {
  const clock = now ? { now } : {};
  const passkeys = createPasskeys(() => "http://localhost");
  const options = { knex: catalog.transactions, cipher: catalog.cipher, passkeys, ...clock };
  const failures = openSignInFailures({ records, log: silentLog, ...clock });
  return { passkeys, secondStep: createSecondStep(options), failures };
}
