import type { ServerAddress } from "./postgres/waitUntilReady.ts";

/** How to connect to a catalog. */
export type CatalogAddress =
  | { readonly connectionString: string }
  | (ServerAddress & { readonly database: string });
