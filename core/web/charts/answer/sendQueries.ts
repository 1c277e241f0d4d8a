import type { ItemQuery } from "../item/queryOf.ts";
import type { ChartCell } from "./chartRequest.ts";

/** The answer to one query of a call. */
export interface QueryAnswer {
  readonly rows: readonly (readonly ChartCell[])[];
  readonly warnings?: readonly string[];
  /** Why the host could not answer the query. */
  readonly failure?: Error;
}

/** Sends the queries of one call to the host. Resolves to one answer per query, in their order. */
export type SendQueries = (queries: readonly ItemQuery[]) => Promise<readonly QueryAnswer[]>;
