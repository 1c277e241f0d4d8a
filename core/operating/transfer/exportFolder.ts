import type { Client } from "../../web/client/index.ts";
import { isObject, type Members } from "../../base/index.ts";
import {
  hideSecrets,
  type KnownVariables,
  placeholderProblem,
  secretive,
  variablesIn,
} from "./placeholders.ts";
import {
  expectOwnFolder,
  listFiles,
  readRecordFile,
  readIds,
  readManifest,
  schemaFile,
  writeManifest,
  writeRecordFiles,
  writeSchemas,
} from "./folder.ts";
import { fileSchemas } from "./fileSchemas.ts";
import { sorted, type Json } from "./json.ts";
import { kinds } from "./kinds.ts";
import { readElements, readTenant } from "./readTenant.ts";
import { titleOf, type TransferRecord } from "./record.ts";
import { rewriteIds } from "./rewriteIds.ts";
import { TransferError } from "./transferError.ts";

export interface ExportOptions {
  readonly client: Client;
  /** The path of the folder. The folder may be missing, be empty, or contain an earlier export. */
  readonly dir: string;
}

const slugOf = (title: string): string =>
  title
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 50)
    .replaceAll(/^-+|-+$/g, "");

/**
 * Returns the position of a column in its dataset, or the position of a level, counted from the top. Records at the
 * same position are ordered by id.
 */
const rank = ({ properties }: TransferRecord): number =>
  Number(properties["order"] ?? properties["level"] ?? 0);

/**
 * Returns a unique file name for each record. It consists of the title and the first digits of the id, or all digits if
 * necessary.
 */
function fileNames(records: readonly TransferRecord[]): Map<string, string> {
  const short = (record: TransferRecord) =>
    `${kinds[record.kind].folder}/${[slugOf(titleOf(record)), record.id.slice(0, 8)].filter(Boolean).join("-")}`;
  const counts = new Map<string, number>();
  for (const record of records) counts.set(short(record), (counts.get(short(record)) ?? 0) + 1);
  return new Map(
    records.map((record) => {
      const name = short(record);
      return [
        record.id,
        counts.get(name) === 1 ? `${name}.json` : `${name}${record.id.slice(8)}.json`,
      ];
    }),
  );
}

/** Returns the content of a file: a record and its parts. */
function contentOf(
  { id, source, members, properties, links, elements, kind }: TransferRecord,
  partsOf: ReadonlyMap<string, readonly TransferRecord[]>,
): Json {
  const parts = (partsOf.get(id) ?? []).toSorted(
    (one, other) => rank(one) - rank(other) || (one.id < other.id ? -1 : 1),
  );
  const within = kind === "dataset" ? "columns" : "levels";
  return {
    ...(kinds[kind].folder !== undefined && { $schema: `../${schemaFile(kind)}` }),
    id,
    ...(source && { source: sorted(source) }),
    properties: sorted(properties),
    ...(members && { members: sorted(members) }),
    ...(Object.keys(links).length > 0 && { links: sorted(links) }),
    ...(elements && elements.length > 0 && { elements: sorted(elements) }),
    ...(parts.length > 0 && { [within]: parts.map((part) => contentOf(part, partsOf)) }),
  };
}

/** Removes links to records that are not exported. */
function withinFolder(record: TransferRecord, known: ReadonlySet<string>): TransferRecord {
  const links = Object.entries(record.links)
    .map(([name, entries]) => [name, entries.filter(({ id }) => known.has(id))] as const)
    .filter(([, entries]) => entries.length > 0);
  return { ...record, links: Object.fromEntries(links) };
}

/** Returns the variables of the files that an earlier export wrote. */
async function knownVariables(dir: string): Promise<KnownVariables> {
  const found = new Map<string, string>();
  for (const file of await listFiles(dir)) {
    const kind = secretive.find((name) => kinds[name].folder === file.split("/")[0]);
    if (kind === undefined) continue;
    const { id, properties }: Members<"id" | "properties"> = await readRecordFile(dir, file);
    if (typeof id !== "string" || !isObject(properties)) continue;
    for (const [key, variable] of variablesIn({ id: id.toLowerCase(), properties }))
      if (placeholderProblem(`\${${variable}}`) === undefined) found.set(key, variable);
  }
  return found;
}

/** Returns the inverse map, from the ids of an organization to the ids in the files. */
const inverse = (ids: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...ids].map(([id, target]) => [target, id]));

/**
 * Writes the model of an organization to a folder, one file per record, as far as the caller may read it. Removes the
 * files of deleted records. Secrets and rows are not exported. A folder that was applied to the organization keeps its
 * own ids, so that only actual changes appear as differences. Returns the number of records by kind.
 * @throws {TransferError} if the folder contains other files
 * @throws {ClientError}
 */
export async function exportFolder({
  client,
  dir,
}: ExportOptions): Promise<ReadonlyMap<string, number>> {
  await expectOwnFolder(dir);
  const manifest = await readManifest(dir);
  const { organization, records } = await readTenant(client);
  const { ids } = await readIds(dir, organization.id);
  const isOwn = manifest === undefined || manifest.organization.id === organization.id;
  if (!isOwn && ids.get(manifest.organization.id) !== organization.id)
    throw new TransferError(
      `${dir} contains another organization, ${manifest.organization.id}; export to another folder, or apply this folder to the organization first`,
    );
  const known = new Set([organization.id, ...records.map(({ id }) => id)]);
  const whole: TransferRecord[] = [];
  for (const record of records) {
    const hasElements = record.kind === "column" && record.properties["type"] === "hierarchy";
    const elements = hasElements ? { elements: await readElements(client, record.id) } : {};
    whole.push({ ...withinFolder(record, known), ...elements });
  }
  const filed = hideSecrets(rewriteIds(whole, inverse(ids)), await knownVariables(dir)).map(
    (record) => ({
      ...record,
      links: Object.fromEntries(
        Object.entries(record.links).map(([name, entries]) => [
          name,
          entries.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
        ]),
      ),
    }),
  );
  const partsOf = Map.groupBy(
    filed.filter(({ parent }) => parent !== undefined),
    ({ parent }) => String(parent),
  );
  const tops = filed.filter(({ parent }) => parent === undefined);
  const names = fileNames(tops);
  await writeSchemas(dir, fileSchemas());
  await writeManifest(dir, manifest ?? { format: "manifold-tenant", version: 1, organization });
  await writeRecordFiles(
    dir,
    new Map(tops.map((record) => [names.get(record.id)!, contentOf(record, partsOf)])),
  );
  return new Map(
    [...Map.groupBy(filed, ({ kind }) => kind)].map(([kind, { length }]) => [kind, length]),
  );
}
