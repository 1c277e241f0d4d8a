import {
  ApiError,
  isUuid,
  type Principal,
  type Records,
  type ResourceRow,
} from "../../base/index.ts";

/**
 * Finds the ssoconfig that a call names. Only owners of its organization can find it.
 * @throws {ApiError} MEMBER_MISSING, RECORD_NOT_FOUND
 */
export async function findOwned(
  records: Pick<Records, "visible">,
  id: unknown,
  principal: Principal,
): Promise<ResourceRow<"ssoconfig">> {
  if (typeof id !== "string")
    throw new ApiError("MEMBER_MISSING", ["id", "the id of an ssoconfig"]);
  const ids = isUuid(id) ? [id.toLowerCase()] : [];
  const [row] = (await records.visible("ssoconfig", ids, "own", principal)).values();
  if (!row) throw new ApiError("RECORD_NOT_FOUND", ["ssoconfig", JSON.stringify(id.slice(0, 100))]);
  return row;
}
