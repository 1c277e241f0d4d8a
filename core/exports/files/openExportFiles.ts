import { randomUUID } from "node:crypto";
import { mkdir, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Knex } from "knex";
import type { Cipher, Log } from "../../catalog/index.ts";
import type { Principals } from "../../identity/index.ts";
import { ApiError, nobody, type Principal } from "../../base/index.ts";
import { exportFormats } from "../exportFormats.ts";
import type { ParsedExport } from "../parseExport.ts";
import { createHolderCheck } from "./createHolderCheck.ts";
import type { ExportFile, ExportRequest } from "./exportFile.ts";
import { openExportLink, sealExportLink } from "./exportLinks.ts";
import { removeEndedFiles } from "./removeEndedFiles.ts";
import { writeChunks } from "./writeChunks.ts";

/** The user, organization and key for which a file is written. */
type FileHolder = Pick<Principal, "organizationId" | "userId" | "authorizationId">;

/** A caller of the API. It sees all files of its user, but an embed token sees only its own files. */
type Caller = Pick<Principal, "organizationId" | "userId" | "authorizationId" | "restriction">;

/** A file that was opened by its link. Read `stream` to its end or destroy it, because it keeps the file open. */
export interface OpenedFile {
  readonly id: string;
  /** The owner of the file. The key is null for files of schedules. */
  readonly holder: {
    readonly organizationId: string;
    readonly userId: string;
    readonly authorizationId: string | null;
  };
  readonly mediaType: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly stream: Readable;
}

/** The files that jobs write on this host's disk, with their records in the catalog. */
export interface ExportFiles {
  /**
   * Records a file that is to be written. `withFile` adds the job that writes the file, in the same transaction.
   * @throws {ApiError} CONFLICT if 20 files of the organization are already waiting
   */
  add(
    holder: FileHolder,
    wanted: {
      readonly type: ParsedExport["format"];
      readonly request: ExportRequest | null;
      /**
       * The id of the file. Set it if a repeated attempt must not add a second file.
       * @default a new id
       */
      readonly id?: string;
      readonly lifeMs?: number;
    },
    withFile?: (file: ExportFile, transaction: Knex.Transaction) => Promise<void>,
  ): Promise<ExportFile>;
  /** Lists a caller's files, newest first and at most 100, or only the file with `id`. */
  list(caller: Caller, id?: string): Promise<readonly ExportFile[]>;
  /**
   * Deletes a file and its link, and stops a job that is writing the file. Returns false if the caller has no such
   * file.
   */
  remove(caller: Caller, id: string): Promise<boolean>;
  /** Marks a file as being written and returns its record. Undefined if the file was deleted or has expired. */
  begin(id: string): Promise<ExportFile | undefined>;
  /**
   * Writes a file. The file has a temporary name until its last byte is written, so that a partial file is never
   * mistaken for a complete one.
   * @throws {ApiError} EXPORT_TOO_LARGE above the organization's limit; the errors of the chunks
   */
  write(
    file: ExportFile,
    chunks: AsyncIterable<string | Uint8Array>,
    about: {
      readonly name: string;
      readonly cellCount: number;
      readonly warnings: readonly string[];
    },
  ): Promise<void>;
  fail(id: string, reason: string): Promise<void>;
  /** Returns the link to a file, which works without credentials until it expires. */
  linkTo(file: Pick<ExportFile, "id" | "organization_id" | "expires_at">): string;
  /**
   * Opens the file of a link, given the last part of the link and the address of the caller.
   * @throws {ApiError} EXPORT_FILE_LOST if the file is missing or incomplete; EXPORT_LINK_ENDED for any other reason
   */
  open(token: string, address: string): Promise<OpenedFile>;
  close(): Promise<void>;
}

export interface ExportFilesOptions {
  readonly folder: string;
  readonly knex: Knex;
  readonly cipher: Cipher;
  readonly principals: Pick<Principals, "ofToken" | "ofUsers">;
  /** Returns the host's public address. Called only when a link is created, once the host listens. */
  readonly publicUrl: () => string;
  readonly log: Pick<Log, "warn">;
  /** Maximum size of an organization's files on disk, in bytes. */
  readonly organizationBytes: number;
  readonly lifeMs: number;
  /**
   * Returns the current time in milliseconds since 1970-01-01T00:00:00Z.
   * @default Date.now
   */
  readonly now?: () => number;
}

const mostWaiting = 20;
const listedCount = 100;
const sweepEveryMs = 60_000;

/**
 * Opens the folder of export files. Partial files of a host that died are removed; their jobs write these files again.
 */
export async function openExportFiles(options: ExportFilesOptions): Promise<ExportFiles> {
  const { folder, knex, cipher, principals, publicUrl, log, organizationBytes } = options;
  const { now = Date.now, lifeMs } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const table = () => knex<ExportFile>("exportfile");
  const pathOf = (id: string) => join(folder, id);
  const partOf = (id: string) => join(folder, `${id}.part`);

  const ofCaller = ({ userId, organizationId, authorizationId, restriction }: Caller) => {
    const own = table().where({ user_id: userId, organization_id: organizationId });
    return restriction ? own.where({ authorization_id: authorizationId }) : own;
  };
  const sizeOf = async (id: string): Promise<number | undefined> =>
    stat(pathOf(id)).then(
      ({ size }) => size,
      () => undefined,
    );
  /**
   * Records how much of a file has been written. Throws if its organization has no space left, or if the file was
   * deleted.
   */
  const progress = async (file: ExportFile, sizeBytes: number): Promise<void> => {
    const { rows }: { rows: { total: number }[] } = await knex.raw(
      `with own as (update exportfile set size_bytes = ?, updated_at = now()
                     where id = ? and status = 'running' returning id)
       select coalesce(sum(f.size_bytes), 0) + ?::double precision as total
         from exportfile f where f.organization_id = ? and f.id <> ? and exists (select 1 from own)
       having exists (select 1 from own)`,
      [sizeBytes, file.id, sizeBytes, file.organization_id, file.id],
    );
    const [found] = rows;
    if (!found) throw new ApiError("EXPORT_LINK_ENDED");
    if (found.total <= organizationBytes) return;
    throw new ApiError("EXPORT_TOO_LARGE", [
      `no space left: the files of the organization may occupy at most ${organizationBytes / 2 ** 20} MiB`,
      "filter the rows, delete an export, or wait until one expires",
    ]);
  };
  const isHeld = createHolderCheck({ knex, principals });
  const sweep = () => removeEndedFiles(folder, { knex, now: now() });
  let flight = sweep().catch(waits);
  const timer = setInterval(() => {
    flight = flight.then(sweep).catch(waits);
  }, sweepEveryMs);
  timer.unref();
  function waits(failure: unknown): void {
    log.warn({ err: failure }, "old export files could not be removed; the host tries again later");
  }
  await flight;

  return {
    async add(holder, { type, request, id = randomUUID(), lifeMs: ownLifeMs = lifeMs }, withFile) {
      return knex.transaction(async (transaction) => {
        const { organizationId, userId, authorizationId } = holder;
        // Calls of the same organization run one after another, so that together they cannot exceed the limit.
        await transaction.raw("select pg_advisory_xact_lock(hashtextextended(?, 161))", [
          organizationId,
        ]);
        const waiting = await transaction<ExportFile>("exportfile")
          .where({ organization_id: organizationId })
          .whereIn("status", ["waiting", "running"])
          .whereNot({ id })
          .count<{ count: string }[]>("*");
        if (Number(waiting[0]?.count) >= mostWaiting)
          throw new ApiError("CONFLICT", [
            `the organization already waits for ${mostWaiting} exports; wait until one is complete, or delete one`,
          ]);
        const [file] = await transaction<ExportFile>("exportfile")
          .insert({
            id,
            organization_id: organizationId,
            user_id: userId,
            authorization_id: authorizationId === nobody ? null : authorizationId,
            status: "waiting",
            request,
            type,
            expires_at: new Date(now() + ownLifeMs),
          })
          .onConflict("id")
          .merge(["status", "expires_at"])
          .returning("*");
        if (!file) throw new TypeError("the catalog returned no file");
        await withFile?.(file, transaction);
        return file;
      });
    },
    async list(caller, id) {
      const own = ofCaller(caller).where("expires_at", ">", new Date(now()));
      if (id !== undefined) own.where({ id });
      return own.orderBy("created_at", "desc").limit(listedCount);
    },
    async remove(caller, id) {
      const count = await ofCaller(caller).where({ id }).delete();
      if (count > 0) await rm(pathOf(id), { force: true });
      return count > 0;
    },
    async begin(id) {
      const [file] = await table()
        .where({ id })
        .whereIn("status", ["waiting", "running"])
        .where("expires_at", ">", new Date(now()))
        .update({ status: "running", size_bytes: 0, updated_at: new Date(now()) })
        .returning("*");
      return file;
    },
    async write(file, chunks, { name, cellCount, warnings }) {
      await table()
        .where({ id: file.id })
        .update({
          name,
          cell_count: cellCount,
          warnings: knex.raw("?::jsonb", [JSON.stringify(warnings)]),
        });
      const places = { part: partOf(file.id), path: pathOf(file.id) };
      const sizeBytes = await writeChunks(chunks, places, (size) => progress(file, size));
      const count = await table()
        .where({ id: file.id, status: "running" })
        .update({
          status: "done",
          request: null,
          size_bytes: sizeBytes,
          completed_at: new Date(now()),
          updated_at: new Date(now()),
        });
      // The file was deleted while it was being written.
      if (count === 0) await rm(pathOf(file.id), { force: true });
    },
    async fail(id, reason) {
      await table()
        .where({ id })
        .whereIn("status", ["waiting", "running"])
        .update({
          status: "failed",
          failure: reason,
          size_bytes: 0,
          completed_at: new Date(now()),
          updated_at: new Date(now()),
        });
    },
    linkTo({ id, organization_id: organizationId, expires_at }) {
      const link = { fileId: id, organizationId, expiresMs: expires_at.getTime() };
      return `${publicUrl()}/exports/${sealExportLink(cipher, link)}`;
    },
    async open(token, address) {
      const link = openExportLink(cipher, token);
      if (!link || link.expiresMs <= now()) throw new ApiError("EXPORT_LINK_ENDED");
      const { fileId: id, organizationId: organization_id } = link;
      const file = await table().where({ id, organization_id, status: "done" }).first();
      const isOpen = file !== undefined && file.expires_at.getTime() > now();
      if (!isOpen || !(await isHeld(file, address))) throw new ApiError("EXPORT_LINK_ENDED");
      if ((await sizeOf(id)) !== file.size_bytes) throw new ApiError("EXPORT_FILE_LOST");
      const handle = await open(pathOf(id), "r");
      const { size_bytes: sizeBytes, type, user_id: userId, authorization_id } = file;
      const holder = { organizationId: organization_id, userId, authorizationId: authorization_id };
      const { mediaType, extension } = exportFormats[type];
      const name = file.name ?? `export.${extension}`;
      return { id, holder, mediaType, name, sizeBytes, stream: handle.createReadStream() };
    },
    async close() {
      clearInterval(timer);
      await flight;
    },
  };
}
