import type { Knex } from "knex";
import { markWith } from "../cipher.ts";
import {
  type Anchor,
  type ChainEnd,
  type ChainPlace,
  contentOfAnchor,
  emptyHash,
  hashOf,
  readAnchor,
  readChain,
  readEnds,
} from "./chain.ts";
import { contentOf, type StoredEvent } from "./stampEvent.ts";

/** The result of verifying an organization's chain. */
export interface VerifiedChain extends ChainPlace {
  readonly organizationId: string;
  /** Number of events that were checked. */
  readonly checkedCount: number;
  /** Number of events before the current start of the chain that were removed with an anchor. */
  readonly removedCount: number;
  /** The first deviation from the chain that hosts wrote; undefined if there is none. */
  readonly broken?: { readonly place: number; readonly id?: string; readonly problem: string };
}

/** A deviation from the chain that hosts wrote, with its position. */
class Broken extends Error {
  readonly place: number;
  readonly id: string | undefined;
  constructor(place: number, problem: string, id?: unknown) {
    super(problem);
    this.place = place;
    this.id = id === undefined ? undefined : String(id);
  }
}

type MarkKeys = ReadonlyMap<string, Uint8Array>;

export interface VerifyOptions {
  readonly knex: Knex;
  /** Signing keys by the id of the secret: the keys of the host's secret and of former secrets. */
  readonly markKeys: MarkKeys;
  /** The only organization whose chain is verified. If absent, all chains are verified. */
  readonly organizationId?: string | undefined;
  /**
   * Earlier ends of chains, by organization, that were stored outside the catalog. Each end must still be part of its
   * chain.
   */
  readonly noted?: ReadonlyMap<string, ChainPlace>;
}

/**
 * Verifies the chains: each event has the content with which a host wrote it, no event was removed, inserted or moved,
 * and the chain ends where the catalog says. Reads each event once. Hosts can keep writing in the meantime. Only
 * `noted` can reveal that someone removed both the newest events and the end of the chain from the database.
 */
export async function* verifyAudit(options: VerifyOptions): AsyncGenerator<VerifiedChain> {
  const { knex, organizationId: only, noted = new Map<string, ChainPlace>() } = options;
  const isWanted = (organizationId: string) => only === undefined || only === organizationId;
  const ends = await readEnds(knex);
  for (const end of ends) if (isWanted(end.organizationId)) yield verifyChain(end, options);
  const known = new Set(ends.map(({ organizationId }) => organizationId));
  const found: readonly string[] = await knex("auditevent").distinct().pluck("organization_id");
  for (const organizationId of new Set([...found, ...noted.keys()]))
    if (!known.has(organizationId) && isWanted(organizationId)) {
      const broken = { place: 0, problem: "the end of this chain was removed" };
      const count = { checkedCount: 0, removedCount: 0 };
      yield { organizationId, place: 0, hash: "", ...count, broken };
    }
}

async function verifyChain(
  end: ChainEnd,
  { knex, markKeys, noted }: VerifyOptions,
): Promise<VerifiedChain> {
  const { organizationId } = end;
  const note = noted?.get(organizationId);
  let { place, hash }: ChainPlace = { place: 0, hash: emptyHash };
  let [checkedCount, removedCount] = [0, 0];
  const summary = () => ({ organizationId, place, hash, checkedCount, removedCount });
  try {
    const anchor = await readAnchor(knex, organizationId);
    if (anchor) expectAnchor(organizationId, anchor, markKeys);
    await expectOthers(end, knex);
    if (anchor) ({ place, hash, removedCount } = anchor);
    const isNoted = () => {
      if (note?.place === place && note.hash !== hash)
        throw new Broken(place, "the hash of this event differs from the noted hash");
    };
    isNoted();
    for await (const event of readChain(knex, organizationId, place, end.place)) {
      hash = expectEvent(event, { place, hash }, markKeys);
      place += 1;
      checkedCount += 1;
      isNoted();
    }
    if (place < end.place)
      throw new Broken(place + 1, `events ${place + 1} to ${end.place} are missing`);
    if (hash !== end.hash) throw new Broken(place, "the end of the chain was changed");
    if (note && note.place > place)
      throw new Broken(
        place + 1,
        `events ${place + 1} to ${note.place} existed earlier but are missing now`,
      );
    return summary();
  } catch (failure) {
    if (!(failure instanceof Broken)) throw failure;
    const { place: at, id, message } = failure;
    return {
      ...summary(),
      broken: { place: at, ...(id !== undefined && { id }), problem: message },
    };
  }
}

function expectAnchor(organizationId: string, anchor: Anchor, markKeys: MarkKeys): void {
  if (problemOf(anchor.digest, contentOfAnchor(organizationId, anchor), markKeys) === undefined)
    return;
  throw new Broken(anchor.place, "the anchor of the removed events was not written by a host");
}

/** Returns the reason why a signature does not match the content; undefined if the signature is valid. */
function problemOf(mark: string, content: string, markKeys: MarkKeys): string | undefined {
  const id = mark.split(".")[1] ?? "";
  const key = markKeys.get(id);
  if (!key) return "this event was written with another MANIFOLD_SECRET, or not by a host";
  return mark === markWith(id, key, content) ? undefined : "the content of this event was changed";
}

/** Checks that every event belongs to the chain: none is beyond the chain's end or without a position. */
async function expectOthers(end: ChainEnd, knex: Knex): Promise<void> {
  const { organizationId } = end;
  const beyond: StoredEvent | undefined = await knex("auditevent")
    .where({ organization_id: organizationId })
    .where("place", ">", end.place)
    .orderBy("place")
    .first();
  // A host may have written the event after the end was read.
  const now =
    beyond && (await readEnds(knex)).find((each) => each.organizationId === organizationId);
  if (beyond && Number(beyond.place) > (now?.place ?? 0))
    throw new Broken(Number(beyond.place), "this event is beyond the end of the chain", beyond.id);
  const stray: StoredEvent | undefined = await knex("auditevent")
    .where({ organization_id: organizationId })
    .whereNull("place")
    .orderBy("created_at", "desc")
    .first();
  if (stray)
    throw new Broken(0, "events without a position were added; this is the newest one", stray.id);
}

/** Checks one event against the previous position. Returns the event's hash. */
function expectEvent(event: StoredEvent, before: ChainPlace, markKeys: MarkKeys): string {
  const { id } = event;
  const place = Number(event.place);
  const wanted = before.place + 1;
  if (place !== wanted)
    throw new Broken(
      wanted,
      place === wanted + 1
        ? `event ${wanted} before this one is missing`
        : `events ${wanted} to ${place - 1} before this one are missing`,
      id,
    );
  const { digest } = event;
  if (typeof digest !== "string")
    throw new Broken(place, "this event was not written by a host: it has no digest", id);
  const problem = problemOf(digest, contentOf(event), markKeys);
  if (problem !== undefined) throw new Broken(place, problem, id);
  const hash = hashOf(before.hash, place, digest);
  if (event.hash !== hash)
    throw new Broken(place, "this event, or the one before it, was moved", id);
  return hash;
}
