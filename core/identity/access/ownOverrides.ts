import { isObject, type OwnOverrides } from "../../base/index.ts";
import { openSealed, refuseLost, type Cipher } from "../../catalog/index.ts";
import { parseAccountOverrides } from "./tokens/accountOverrides.ts";
import { parseParameters } from "./tokens/parameters.ts";

const members = ["account_overrides", "parameter_overrides", "metadata"];
const sealedMembers = ["account_overrides", "parameter_overrides"];

/**
 * Returns the overrides that an owner of the organization set for a user; undefined if there are none. `user` is a row
 * of the user table, whose values are still encrypted.
 * @throws {ApiError} SECRET_LOST
 */
export function ownOverridesOf(
  user: { readonly id: string },
  cipher: Cipher,
): Omit<OwnOverrides, "issuer"> | undefined {
  const opened = openSealed("user", sealedMembers, { ...user }, cipher);
  const stored = refuseLost("user", { ...opened, id: user.id });
  if (members.every((member) => stored[member] === null || stored[member] === undefined))
    return undefined;
  return {
    parameters: parseParameters(stored["parameter_overrides"]),
    accountOverrides: parseAccountOverrides(stored["account_overrides"]),
    metadata: isObject(stored["metadata"]) ? stored["metadata"] : undefined,
  };
}
