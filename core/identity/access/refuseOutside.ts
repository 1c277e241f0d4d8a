import type { Knex } from "knex";
import { ApiError, type Principal } from "../../base/index.ts";
import type { PasswordCaller } from "./createPasswordCheck.ts";
import type { SignInFailures } from "./openSignInFailures.ts";
import { allowedSources, refusedSource } from "./tokens/callSource.ts";

interface Entering {
  /** The steps of the sign-in, such as `password` and `app`. */
  readonly ways: readonly string[];
  readonly caller: PasswordCaller;
  readonly failures: Pick<SignInFailures, "note">;
}

/**
 * Refuses a sign-in from an address that the person's organization does not allow. The attempt is added to the person's
 * history, because somebody else may know the password.
 * @throws {ApiError} SOURCE_REFUSED
 */
export async function refuseOutside(
  person: Principal,
  { ways, caller, failures }: Entering,
  transaction: Knex.Transaction,
): Promise<void> {
  const row: { readonly allowed_addresses: readonly string[] | null } | undefined =
    await transaction("organization")
      .where({ id: person.organizationId })
      .first("allowed_addresses");
  const allowed = allowedSources(undefined, undefined, row?.allowed_addresses);
  const refused = refusedSource(allowed, { address: caller.address, origin: undefined });
  if (refused === undefined) return;
  failures.note([person], [...ways, "address"], caller);
  throw new ApiError("SOURCE_REFUSED", [refused]);
}
