import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Knex } from "knex";
import { ApiError } from "../../base/index.ts";
import type { Push } from "./parsePush.ts";

/** A push that its caller named. */
export interface NamedPush {
  readonly authorizationId: string;
  readonly requestId: string;
  /** Hash of the push. */
  readonly digest: string;
}

/** The name of the write of a push: the same when a call that was not carried out comes again. */
export interface NamedWrite {
  readonly writeId: string;
  readonly isRepeated: boolean;
}

/** Has each named push carried out once; its answer is kept for a day. */
export interface PushRequests {
  /**
   * Answers a push: from memory of the catalog when the call came before, else by `push`. Equal calls at the same time
   * share one.
   * @throws {ApiError} REQUEST_ID_USED for another body under the same id; PUSH_UNDER_WAY with Retry-After while
   * another host works on it; PUSH_UNCERTAIN when a host died and its rows could be those of others
   */
  once<Answer>(
    named: NamedPush,
    push: () => Promise<Answer>,
    recall: (datasetId: string) => Promise<Answer>,
  ): Promise<Answer>;
  /**
   * Takes the id in a transaction, before the store is written.
   * @throws {ApiError} as `once`
   */
  claim(named: NamedPush, securableId: string, transaction: Knex.Transaction): Promise<NamedWrite>;
  /** Keeps the answer, in the transaction that commits the push. */
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
/** Old calls that one claim removes. */
const sweepCount = 100;

/**
 * Reads the `request_id` of a body; undefined when there is none.
 * @throws {ApiError} MEMBER_INVALID
 */
export function readRequestId(given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given === "string" && shape.test(given)) return given;
  throw new ApiError("MEMBER_INVALID", [
    "request_id",
    "it must be a text of 1 to 200 letters, digits, dots, colons, dashes and underscores, such as a UUID",
  ]);
}

/** Cells that are hashed at a time: a few milliseconds. */
const cellsATurn = 50_000;

/** Returns the hash of a push, whatever the order of its members was; a turn of the event loop after every few rows. */
export async function digestOf(push: Push): Promise<string> {
  const { rows, type, securableId, header, name, updateMetadata } = push;
  const hash = createHash("sha256");
  hash.update(JSON.stringify([type, securableId, header, name, updateMetadata]));
  const rowsATurn = Math.max(1, Math.floor(cellsATurn / Math.max(1, rows[0]?.length ?? 1)));
  for (let from = 0; from < rows.length; from += rowsATurn) {
    if (from > 0) await setImmediate();
    for (const row of rows.slice(from, from + rowsATurn)) hash.update(`${JSON.stringify(row)}\n`);
  }
  return hash.digest("base64");
}

/** Makes the pushes of a host that are carried out once. Nothing to close. */
export function createPushRequests({
  knex,
  settle,
}: {
  readonly knex: Knex;
  /** Settles what hosts that are gone have left. */
  readonly settle?: () => Promise<void>;
}): PushRequests {
  const underWay = new Map<string, { readonly digest: string; readonly ended: Promise<unknown> }>();

  const find = async (named: NamedPush): Promise<RequestRow | undefined> => {
    const { rows }: { rows: RequestRow[] } = await knex.raw(
      `select digest, answer, outcome, securable_id from push_request
        where authorization_id = ? and request_id = ? and created_at > clock_timestamp() - ${keptFor}`,
      [named.authorizationId, named.requestId],
    );
    const [row] = rows;
    if (row?.outcome === "refused") return undefined;
    if (row && row.digest !== named.digest)
      throw new ApiError("REQUEST_ID_USED", [named.requestId]);
    return row;
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
        let row = await find(named);
        if (settle && row && row.answer === null && row.outcome === null) {
          await settle();
          row = await find(named);
        }
        if (!row) return push();
        if (row.answer !== null) return JSON.parse(row.answer);
        if (row.outcome === "taken") return recall(row.securable_id);
        if (row.outcome === "unknown") throw new ApiError("PUSH_UNCERTAIN", [requestId]);
        throw new ApiError("PUSH_UNDER_WAY", [requestId], { retryAfterS: 1 });
      };
      const run = carryOut();
      // A twin asks anew: what failed may be tried again.
      const ended = Promise.allSettled([run]).then(() => underWay.delete(key));
      underWay.set(key, { digest, ended });
      return run;
    },
    async claim({ authorizationId, requestId, digest }, securableId, transaction) {
      await transaction.raw(
        `delete from push_request where ctid = any(array(
           select ctid from push_request where created_at <= clock_timestamp() - ${keptFor}
            limit ${sweepCount} for update skip locked))`,
      );
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
