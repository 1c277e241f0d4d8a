import {
  ApiError,
  isUuid,
  type Principal,
  type Records,
  type Members,
} from "../../../base/index.ts";
import { refuseOverride } from "../../../queries/index.ts";
import { parseTokenReach, refuseBeyond } from "./tokenReach.ts";
import { parseAccountOverrides } from "./accountOverrides.ts";
import { checkFilters, parseFilters } from "./filters.ts";
import { parseHiddenColumns, refuseUnknownColumns } from "./hiddenColumns.ts";
import { invalid } from "./members.ts";
import { parseParameters, withMetadata } from "./parameters.ts";

/** The issuer of a token, and the catalog's records, against which the token is checked. */
interface Issuer {
  readonly records: Records;
  readonly principal: Principal;
}

/**
 * Checks the members that restrict a new token against the issuer's current rights, and returns their stored form. Each
 * call with the token checks again which records it can reach.
 * @throws {ApiError} with the path of the member
 */
export async function restrict(
  values: Members<
    | "type"
    | "username"
    | "securables"
    | "integration_id"
    | "access"
    | "parameter_overrides"
    | "metadata"
    | "filters"
    | "hidden_columns"
    | "account_overrides"
  >,
  { records, principal }: Issuer,
): Promise<Members> {
  const type = values.type;
  if (type !== "temporary" && values.username == null)
    throw new ApiError("MEMBER_MISSING", [
      "properties.username",
      "the name of the end user, always the same for the same person",
    ]);
  if (type !== "temporary" && values.securables != null)
    throw invalid("properties.securables", "is only for type temporary; send access instead");
  if ((type === "sso") !== (values.integration_id != null))
    throw invalid(
      "properties.integration_id",
      "is required for type sso, and not allowed for other types",
    );

  const access = parseTokenReach(values.access);
  await refuseBeyond(access, records, principal);
  if (values.securables != null) await refuseUnseen(values.securables, { records, principal });
  if (values.integration_id != null) {
    const id = String(values.integration_id);
    if ((await records.visible("integration", [id], "read", principal)).size === 0)
      throw new ApiError("RECORD_NOT_FOUND", ["integration", id]);
  }

  const parameters = withMetadata(
    parseParameters(values.parameter_overrides),
    values.metadata as Members | null | undefined,
  );
  const { onRows, stored } = parseFilters(values.filters);
  await checkFilters(onRows, parameters, { records, principal, isComplete: true });
  await refuseUnknownColumns(parseHiddenColumns(values.hidden_columns), records, principal);
  for (const [accountId, override] of parseAccountOverrides(values.account_overrides))
    await refuseOverride(accountId, override, records, principal);
  return values.filters == null ? {} : { filters: stored };
}

async function refuseUnseen(given: unknown, { records, principal }: Issuer): Promise<void> {
  const ids = given as readonly string[];
  for (const [index, id] of ids.entries())
    if (!isUuid(id)) throw invalid(`properties.securables[${index}]`, "must be a UUID");
  const seen = await records.visible("securable", ids, "read", principal);
  for (const id of ids)
    if (!seen.has(id)) throw new ApiError("RECORD_NOT_FOUND", ["securable", id]);
}
