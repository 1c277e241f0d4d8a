import { ApiError } from "../errors.ts";

const mostOffset = 1_000_000;

/** Which rows of a list a call wants. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/**
 * Reads `limit`, from 1 to `mostRows`, and `offset` of the `find` of a call.
 * @throws {ApiError} MEMBER_INVALID
 */
export function readPage(limit: unknown, offset: unknown, mostRows: number): Page {
  return {
    limit: readCount("limit", limit, 1, mostRows),
    offset: readCount("offset", offset, 0, mostOffset),
  };
}

function readCount(member: keyof Page, value: unknown, least: number, most: number): number {
  const count = Number(value);
  if (Number.isInteger(value) && count >= least && count <= most) return count;
  throw new ApiError("MEMBER_INVALID", [
    `find.${member}`,
    `it must be a whole number from ${least} to ${most}`,
  ]);
}
