import { isObject, type Members } from "../../base/index.ts";
import { fileSchemas } from "./fileSchemas.ts";
import {
  listFiles,
  type Manifest,
  readRecordFile,
  schemaFile,
  writeManifest,
  writeRecordFiles,
  writeSchemas,
} from "./folder.ts";
import { sorted, type Json } from "./json.ts";
import { kinds } from "./kinds.ts";
import {
  hideSecrets,
  type KnownVariables,
  placeholderProblem,
  secretive,
  variablesIn,
} from "./placeholders.ts";
import { titleOf, type TransferRecord } from "./record.ts";

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
function rank({ properties }: TransferRecord): number {
  const { order, level } = properties;
  return Number(order ?? level ?? 0);
}

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

/** Removes links to records that are not exported, and orders the others by id. */
function withinFolder(record: TransferRecord, known: ReadonlySet<string>): TransferRecord {
  const links = Object.entries(record.links)
    .map(([name, entries]) => [name, entries.filter(({ id }) => known.has(id))] as const)
    .filter(([, entries]) => entries.length > 0)
    .map(([name, entries]) => [
      name,
      entries.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    ]);
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

/**
 * Writes records to a folder: the manifest, the JSON schemas, and one file per record with its parts. Replaces secrets
 * with placeholders, and links to records that are not among `records` are omitted. Removes files of records that are
 * gone. Returns the number of records by kind.
 */
export async function writeModel(
  dir: string,
  manifest: Manifest,
  records: readonly TransferRecord[],
): Promise<ReadonlyMap<string, number>> {
  const known = new Set([manifest.organization.id, ...records.map(({ id }) => id)]);
  const within = records.map((record) => withinFolder(record, known));
  const filed = hideSecrets(within, await knownVariables(dir));
  const partsOf = Map.groupBy(
    filed.filter(({ parent }) => parent !== undefined),
    ({ parent }) => String(parent),
  );
  const tops = filed.filter(({ parent }) => parent === undefined);
  const names = fileNames(tops);
  await writeSchemas(dir, fileSchemas());
  await writeManifest(dir, manifest);
  await writeRecordFiles(
    dir,
    new Map(tops.map((record) => [names.get(record.id)!, contentOf(record, partsOf)])),
  );
  return new Map(
    [...Map.groupBy(filed, ({ kind }) => kind)].map(([kind, { length }]) => [kind, length]),
  );
}
