import type { ChartCell } from "../../charts/index.ts";

/** One filter in an explanation. */
export interface ExplainedFilter {
  /** Where the filter comes from: `question`, `token`, `filter_group` or `share`. */
  readonly origin: string;
  readonly dataset_id?: string;
  readonly column_id?: string;
  readonly expression?: string;
}

/** How a query was answered: the parts that were pushed down, the filters and the timings. */
export interface Explanation {
  readonly datasets: readonly {
    readonly id: string;
    readonly plugin: string;
    readonly live: boolean;
  }[];
  readonly mode: string;
  readonly steps: readonly {
    readonly clause: string;
    readonly pushed: boolean;
    readonly reason?: string;
  }[];
  readonly filters: readonly ExplainedFilter[];
  readonly pushdown: readonly {
    readonly tests?: readonly { readonly column_id?: string; readonly expression?: string }[];
    readonly pushdown: "exact" | "superset" | "none";
    readonly reason?: string;
  }[];
  readonly cache: { readonly state: string; readonly age: number };
  readonly parts: readonly {
    readonly plugin: string;
    readonly clauses: readonly string[];
    readonly rows: number | null;
    readonly milliseconds: number;
  }[];
}

/** An answer of the data service to a single query. */
export interface Answer {
  readonly cached: boolean;
  readonly performance: {
    readonly validating: number;
    readonly preparing: number;
    readonly queuing: number;
    readonly querying: number;
    readonly processing: number;
    readonly rows: number;
  };
  readonly data: readonly (readonly ChartCell[])[];
  /** What the answer leaves out, as sentences. */
  readonly warnings?: readonly string[];
  readonly explain?: Explanation;
  /** Why the host did not answer this query of a call with several queries. */
  readonly error?: { readonly message: string };
}
