import { createHmac } from "node:crypto";
import type { Credentials } from "../../../plugins/protocol/index.ts";

/** The destination of a connection: the members of its plugin that determine which source answers. */
export interface Destination {
  readonly slug: string;
  readonly baseUrl?: string;
  readonly protocolVersion?: string;
  readonly pushdown?: boolean;
  /** The key of the grant under which the destination is reached (`Grant.key`). */
  readonly grantKey?: string;
  /**
   * The claims of the plugin that the conformance kit found wrong. Answers that were cached before the check are then
   * not used.
   */
  readonly disproved?: readonly string[];
}

/**
 * Computes the fingerprint of a connection: SHA-256 over its destination and its credentials. It is keyed, so that
 * nobody who reads a fingerprint in a log can test passwords against it. Equal inputs give equal fingerprints for the
 * same `key`; the order of properties does not matter.
 */
export function fingerprint(
  key: Uint8Array,
  destination: Destination,
  credentials: Credentials,
): string {
  const properties = Object.entries(credentials.properties).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = [
    destination.slug,
    destination.baseUrl ?? null,
    destination.protocolVersion ?? null,
    destination.pushdown ?? null,
    destination.grantKey ?? null,
    credentials.host ?? null,
    credentials.key ?? null,
    credentials.token ?? null,
    properties,
    destination.disproved ?? [],
  ];
  return createHmac("sha256", key).update(JSON.stringify(parts)).digest("hex");
}
