import type { Knex } from "knex";
import type { Log } from "../../../catalog/index.ts";

/** How far an upload has progressed. */
export interface UploadProgress {
  /** `receiving` the file, `reading` its rows, `stored`, or `failed`. */
  readonly state: "receiving" | "reading" | "stored" | "failed";
  readonly received_bytes: number;
  /** Size of the file; null if the client did not state it. */
  readonly size_bytes: number | null;
  /** Number of rows that were read. */
  readonly rows: number;
  /** The part of the file that was read, from 0 to 1; null if it is not known. */
  readonly share: number | null;
}

/** Names an upload: the key pair that sends it, and the `request_id` of its calls. */
export interface UploadName {
  readonly authorizationId: string;
  readonly requestId: string;
}

/** The progress of uploads with a `request_id`. It is in the catalog, so that every host can show it. */
export interface ProgressOfUploads {
  /** Records progress, at most once a second per upload unless its state has changed. Failures are only logged. */
  note(name: UploadName, progress: UploadProgress): Promise<void>;
  /** Returns the progress of an upload; undefined if there was none within the last day. */
  find(name: UploadName): Promise<UploadProgress | undefined>;
}

const everyMs = 1000;
const keptFor = "interval '1 day'";

interface ProgressRow {
  readonly state: UploadProgress["state"];
  readonly received_bytes: string;
  readonly size_bytes: string | null;
  readonly row_count: string;
  readonly share: number | null;
}

/** Creates the record of uploads for one host. */
export function createProgress({
  knex,
  log,
}: {
  readonly knex: Knex;
  readonly log: Pick<Log, "warn">;
}): ProgressOfUploads {
  const noted = new Map<string, { readonly state: string; readonly atMs: number }>();
  return {
    async note({ authorizationId, requestId }, progress) {
      const key = `${authorizationId} ${requestId}`;
      const last = noted.get(key);
      const atMs = performance.now();
      if (last?.state === progress.state && atMs - last.atMs < everyMs) return;
      const { state, received_bytes, size_bytes, rows, share } = progress;
      const isEnded = state === "stored" || state === "failed";
      if (isEnded) noted.delete(key);
      else noted.set(key, { state, atMs });
      try {
        await knex.raw(
          `insert into upload_progress
             (authorization_id, request_id, state, received_bytes, size_bytes, row_count, share)
           values (?, ?, ?, ?, ?, ?, ?)
           on conflict (authorization_id, request_id) do update
             set state = excluded.state, received_bytes = excluded.received_bytes,
                 size_bytes = excluded.size_bytes, row_count = excluded.row_count,
                 share = excluded.share, updated_at = now()`,
          [authorizationId, requestId, state, received_bytes, size_bytes, rows, share],
        );
        if (isEnded)
          await knex.raw(`delete from upload_progress where updated_at <= now() - ${keptFor}`);
      } catch (failure) {
        log.warn({ err: failure }, "the progress of an upload could not be recorded");
      }
    },
    async find({ authorizationId, requestId }) {
      const { rows }: { rows: ProgressRow[] } = await knex.raw(
        `select state, received_bytes, size_bytes, row_count, share from upload_progress
          where authorization_id = ? and request_id = ? and updated_at > now() - ${keptFor}`,
        [authorizationId, requestId],
      );
      const [row] = rows;
      return (
        row && {
          state: row.state,
          received_bytes: Number(row.received_bytes),
          size_bytes: row.size_bytes === null ? null : Number(row.size_bytes),
          rows: Number(row.row_count),
          share: row.share,
        }
      );
    },
  };
}
