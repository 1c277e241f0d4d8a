import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { jsonErrorPosition } from "./jsonErrorPosition.ts";
import { type Json } from "./json.ts";
import { kindNames, kinds } from "./kinds.ts";
import { TransferError } from "./transferError.ts";
import { codeOf, isObject } from "../../base/index.ts";

/** The manifest of a folder. It says whose model the folder contains, and in which format. */
export interface Manifest {
  readonly format: "manifold-tenant";
  readonly version: 1;
  readonly organization: { readonly id: string; readonly name: unknown };
}

const manifestFile = "manifest.json";

async function readOptional(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (failure) {
    if (codeOf(failure) === "ENOENT") return undefined;
    throw failure;
  }
}

/**
 * Parses a file of a folder.
 * @throws {TransferError} with file, line and column
 */
function parseFile(text: string, file: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new TransferError(
      `${file}:${jsonErrorPosition(text)}: the text is not valid JSON from here on`,
      {
        cause,
      },
    );
  }
  if (!isObject(value)) throw new TransferError(`${file}: must be an object`);
  return value;
}

/**
 * Reads the manifest of a folder; undefined if the folder has no manifest.
 * @throws {TransferError} for another format or version
 */
export async function readManifest(dir: string): Promise<Manifest | undefined> {
  const text = await readOptional(join(dir, manifestFile));
  if (text === undefined) return undefined;
  const { format, version, organization } = parseFile(text, manifestFile);
  if (format !== "manifold-tenant")
    throw new TransferError(`${manifestFile}: format must be "manifold-tenant"`);
  if (version !== 1)
    throw new TransferError(`${manifestFile}: version must be 1, not ${JSON.stringify(version)}`);
  if (!isObject<"id">(organization) || typeof organization.id !== "string")
    throw new TransferError(`${manifestFile}: organization.id must be a string`);
  const { id, name } = organization;
  return { format, version, organization: { id, name } };
}

export async function writeManifest(dir: string, manifest: Manifest): Promise<void> {
  const schema = { $schema: `./${schemaFile("manifest")}` };
  await writeWhole(join(dir, manifestFile), textOf({ ...schema, ...manifest }));
}

/** Returns the path of the JSON schema of a kind of file, relative to the folder of the export. */
export const schemaFile = (kind: string): string => `schemas/${kind}.schema.json`;

/** Writes the JSON schemas of the files next to them, so that editors find them without a network. */
export async function writeSchemas(
  dir: string,
  schemas: ReadonlyMap<string, unknown>,
): Promise<void> {
  await mkdir(join(dir, "schemas"), { recursive: true });
  for (const [kind, schema] of schemas)
    await writeWhole(join(dir, schemaFile(kind)), textOf(schema));
}

/** Lists the JSON files in the folders of record kinds, as `folder/name.json` in alphabetical order. */
export async function listFiles(dir: string): Promise<string[]> {
  const folders = kindNames.flatMap((kind) => kinds[kind].folder ?? []);
  const files: string[] = [];
  for (const folder of folders)
    try {
      const names = await readdir(join(dir, folder));
      files.push(
        ...names.filter((name) => name.endsWith(".json")).map((name) => `${folder}/${name}`),
      );
    } catch (failure) {
      if (codeOf(failure) !== "ENOENT") throw failure;
    }
  return files.toSorted();
}

/**
 * Refuses a folder that has no manifest and is not empty, so that no other files are overwritten.
 * @throws {TransferError}
 */
export async function expectOwnFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  const present = (await readdir(dir)).filter((name) => !name.startsWith("."));
  if (present.length > 0 && !present.includes(manifestFile))
    throw new TransferError(
      `${dir} contains other files and no ${manifestFile}; choose an empty folder, or one that contains an earlier export`,
    );
}

export async function readRecordFile(dir: string, file: string): Promise<Json> {
  return parseFile(await readFile(join(dir, file), "utf8"), file);
}

const textOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Writes a file atomically, so that readers see either the old or the new content. */
async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.part`, text);
  await rename(`${path}.part`, path);
}

/** Writes the files of records, and removes files that no longer have a record. */
export async function writeRecordFiles(
  dir: string,
  files: ReadonlyMap<string, unknown>,
): Promise<void> {
  const present = await listFiles(dir);
  const folders = new Set([...files.keys()].map((file) => file.split("/")[0]!));
  for (const folder of folders) await mkdir(join(dir, folder), { recursive: true });
  for (const [file, value] of files) await writeWhole(join(dir, file), textOf(value));
  for (const file of present) if (!files.has(file)) await rm(join(dir, file));
}

const idsFile = (organizationId: string): string => `ids.${organizationId}.json`;

/** The ids that earlier runs stored for an organization. */
export interface Remembered {
  /**
   * The ids of the organization's records by the ids in the files. An id that is not in the map is the same in the
   * files and in the organization.
   */
  readonly ids: ReadonlyMap<string, string>;
  /** The id, as in the files, of the record whose creation was in progress when a run stopped. */
  readonly pending: string | undefined;
}

export async function readIds(dir: string, organizationId: string): Promise<Remembered> {
  const file = idsFile(organizationId);
  const text = await readOptional(join(dir, file));
  const entries = text === undefined ? [] : Object.entries(parseFile(text, file));
  const ids = new Map<string, string>();
  let pending: string | undefined;
  for (const [id, target] of entries)
    if (typeof target === "string") ids.set(id.toLowerCase(), target.toLowerCase());
    else if (target === null) pending = id;
    else throw new TransferError(`${file}: ${id} must be an id`);
  const targets = [...ids.values()];
  if (new Set(targets).size < targets.length) {
    const twice = targets.find((id, index) => targets.indexOf(id) !== index);
    throw new TransferError(`${file}: ${twice} must not be the id of two records`);
  }
  return { ids, pending };
}

export async function writeIds(
  dir: string,
  organizationId: string,
  { ids, pending }: Remembered,
): Promise<void> {
  const different: (readonly [string, string | null])[] = [...ids].filter(
    ([id, target]) => id !== target,
  );
  if (pending !== undefined) different.push([pending, null]);
  if (different.length === 0) {
    await rm(join(dir, idsFile(organizationId)), { force: true });
    return;
  }
  const inOrder = different.toSorted(([one], [other]) => (one < other ? -1 : 1));
  await writeWhole(join(dir, idsFile(organizationId)), textOf(Object.fromEntries(inOrder)));
}

/** The path of the file with the rows of a dataset, relative to the folder. */
export const rowsFile = (datasetId: string): string => `rows/${datasetId}.jsonl`;

const loadsFile = (organizationId: string): string => `rows.${organizationId}.json`;

/** How far the rows of a dataset were loaded into an organization. */
export interface Load {
  /** The SHA-256 digest of the file of rows. */
  readonly digest: string;
  /** The number of rows that were loaded. */
  readonly rows: number;
  readonly isWhole: boolean;
}

/** Reads how far the rows of the folder's datasets were loaded into an organization, by the ids of the datasets. */
export async function readLoads(
  dir: string,
  organizationId: string,
): Promise<ReadonlyMap<string, Load>> {
  const file = loadsFile(organizationId);
  const text = await readOptional(join(dir, file));
  const loads = new Map<string, Load>();
  for (const [id, load] of text === undefined ? [] : Object.entries(parseFile(text, file))) {
    const { digest, rows, isWhole } = isObject<keyof Load>(load) ? load : {};
    if (typeof digest !== "string" || typeof rows !== "number" || typeof isWhole !== "boolean")
      throw new TransferError(
        `${file}: ${id} must be {"digest": "…", "rows": 0, "isWhole": false}; delete the entry to load its rows again`,
      );
    loads.set(id, { digest, rows, isWhole });
  }
  return loads;
}

export async function writeLoads(
  dir: string,
  organizationId: string,
  loads: ReadonlyMap<string, Load>,
): Promise<void> {
  await writeWhole(join(dir, loadsFile(organizationId)), textOf(Object.fromEntries(loads)));
}

/** Writes the report of a pull. */
export async function writeReport(dir: string, text: string): Promise<void> {
  await writeWhole(join(dir, reportFile), text);
}

export const reportFile = "REPORT.md";

const pullFile = ".pull.json";

/** Returns the ids of the datasets whose rows an unfinished pull has already written. */
export async function readPull(dir: string): Promise<readonly string[]> {
  const text = await readOptional(join(dir, pullFile));
  const { datasets } = text === undefined ? {} : parseFile(text, pullFile);
  return Array.isArray(datasets) ? datasets.map(String) : [];
}

/** Records the datasets whose rows a pull has written. Without `datasets`, the pull is finished. */
export async function writePull(dir: string, datasets?: readonly string[]): Promise<void> {
  if (datasets) await writeWhole(join(dir, pullFile), textOf({ datasets }));
  else await rm(join(dir, pullFile), { force: true });
}
