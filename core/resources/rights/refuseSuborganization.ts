import { ApiError, type Principal } from "../../base/index.ts";

/**
 * Refuses users of a suborganization who create or share records of the whole organization.
 * @throws {ApiError} FORBIDDEN
 */
export function refuseSuborganization({ suborganization }: Principal): void {
  if ((suborganization ?? null) !== null)
    throw new ApiError("FORBIDDEN", [
      "act for the whole organization; you are part of a suborganization",
    ]);
}
