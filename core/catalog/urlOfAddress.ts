import type { CatalogAddress } from "./catalogAddress.ts";

/** Returns the address of a catalog as a URL for `DATABASE_URL`, including the password. */
export function urlOfAddress(address: CatalogAddress): string {
  if ("connectionString" in address) return address.connectionString;
  const { user, password, host, port, database } = address;
  const [name, secret, place] = [user, password, host].map(encodeURIComponent);
  return `postgresql://${name}:${secret}@${place}:${port}/${database}`;
}
