import { createHash } from "node:crypto";
import type { Knex } from "knex";
import { ApiError } from "../../base/index.ts";

/** A push with a `request_id`, which takes effect once per key and id. */
export interface NamedPush {
  readonly authorizationId: string;
  readonly requestId: string;
  /** The hash of the push. The hash tells a repeated call from a different call with the same id. */
  readonly digest: string;
}

/** The name of a push's write. It stays the same when a call that had no effect is repeated. */
export interface NamedWrite {
  readonly writeId: string;
  readonly isRepeated: boolean;
}

/** Makes each push with a `request_id` take effect once, and keeps its answer for a day. */
export interface PushRequests {
  /**
   * Returns the answer of a push: the stored answer if the call was sent before, otherwise the answer of `push`. Equal
   * concurrent calls share one push.
   * @throws {ApiError} REQUEST_ID_USED if a call with the same id had another body; PUSH_UNDER_WAY with Retry-After
   * while another host runs the push; PUSH_UNCERTAIN if a host died and the rows in the store may belong to another
   * push
   */
  once<Answer>(
    named: NamedPush,
    push: () => Promise<Answer>,
    recall: (datasetId: string) => Promise<Answer>,
  ): Promise<Answer>;
  /**
   * Returns the answer of a push whose body is not known, if the push was already sent to any host. `digestPrefix` is
   * the beginning of its hash. Undefined if no host has begun to store it.
   * @throws {ApiError} as `once`
   */
  find<Answer>(
    named: Omit<NamedPush, "digest"> & { readonly digestPrefix: string },
    recall: (datasetId: string) => Promise<Answer>,
  ): Promise<Answer | undefined>;
  /**
   * Claims the id in a transaction, before the store is written.
   * @throws {ApiError} as `once`
   */
  claim(named: NamedPush, securableId: string, transaction: Knex.Transaction): Promise<NamedWrite>;
  /** Stores the answer in the transaction that commits the push. */
  keep(named: NamedPush, answer: object, transaction: Knex.Transaction): Promise<void>;
}

interface RequestRow {
  readonly digest: string;
  readonly answer: string | null;
  readonly outcome: "taken" | "unknown" | "refused" | null;
  readonly securable_id: string;
}

const shape = /^[\w.:-]{1,200}$/;
const keptFor = "interval '1 day'";
/** Maximum number of old calls that one claim deletes. */
const sweepCount = 100;
/** Milliseconds to wait after a sweep that left no old calls. */
const sweepEveryMs = 1000;

/**
 * Reads the `request_id` of a body; undefined if there is none.
 * @throws {ApiError} MEMBER_INVALID
 */
export function readRequestId(given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given === "string" && shape.test(given)) return given;
  throw new ApiError("MEMBER_INVALID", [
    "request_id",
    "it must be a string of 1 to 200 letters, digits, dots, colons, dashes and underscores, such as a UUID",
  ]);
}

/** Creates the handling of pushes with a `request_id` for one host. Needs no closing. */
export function createPushRequests({
  knex,
  settle,
}: {
  readonly knex: Knex;
  /** Settles the pushes of hosts that no longer run. */
  readonly settle?: () => Promise<void>;
}): PushRequests {
  const underWay = new Map<string, { readonly digest: string; readonly ended: Promise<unknown> }>();

  const find = async (
    named: Omit<NamedPush, "digest">,
    isSame: (digest: string) => boolean,
  ): Promise<RequestRow | undefined> => {
    const { rows }: { rows: RequestRow[] } = await knex.raw(
      `select digest, answer, outcome, securable_id from push_request
        where authorization_id = ? and request_id = ? and created_at > clock_timestamp() - ${keptFor}`,
      [named.authorizationId, named.requestId],
    );
    const [row] = rows;
    if (row?.outcome === "refused") return undefined;
    if (row && !isSame(row.digest)) throw new ApiError("REQUEST_ID_USED", [named.requestId]);
    return row;
  };

  /** Returns the answer of a push that some host has begun to store; undefined if none has. */
  const answerOf = async <Answer>(
    named: Omit<NamedPush, "digest">,
    isSame: (digest: string) => boolean,
    recall: (datasetId: string) => Promise<Answer>,
  ): Promise<{ readonly answer: Answer } | undefined> => {
    const { requestId } = named;
    let row = await find(named, isSame);
    if (settle && row && row.answer === null && row.outcome === null) {
      await settle();
      row = await find(named, isSame);
    }
    if (!row) return undefined;
    if (row.answer !== null) return { answer: JSON.parse(row.answer) };
    if (row.outcome === "taken") return { answer: await recall(row.securable_id) };
    if (row.outcome === "unknown") throw new ApiError("PUSH_UNCERTAIN", [requestId]);
    throw new ApiError("PUSH_UNDER_WAY", [requestId], { retryAfterS: 1 });
  };

  let sweepAtMs = 0;
  /** Deletes calls that are too old to be recognized. */
  const sweep = async (transaction: Knex.Transaction) => {
    if (performance.now() < sweepAtMs) return;
    const { rowCount }: { rowCount: number } = await transaction.raw(
      `delete from push_request where ctid = any(array(
         select ctid from push_request where created_at <= clock_timestamp() - ${keptFor}
          limit ${sweepCount} for update skip locked))`,
    );
    sweepAtMs = rowCount < sweepCount ? performance.now() + sweepEveryMs : 0;
  };

  return {
    async once(named, push, recall) {
      const { requestId, digest } = named;
      const key = `${named.authorizationId} ${requestId}`;
      for (let twin = underWay.get(key); twin; twin = underWay.get(key)) {
        if (twin.digest !== digest) throw new ApiError("REQUEST_ID_USED", [requestId]);
        await twin.ended;
      }
      const carryOut = async () => {
        const known = await answerOf(named, (each) => each === digest, recall);
        return known ? known.answer : push();
      };
      const run = carryOut();
      // A call that waited for an equal call checks again, because a failed push may be repeated.
      const ended = Promise.allSettled([run]).then(() => underWay.delete(key));
      underWay.set(key, { digest, ended });
      return run;
    },
    async find({ digestPrefix, ...named }, recall) {
      const known = await answerOf(named, (digest) => digest.startsWith(digestPrefix), recall);
      return known?.answer;
    },
    async claim({ authorizationId, requestId, digest }, securableId, transaction) {
      await sweep(transaction);
      await transaction.raw(
        `delete from push_request where authorization_id = ? and request_id = ?
            and created_at <= clock_timestamp() - ${keptFor}`,
        [authorizationId, requestId],
      );
      const { rows }: { rows: { since: string; is_repeated: boolean }[] } = await transaction.raw(
        `insert into push_request as p (authorization_id, request_id, digest, securable_id) values (?, ?, ?, ?)
         on conflict (authorization_id, request_id) do update
            set digest = excluded.digest, securable_id = excluded.securable_id, outcome = null
          where p.outcome = 'refused'
         returning extract(epoch from p.created_at)::text as since, p.xmax <> 0 as is_repeated`,
        [authorizationId, requestId, digest, securableId],
      );
      const [claimed] = rows;
      if (!claimed) throw new ApiError("PUSH_UNDER_WAY", [requestId], { retryAfterS: 1 });
      const writeId = createHash("sha256")
        .update(JSON.stringify([authorizationId, requestId, digest, claimed.since]))
        .digest("hex");
      return { writeId, isRepeated: claimed.is_repeated };
    },
    async keep({ authorizationId, requestId }, answer, transaction) {
      await transaction("push_request")
        .where({ authorization_id: authorizationId, request_id: requestId })
        .update({ answer: JSON.stringify(answer) });
    },
  };
}
