import type { ApiDataset } from "./description.ts";

/** A page of an API, as a reader process parses it. */
export interface PageRequest {
  readonly bytes: Uint8Array;
  readonly dataset: ApiDataset;
  /** The wanted columns. */
  readonly names: readonly string[];
  /** Counted from 1, for messages. */
  readonly page: number;
}

/** A reader process answers a page with its head, then its rows in blocks, then its end. */
export type PageItem =
  /** The digest covers all members of all rows. Absent without rows, and where the dataset has one page. */
  | { readonly kind: "head"; readonly rowCount: number; readonly digest?: string }
  | { readonly kind: "rows"; readonly rows: readonly (readonly unknown[])[] }
  | { readonly kind: "end"; readonly end: PageEnd };

/** The members of a page that say what comes next. */
export interface PageEnd {
  readonly total?: unknown;
  readonly cursor?: unknown;
}
