import { parseAccountOverrides, parseParameters, presentParameters } from "../../identity/index.ts";
import Type from "typebox";
import { ApiError, type Members, reference } from "../../base/index.ts";
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

/** How the API description shows overrides of accounts. Responses contain only the ids of the accounts. */
export const describedAccounts = {
  given: Type.Record(Type.String(), reference("AccountOverride"), {
    description: "Overrides of accounts, by account id.",
  }),
  shown: Type.Record(Type.String(), Type.Null(), {
    description: "Overrides of accounts, by account id.",
  }),
};
/** How the API description shows overrides of parameters. */
export const describedParameters = {
  given: Type.Record(Type.String(), reference("ParameterOverride"), { description: "By name." }),
  shown: Type.Record(Type.String(), reference("ParameterOverrideShown"), {
    description: "By name.",
  }),
};

/** Members that apply to every query of a user. The same members of a token apply to the token's queries. */
export const overrideFields = {
  account_overrides: sealedObject({
    description:
      "Connection settings that replace those of accounts when the user queries, by account id.",
    ...settable,
    described: describedAccounts,
  }),
  parameter_overrides: sealedObject({
    description: "Values of parameters in row filters and dashboards, by parameter name.",
    ...settable,
    show: presentParameters,
    described: describedParameters,
  }),
  metadata: object({
    description: "Facts about the user that row filters can use as parameters.",
    ...settable,
  }),
  overrides_by: uuid({ hidden: true }),
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
      `set ${given.join(" and ")} of a user; owners of the organization have this right`,
    ]);
  parseParameters(values.parameter_overrides);
  for (const [accountId, override] of parseAccountOverrides(values.account_overrides))
    await refuseOverride(accountId, override, context.records, principal);
  await refuseOverrideAddresses(values, call);
  return { overrides_by: principal.userId };
}
