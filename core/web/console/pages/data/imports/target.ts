import { ApiFailure, isRecord, type Api } from "../../../api/index.ts";
import { textOf } from "../../../language/index.ts";
import { controls } from "./controls.ts";
import type { FileKind } from "./fileKind.ts";
import type { ColumnChoice, FileSettings } from "./fileSettings.ts";

/** A column of the dataset that receives rows. */
export interface TargetColumn {
  /** The name by which the host matches the columns of files. */
  readonly sourceName: string;
  readonly name: string;
  readonly type: string;
}

/** The dataset that receives the rows of a file. */
export interface Target {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly TargetColumn[];
  /** How the last file of the dataset was read; undefined if the host keeps no settings. */
  readonly kept: KeptSettings | undefined;
}

/** The settings that the host keeps with a dataset. */
export interface KeptSettings {
  readonly kind: FileKind;
  readonly settings: FileSettings;
  /** Choices by the column's name in the file. */
  readonly columns: ReadonlyMap<string, ColumnChoice>;
}

const kinds: Readonly<Record<string, FileKind>> = {
  delimited: "delimited",
  json: "json",
  jsonLines: "json",
  xlsx: "workbook",
  parquet: "columns",
  arrow: "columns",
};

/** Reads a dataset whose rows come from files; undefined if the reader does not see it. */
export async function readTarget(
  api: Api,
  id: string,
  signal: AbortSignal,
): Promise<Target | undefined> {
  const [found, columns] = await Promise.all([
    api.get("securable", { where: { id } }, { signal }),
    api.get(
      "column",
      { where: { securable_id: id }, order: [["order", "asc"]], limit: 1_000 },
      { signal },
    ),
  ]);
  const [record] = found.rows;
  if (!record) return undefined;
  return {
    id,
    name: textOf(record["name"]) || id,
    columns: columns.rows
      .filter(({ expression }) => expression === null)
      .map(({ name, source_name: sourceName, type }) => ({
        sourceName: typeof sourceName === "string" ? sourceName : textOf(name),
        name: textOf(name),
        type: String(type),
      })),
    kept: keptIn(record["file_settings"]),
  };
}

/** Codes of refusals: the caller may not change the rows of a dataset, or the host does not store them. */
const refusals: readonly string[] = ["FORBIDDEN", "RECORD_NOT_FOUND", "CONFLICT"];

/** Returns whether the reader may change the rows of a dataset. The host checks this before it asks for a file. */
export async function mayChangeRows(api: Api, id: string, signal: AbortSignal): Promise<boolean> {
  const properties = { type: "append", securable_id: id, size_bytes: 0 };
  try {
    await api.call("data", "validate", { properties }, { signal });
    return true;
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || failure.status >= 500 || failure.status === 0)
      throw failure;
    return !refusals.includes(failure.code);
  }
}

function keptIn(given: unknown): KeptSettings | undefined {
  const { format, settings } = isRecord(given) ? given : {};
  const kind = kinds[String(format)];
  if (kind === undefined || !isRecord(settings)) return undefined;
  const columns = isRecord(settings["columns"]) ? settings["columns"] : {};
  return {
    kind,
    settings: Object.fromEntries(
      controls.flatMap(({ id }) => (id in settings ? [[id, settings[id]]] : [])),
    ),
    columns: new Map(
      Object.entries(columns).map(([name, choice]) => [name, choiceIn(choice)] as const),
    ),
  };
}

function choiceIn(choice: unknown): ColumnChoice {
  if (!isRecord(choice)) return { type: String(choice) };
  const { type, format } = choice;
  return { type: String(type), ...(typeof format === "string" && { format }) };
}
