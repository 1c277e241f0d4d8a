import { createHash } from "node:crypto";
import type { Knex } from "knex";
import type { Members } from "../../base/index.ts";
import type { StoredEvent } from "./stampEvent.ts";

/** A position in the chain of an organization, and the chain's hash at that position. */
export interface ChainPlace {
  readonly place: number;
  readonly hash: string;
}

/** The hash before the first event of a chain. */
export const emptyHash = createHash("sha256").digest("hex");

/** The end of a chain, as recorded in the catalog. */
export interface ChainEnd extends ChainPlace {
  readonly organizationId: string;
}

/** The position after which a chain starts, because the events up to this position were removed. */
export interface Anchor extends ChainPlace {
  readonly removedCount: number;
  readonly removedAt: Date;
  readonly digest: string;
}

/** Returns the hash at a position, computed from the previous hash, the position and the digest of the event. */
export function hashOf(before: string, place: number, digest: string): string {
  return createHash("sha256").update(`${before}:${place}:${digest}`).digest("hex");
}

/** Returns the content of an anchor that the host signs with its secret. */
export function contentOfAnchor(
  organizationId: string,
  { place, hash, removedCount, removedAt }: Omit<Anchor, "digest">,
): string {
  return JSON.stringify([
    "anchor",
    organizationId,
    place,
    hash,
    removedCount,
    removedAt.toISOString(),
  ]);
}

/** Returns the ends of all chains, sorted by organization. */
export async function readEnds(knex: Knex): Promise<readonly ChainEnd[]> {
  const rows: readonly Members<"organization_id" | "place" | "hash">[] = await knex("audit_chain")
    .select("*")
    .orderBy("organization_id");
  return rows.map((row) => ({
    organizationId: String(row.organization_id),
    place: Number(row.place),
    hash: String(row.hash),
  }));
}

type AnchorColumn = "place" | "hash" | "removed_count" | "removed_at" | "digest";

/** Reads the anchor of a chain; undefined if no events were removed from the chain. */
export async function readAnchor(knex: Knex, organizationId: string): Promise<Anchor | undefined> {
  const row: Members<AnchorColumn> | undefined = await knex("audit_anchor")
    .where({ organization_id: organizationId })
    .first();
  if (!row) return undefined;
  return {
    place: Number(row.place),
    hash: String(row.hash),
    removedCount: Number(row.removed_count),
    removedAt: new Date(String(instantOf(row.removed_at))),
    digest: String(row.digest),
  };
}

const instantOf = (value: unknown): unknown =>
  value instanceof Date ? value.toISOString() : value;

/** Number of events per read. */
const pageCount = 1_000;

/**
 * Yields the events of an organization's chain in order, from the position after `after` up to and including `last`.
 * Reads 1,000 events at a time.
 */
export async function* readChain(
  knex: Knex,
  organizationId: string,
  after: number,
  last: number,
): AsyncGenerator<StoredEvent> {
  for (let place = after; ;) {
    const rows: readonly StoredEvent[] = await knex("auditevent")
      .where({ organization_id: organizationId })
      .where("place", ">", place)
      .where("place", "<=", last)
      .orderBy("place")
      .limit(pageCount);
    yield* rows;
    if (rows.length < pageCount) return;
    place = Number(rows.at(-1)?.place);
  }
}
