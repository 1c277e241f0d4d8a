import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { ClientError, type Client } from "../../web/client/index.ts";
import { readLoads, rowsFile, writeLoads, type Load } from "./folder.ts";
import { readRowsFile } from "./pullRows.ts";
import { titleOf, type TransferRecord } from "./record.ts";
import { TransferError } from "./transferError.ts";
import { codeOf } from "../../base/index.ts";

export interface LoadOptions {
  readonly client: Client;
  readonly dir: string;
  readonly organizationId: string;
  /** The records of the folder. Only stored datasets have rows to load. */
  readonly records: Iterable<TransferRecord>;
  /** The ids of the organization's records by the ids in the files. */
  readonly ids: ReadonlyMap<string, string>;
  readonly isDryRun: boolean;
  readonly report: (line: string) => void;
}

/** Limits of one push: rows, and characters of JSON. */
const pushRows = 10_000;
const pushCharacters = 4_000_000;

async function digestOf(path: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk);
  } catch (failure) {
    if (codeOf(failure) === "ENOENT") return undefined;
    throw failure;
  }
  return hash.digest("hex");
}

/** Returns the request id of a push. A repeated push of the same rows has the same id, so the host stores them once. */
function requestIdOf(organizationId: string, datasetId: string, digest: string, start: number) {
  const hash = createHash("sha256").update(`${organizationId} ${datasetId} ${digest} ${start}`);
  return hash.digest("hex").replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
}

/** Yields the rows of a file from row `start`, in the portions of single pushes, each with its first row. */
async function* pushesOf(path: string, start: number) {
  let columns: readonly string[] = [];
  let rows: (readonly unknown[])[] = [];
  let characterCount = 0;
  let first = start;
  for await (const each of readRowsFile(path, start)) {
    ({ columns } = each);
    rows.push(each.row);
    characterCount += JSON.stringify(each.row).length;
    if (rows.length < pushRows && characterCount < pushCharacters) continue;
    yield { columns, rows, first };
    first += rows.length;
    rows = [];
    characterCount = 0;
  }
  if (rows.length > 0) yield { columns, rows, first };
}

/**
 * Loads the rows that `manifold pull --rows` wrote into the stored datasets of an organization. Skips datasets that
 * have rows from elsewhere, and rows that were loaded before. A load that was cut continues: the folder stores how far
 * it came. Returns the number of loaded rows.
 * @throws {TransferError} with the file and the rows that the host refuses
 */
export async function loadRows(options: LoadOptions): Promise<number> {
  const { client, dir, organizationId, ids, isDryRun, report } = options;
  const loads = new Map(await readLoads(dir, organizationId));
  let loadedCount = 0;
  for (const record of options.records) {
    const id = ids.get(record.id);
    if (record.kind !== "dataset" || record.source?.kind !== "pushed") continue;
    const file = rowsFile(record.id);
    const path = `${dir}/${file}`;
    const digest = await digestOf(path);
    if (digest === undefined) continue;
    const title = JSON.stringify(titleOf(record));
    const load: Load | undefined = loads.get(record.id);
    if (load?.digest === digest && load.isWhole) continue;
    if (isDryRun) {
      report(`would load the rows of ${file} into dataset ${title}`);
      continue;
    }
    if (id === undefined) continue;
    if (load?.digest !== digest) {
      const find = { where: { id }, attributes: ["rows"] };
      const { rows: found } = await client.get<{ rows: readonly { rows: number | null }[] }>(
        "securable",
        find,
      );
      if ((found[0]?.rows ?? 0) > 0) {
        report(`note: dataset ${title} has rows already; the rows of ${file} were not loaded`);
        continue;
      }
    }
    let rowCount = load?.digest === digest ? load.rows : 0;
    const save = (isWhole: boolean) => {
      loads.set(record.id, { digest, rows: rowCount, isWhole });
      return writeLoads(dir, organizationId, loads);
    };
    await save(false);
    for await (const { columns, rows, first } of pushesOf(path, rowCount)) {
      const properties = {
        type: "append" as const,
        securable_id: id,
        data: rows,
        options: { header: columns },
      };
      const request_id = requestIdOf(organizationId, id, digest, first);
      try {
        await client.call("data", "create", { request_id, properties });
      } catch (failure) {
        if (!(failure instanceof ClientError)) throw failure;
        throw new TransferError(
          `${file}: rows ${first + 1} to ${first + rows.length}: ${failure.message}`,
          { cause: failure },
        );
      }
      rowCount = first + rows.length;
      loadedCount += rows.length;
      await save(false);
    }
    await save(true);
    report(`loaded ${rowCount} rows into dataset ${title}`);
  }
  return loadedCount;
}
