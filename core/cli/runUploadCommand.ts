import { constants, openAsBlob } from "node:fs";
import { access } from "node:fs/promises";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { isUuid } from "../base/index.ts";
import {
  ClientError,
  type Remedy,
  type StoreOptions,
  type UploadProgress,
} from "../web/client/index.ts";
import { clientOf } from "./clientOf.ts";

/** Help of the command, one string per line. */
export const uploadUsage = [
  "manifold upload FILE       creates a dataset from a CSV, TSV, JSON, Parquet, Arrow or Excel file",
  "    --name NAME            name of the new dataset; the file's name by default",
  "    --append ID            adds the rows to this dataset instead",
  "    --replace ID           replaces the rows of this dataset instead",
  "    --update-metadata      lets --append add columns, and --replace add and remove columns",
  "    --set SETTING=VALUE    a setting for reading the file, such as separator=semicolon; may be repeated",
  "    --preview              prints the columns and first rows, and stores nothing",
  "    Like manifold export, this command calls a host with a key pair: MANIFOLD_URL, MANIFOLD_KEY, MANIFOLD_TOKEN.",
  "    If the connection is cut, the upload continues by itself",
] as const;

export interface UploadCommandParts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives each line of output. */
  readonly write: (line: string) => void;
  /** Receives lines about the progress. */
  readonly note: (line: string) => void;
}

interface Preview {
  readonly valid: boolean;
  readonly message?: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
  readonly notes: readonly PreviewNote[];
  readonly remedies?: readonly Remedy[];
}

interface PreviewNote {
  readonly column: string | null;
  readonly message: string;
  readonly remedies: readonly Remedy[];
}

/**
 * Runs `manifold upload`. Resolves to the exit status: 1 if a previewed file cannot be stored, and otherwise 0.
 * @throws {Error} for an invalid argument or a missing variable, and errors of the host
 */
export async function runUploadCommand(
  args: readonly string[],
  { environment, write, note }: UploadCommandParts,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      url: { type: "string" },
      key: { type: "string" },
      name: { type: "string" },
      append: { type: "string" },
      replace: { type: "string" },
      "update-metadata": { type: "boolean" },
      set: { type: "string", multiple: true },
      preview: { type: "boolean" },
    },
  });
  const [path, ...others] = positionals;
  if (path === undefined) throw new Error("upload needs the path of a file");
  if (others.length > 0) throw new Error(`upload sends one file; ${others[0]} is another argument`);
  const { append, replace, name } = values;
  if (append !== undefined && replace !== undefined)
    throw new Error("--append and --replace cannot be combined");
  const securableId = append ?? replace;
  if (securableId !== undefined && !isUuid(securableId))
    throw new Error("--append and --replace need the id of a dataset");
  if (securableId !== undefined && name !== undefined)
    throw new Error("--name is only for a new dataset");
  const settings = readSettings(values.set ?? []);
  const options: StoreOptions = {
    fileName: basename(path),
    type: append !== undefined ? "append" : replace !== undefined ? "replace" : "create",
    ...(securableId !== undefined && { securableId }),
    ...(name !== undefined && { name: { en: name } }),
    ...(values["update-metadata"] === true && { updateMetadata: true }),
    ...(settings && { settings }),
  };
  const client = clientOf(values, environment);
  const file = await access(path, constants.R_OK)
    .then(() => openAsBlob(path))
    .catch((cause: unknown) => {
      throw new Error(`the file ${path} cannot be read`, { cause });
    });
  if (values.preview === true) {
    const preview = await client.previewFile<Preview>(file, options);
    for (const line of previewLines(preview)) write(line);
    return preview.valid ? 0 : 1;
  }
  const onProgress = (progress: UploadProgress) => note(progressLine(progress));
  const { rows, warnings = [] } = await client
    .upload(file, { ...options, onProgress })
    .catch((failure: unknown) => {
      if (failure instanceof ClientError)
        for (const option of optionsOf(failure.remedies)) note(`try: ${option}`);
      throw failure;
    });
  for (const warning of warnings) note(`note: ${warning}`);
  for (const dataset of rows) write(`dataset ${dataset.id} has ${dataset.rows} rows`);
  return 0;
}

/** Parses settings written as `name=value`. The host reads the values as it reads those of connections. */
function readSettings(given: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  if (given.length === 0) return undefined;
  return Object.fromEntries(
    given.map((each) => {
      const end = each.indexOf("=");
      if (end <= 0)
        throw new Error(`--set needs SETTING=VALUE, such as separator=tab, not ${each}`);
      return [each.slice(0, end), each.slice(end + 1)];
    }),
  );
}

function* previewLines({
  valid,
  message,
  columns,
  rows,
  notes,
  remedies = [],
}: Preview): Generator<string> {
  if (columns.length > 0)
    yield columns.map((column) => `${column.name} (${column.type})`).join("\t");
  for (const row of rows) yield row.map((cell) => (cell === null ? "" : String(cell))).join("\t");
  for (const note of notes) {
    const about = note.column === null ? "" : `${JSON.stringify(note.column)}: `;
    yield `note: ${about}${note.message}`;
    yield* optionsOf(note.remedies).map((option) => `try: ${option}`);
  }
  if (valid) return;
  yield `the file cannot be stored: ${message ?? ""}`;
  yield* optionsOf(remedies).map((option) => `try: ${option}`);
}

/** Returns the options of the command that set the proposed values, quoted for a shell. */
function optionsOf(remedies: readonly Remedy[]): readonly string[] {
  return remedies.flatMap(({ setting, value }) => {
    if (value === undefined) return [];
    const isPlain = typeof value !== "object" || value === null;
    const text = isPlain
      ? String(value)
      : Array.isArray(value)
        ? value.join(",")
        : JSON.stringify(value);
    const given = `${setting}=${text}`;
    return [`--set ${/^[\w=.:/-]+$/.test(given) ? given : `'${given.replaceAll("'", "'\\''")}'`}`];
  });
}

function progressLine({ state, receivedBytes, sizeBytes, rows, share }: UploadProgress): string {
  const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  switch (state) {
    case "receiving":
      return `sent ${mebibytes(receivedBytes)} of ${mebibytes(sizeBytes)} MiB`;
    case "reading":
      return `read ${rows} rows${share === undefined ? "" : `, ${Math.floor(share * 100)} % of the file`}`;
    case "stored":
      return `stored ${rows} rows`;
    case "failed":
      return "the file was not stored";
    default: {
      const other: never = state;
      return other;
    }
  }
}
