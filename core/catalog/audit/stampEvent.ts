import type { Members } from "../../base/index.ts";
import type { Cipher } from "../cipher.ts";

/** An audit event, as the catalog stores it. */
export type StoredEvent = Members<
  | "id"
  | "organization_id"
  | "request_id"
  | "action"
  | "resource"
  | "record_id"
  | "address"
  | "times"
  | "place"
  | "hash"
>;

/** Returns the part of an event that its digest covers, as one string. Events with equal content have equal strings. */
export function contentOf(event: StoredEvent): string {
  const { target, members } = event;
  const id = (member: string) => String(event[member]).toLowerCase();
  const instant = (member: string) => new Date(String(instantOf(event[member]))).toISOString();
  return JSON.stringify([
    id("id"),
    id("organization_id"),
    id("user_id"),
    id("authorization_id"),
    event.request_id ?? null,
    event.action,
    event.resource,
    event.record_id,
    members ?? [],
    target === null || target === undefined ? null : Object.entries(target).toSorted(),
    event.address ?? null,
    Number(event.times ?? 1),
    instant("created_at"),
    instant("updated_at"),
  ]);
}

const instantOf = (value: unknown): unknown =>
  value instanceof Date ? value.toISOString() : value;

/**
 * Returns the members that prove that a host wrote an event: a keyed digest of its content, made with the host's
 * secret.
 */
export function stampEvent(event: StoredEvent, cipher: Pick<Cipher, "mark">): StoredEvent {
  return { digest: cipher.mark(contentOf(event)) };
}
