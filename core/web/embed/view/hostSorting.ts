import type { FetchOptions } from "../../charts/index.ts";
import type { Sorting } from "./sortRows.ts";

/** Returns the order of a table in the form in which the host sorts rows. */
export const hostSorting = ({
  cell,
  direction,
}: Sorting): NonNullable<FetchOptions["sorting"]> => ({
  cell,
  direction: direction === 1 ? "asc" : "desc",
});
