import { requirePeer } from "./requirePeer.ts";

/** The part of chdb 3.4.0 (ClickHouse in this process) that the benches use. */
export interface ChdbSession {
  query(sql: string, format: string): string;
  queryAsync(
    sql: string,
    options: { readonly format: string },
  ): Promise<{ json(): { readonly data: unknown[][] } }>;
  cleanup(): void;
}

/** Opens ClickHouse in this process. */
export function openChdb(): ChdbSession {
  const { Session } = requirePeer("chdb") as { Session: new () => ChdbSession };
  return new Session();
}
