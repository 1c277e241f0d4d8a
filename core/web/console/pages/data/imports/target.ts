import { isRecord, type Api } from "../../../api/index.ts";
import { textOf } from "../../../language/index.ts";
import { controls } from "./controls.ts";
import type { ColumnChoice, FileSettings } from "./importDraft.ts";

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
  readonly rowCount: number | undefined;
  readonly columns: readonly TargetColumn[];
  /** How the last file of the dataset was read. */
  readonly settings: FileSettings;
  readonly columnChoices: ReadonlyMap<string, ColumnChoice>;
}

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
  const kept = isRecord(record["file_settings"]) ? record["file_settings"] : {};
  return {
    id,
    name: textOf(record["name"]) || id,
    rowCount: typeof record["rows"] === "number" ? record["rows"] : undefined,
    columns: columns.rows
      .filter(({ expression }) => expression === null)
      .map(({ name, source_name: sourceName, type }) => ({
        sourceName: typeof sourceName === "string" ? sourceName : textOf(name),
        name: textOf(name),
        type: String(type),
      })),
    settings: Object.fromEntries(
      controls.flatMap(({ id: control }) => (control in kept ? [[control, kept[control]]] : [])),
    ),
    columnChoices: new Map(
      Object.entries(isRecord(kept["columns"]) ? kept["columns"] : {}).map(([name, choice]) => [
        name,
        choiceIn(choice),
      ]),
    ),
  };
}

function choiceIn(choice: unknown): ColumnChoice {
  if (!isRecord(choice)) return { type: String(choice) };
  const { type, format } = choice;
  return { type: String(type), ...(typeof format === "string" && { format }) };
}
