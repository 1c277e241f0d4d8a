import type { Route } from "./openRouter.ts";

/** A record that a user opened in this browser. */
export interface Visit {
  readonly kind: "dashboard" | "dataset" | "alert";
  readonly id: string;
  /** Address at which the user opened the record last. */
  readonly path: string;
  /** When the user opened the record last, as an instant. */
  readonly at: string;
}

const kinds: Readonly<Record<string, Visit["kind"]>> = {
  dashboards: "dashboard",
  explore: "dataset",
  data: "dataset",
  alerts: "alert",
};
const mostVisits = 30;
const isId = /^[\da-f]{8}-[\da-f-]{27}$/;
const keyOf = (userId: string) => `manifold-visits ${userId}`;

/**
 * Remembers that a user opened the record at an address. Addresses of other pages are ignored. The browser keeps the
 * ids of the last 30 records of each user, and no names.
 */
export function keepVisit(userId: string, { parts }: Route, nowMs: number = Date.now()): void {
  const [page = "", id = ""] = parts;
  const kind = kinds[page];
  if (kind === undefined || !isId.test(id)) return;
  const visit: Visit = { kind, id, path: `/${page}/${id}`, at: new Date(nowMs).toISOString() };
  const others = readVisits(userId).filter((each) => each.id !== id);
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify([visit, ...others].slice(0, mostVisits)));
  } catch {
    // Without storage, as in some private windows, the console works without the list of recent records.
  }
}

/** Returns the records that a user opened in this browser, the last one first. */
export function readVisits(userId: string): readonly Visit[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isVisit) : [];
  } catch {
    return [];
  }
}

function isVisit(value: unknown): value is Visit {
  if (typeof value !== "object" || value === null) return false;
  const { kind, id, path, at }: Partial<Visit> = value;
  return (
    Object.values(kinds).some((each) => each === kind) &&
    [id, path, at].every((each) => typeof each === "string")
  );
}
