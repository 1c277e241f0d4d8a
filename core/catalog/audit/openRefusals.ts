import type { Log } from "../log.ts";
import { isUuid, nobody, type Records } from "../../base/index.ts";

/** A sign-in or a call that was refused before its caller was known. It has no secret, and no text of the caller. */
export interface Refusal {
  /** How the caller wanted in. */
  readonly way: "password" | "pair" | "session" | "link" | "provider" | "scim";
  /** The code of the error. */
  readonly code: string;
  /** The key, the user or the ssoconfig that was named, when it is a UUID. */
  readonly recordId?: unknown;
  /** Whose it is, when it exists. */
  readonly organizationId?: string | undefined;
  readonly userId?: string | undefined;
  readonly address: string;
}

/** Notes a refusal. It throws nothing and waits for nothing: the caller gets its answer first. */
export type NoteRefusal = (refusal: Refusal) => void;

export interface Refusals {
  readonly note: NoteRefusal;
  /** Writes what was counted and not written yet. */
  close(): Promise<void>;
}

export interface RefusalsOptions {
  readonly records: Pick<Records, "insert" | "insertMany">;
  readonly log: Pick<Log, "error">;
  /** For tests. Calls a function after a minute, and returns what cancels that. */
  readonly later?: (run: () => void, ms: number) => () => void;
}

const minuteMs = 60_000;
/** Different refusals that are noted in a minute; the others are one row. */
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
 * Opens the audit of refused sign-ins. The first of a kind is written at once, and its repetitions within a minute as
 * one more row with their number. A kind is a way, a code, a record and an address; beyond 60 kinds a minute all others
 * are counted in one row, so that a flood writes at most 121 rows a minute. A host that is killed loses the repetitions
 * of at most a minute; its log has every one.
 */
export function openRefusals({ records, log, later = startTimer }: RefusalsOptions): Refusals {
  const repeated = new Map<string, Values>();
  const writing = new Set<Promise<unknown>>();
  let cancel: (() => void) | undefined;
  let isClosed = false;

  const write = (run: () => Promise<unknown>) => {
    const written = run()
      .catch((failure: unknown) => log.error({ err: failure }, "refused sign-ins were not audited"))
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
