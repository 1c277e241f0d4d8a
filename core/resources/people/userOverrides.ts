import { parseAccountOverrides, parseParameters, presentParameters } from "../../identity/index.ts";
import { ApiError, type Members } from "../../base/index.ts";
import { refuseOverride } from "../../queries/index.ts";
import {
  type HookCall,
  type Values,
  object,
  sealedObject,
  settable,
  uuid,
} from "../kernel/index.ts";
import { refuseOverrideAddresses } from "./refuseOverrideAddresses.ts";

const members = ["account_overrides", "parameter_overrides", "metadata"];

/** Members that apply to every query of a user, like the members of a token apply to its queries. */
export const overrideFields = {
  account_overrides: sealedObject(settable),
  parameter_overrides: sealedObject({ ...settable, show: presentParameters }),
  metadata: object(settable),
  overrides_by: { ...uuid(), hidden: true },
};

/**
 * Checks the overrides that an owner of the organization sets for a user. Users cannot set their own overrides, because
 * parameters decide which rows a user sees. Returns the values to store, with the owner who set them.
 * @throws {ApiError} FORBIDDEN; MEMBER_INVALID, MEMBER_UNKNOWN with the path of the member
 */
export async function checkOverrides(
  values: Members<"parameter_overrides" | "account_overrides">,
  call: HookCall,
): Promise<Values> {
  const { context, principal } = call;
  const given = members.filter((member) => Object.hasOwn(values, member));
  if (given.length === 0) return {};
  if (principal.organizationRole !== "owner")
    throw new ApiError("FORBIDDEN", [
      `set ${given.join(" and ")} of a user, which owners of the organization have`,
    ]);
  parseParameters(values.parameter_overrides);
  for (const [accountId, override] of parseAccountOverrides(values.account_overrides))
    await refuseOverride(accountId, override, context.records, principal);
  await refuseOverrideAddresses(values, call);
  return { overrides_by: principal.userId };
}
