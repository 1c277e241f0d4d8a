import { ApiError, type Principal } from "../../base/index.ts";

/**
 * Keeps users of a suborganization from creating or sharing records of the whole organization.
 * @throws {ApiError} FORBIDDEN
 */
export function refuseSuborganization({ suborganization }: Principal): void {
  if ((suborganization ?? null) !== null)
    throw new ApiError("FORBIDDEN", [
      "act for the whole organization; you are part of a suborganization",
    ]);
}
