import type { ApiDataset } from "./description.ts";

/** A page of an API, to be parsed by a reader process. */
export interface PageRequest {
  readonly bytes: Uint8Array;
  /** The charset that the response declares. Absent: UTF-8. */
  readonly charset?: string;
  readonly dataset: ApiDataset;
  /** Names of the requested columns. */
  readonly names: readonly string[];
  /** Number of the page for messages, starting at 1. */
  readonly page: number;
}

/**
 * The messages of a reader process. For each page, it sends the head of the page, then the rows in blocks, then the end
 * of the page.
 */
export type PageItem =
  /**
   * A digest of all members of all rows. Identifies repeated pages. Absent if the page has no rows, or if the dataset
   * has only one page.
   */
  | { readonly kind: "head"; readonly rowCount: number; readonly digest?: string }
  | { readonly kind: "rows"; readonly rows: readonly (readonly unknown[])[] }
  | { readonly kind: "end"; readonly end: PageEnd };

/** The members of a page that determine the next page. */
export interface PageEnd {
  readonly total?: unknown;
  readonly cursor?: unknown;
}
