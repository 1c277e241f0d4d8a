import { ApiError, type Principal } from "../../base/index.ts";

/**
 * Keeps who belongs to a suborganization from making or sharing what is the whole organization's.
 * @throws {ApiError} FORBIDDEN
 */
export function refuseSuborganization({ suborganization }: Principal): void {
  if ((suborganization ?? null) !== null)
    throw new ApiError("FORBIDDEN", [
      "act for the whole organization; you are part of a suborganization",
    ]);
}
