import type { Knex } from "knex";
import { ApiError } from "../errors.ts";
import { allowedSources, refusedSource } from "./tokens/callSource.ts";

/**
 * Refuses a person who signs in from an address that the person's organization does not allow.
 * @throws {ApiError} SOURCE_REFUSED
 */
export async function refuseOutside(
  organizationId: string,
  address: string,
  transaction: Knex.Transaction,
): Promise<void> {
  const row: { readonly allowed_addresses: readonly string[] | null } | undefined =
    await transaction("organization").where({ id: organizationId }).first("allowed_addresses");
  const allowed = allowedSources(undefined, undefined, row?.allowed_addresses);
  const refused = refusedSource(allowed, { address, origin: undefined });
  if (refused !== undefined) throw new ApiError("SOURCE_REFUSED", [refused]);
}
