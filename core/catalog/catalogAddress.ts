import type { ServerAddress } from "./postgres/waitUntilReady.ts";

/** The settings with which to connect to a catalog. */
export type CatalogAddress =
  | { readonly connectionString: string }
  | (ServerAddress & { readonly database: string });
