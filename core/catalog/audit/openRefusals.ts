import type { Log } from "../log.ts";
import { isUuid, nobody, type Records } from "../../base/index.ts";

/**
 * A sign-in or call that was refused before its caller was known. Contains no secrets and no text that the caller sent.
 */
export interface Refusal {
  /** How the caller tried to authenticate. */
  readonly way: "password" | "pair" | "session" | "link" | "provider" | "scim";
  /** Code of the error with which the call was refused. */
  readonly code: string;
  /** The id of the key, user or ssoconfig that the call named, if that id is a UUID. */
  readonly recordId?: unknown;
  /** The organization of the named record; undefined if the record does not exist. */
  readonly organizationId?: string | undefined;
  readonly userId?: string | undefined;
  readonly address: string;
}

/** Records a refusal. Never throws and never waits, so that the caller's response is not delayed. */
export type NoteRefusal = (refusal: Refusal) => void;

/** The audit of refused sign-ins and calls of one host. */
export interface Refusals {
  readonly note: NoteRefusal;
  /** Writes the refusals that have been counted but not written yet. */
  close(): Promise<void>;
}

export interface RefusalsOptions {
  readonly records: Pick<Records, "insert" | "insertMany">;
  readonly log: Pick<Log, "error">;
  /** For tests: calls a function after the given number of milliseconds. Returns a function that cancels the call. */
  readonly later?: (run: () => void, ms: number) => () => void;
}

const minuteMs = 60_000;
/** Maximum number of distinct refusals recorded per minute; all others share one row. */
const mostKinds = 60;

const resources = {
  password: "user",
  pair: "authorization",
  session: "authorization",
  link: "authorization",
  provider: "ssoconfig",
  scim: "ssoconfig",
} as const;

type Values = Readonly<Record<string, unknown>> & { readonly times: number };

function startTimer(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
}

function valuesOf({ way, code, recordId, organizationId, userId, address }: Refusal) {
  return {
    organization_id: organizationId ?? nobody,
    user_id: userId ?? nobody,
    authorization_id: nobody,
    action: "refuse",
    resource: resources[way],
    record_id: isUuid(recordId) ? recordId.toLowerCase() : "",
    members: [way, code],
    address,
  };
}

/**
 * Opens the audit of refused sign-ins. A kind of refusal is a combination of way, code, record and address. The first
 * refusal of a kind is written at once. Repetitions within a minute become one more row that contains their number.
 * Beyond 60 kinds per minute, all others are counted in one row, so a flood writes at most 121 rows per minute. If a
 * host is killed, up to a minute of repetitions is missing in the audit, but the host's log contains all of them.
 */
export function openRefusals({ records, log, later = startTimer }: RefusalsOptions): Refusals {
  const repeated = new Map<string, Values>();
  const writing = new Set<Promise<unknown>>();
  let cancel: (() => void) | undefined;
  let isClosed = false;

  const write = (run: () => Promise<unknown>) => {
    const written = run()
      .catch((failure: unknown) =>
        log.error({ err: failure }, "refused sign-ins could not be audited"),
      )
      .finally(() => writing.delete(written));
    writing.add(written);
  };
  const flush = () => {
    cancel?.();
    cancel = undefined;
    const rows = [...repeated.values()].filter(({ times }) => times > 0);
    repeated.clear();
    if (rows.length > 0) write(() => records.insertMany("auditevent", rows));
  };
  return {
    note(refusal) {
      if (isClosed) return;
      const values = valuesOf(refusal);
      const kind = JSON.stringify(values);
      const known = repeated.get(kind);
      cancel ??= later(flush, minuteMs);
      if (known) {
        repeated.set(kind, { ...known, times: known.times + 1 });
        return;
      }
      if (repeated.size < mostKinds) {
        repeated.set(kind, { ...values, times: 0 });
        write(() => records.insert("auditevent", { ...values, times: 1 }));
        return;
      }
      const other = repeated.get("others");
      repeated.set("others", {
        ...valuesOf({ way: "pair", code: "others", address: "" }),
        members: ["others"],
        address: null,
        times: (other?.times ?? 0) + 1,
      });
    },
    async close() {
      flush();
      isClosed = true;
      await Promise.all(writing);
    },
  };
}
