import { ApiError, isObject } from "../../base/index.ts";

/**
 * Runs a change, and converts constraint violations and conflicts in the database to API errors.
 * @throws {ApiError} CONFLICT
 */
export async function refuseDatabase<T>(resource: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    const { code, constraint = "" } = isObject(cause) ? cause : {};
    if (code === "23505") {
      const members = String(constraint).replace(/_key$/, "").split("_").at(-1);
      throw new ApiError(
        "CONFLICT",
        [`another ${resource} already has this ${members || "value"}`],
        { cause },
      );
    }
    if (code === "23503" || code === "40P01" || code === "40001")
      throw new ApiError(
        "CONFLICT",
        [`a record that this ${resource} refers to was changed at the same time; try again`],
        { cause },
      );
    throw cause;
  }
}
