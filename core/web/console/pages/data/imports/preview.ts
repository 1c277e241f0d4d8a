import { ApiFailure, isList, isRecord, type Api } from "../../../api/index.ts";
import { propertiesOf, type ImportDraft } from "./importDraft.ts";
import { sampleOf } from "./fileKind.ts";

type Json = Readonly<Record<string, unknown>>;

/** A column of the file, as the host would store it. */
export interface PreviewColumn {
  /** Its name in the file. */
  readonly name: string;
  readonly type: string;
  readonly subtype: string | null;
  readonly format: string | null;
  /** Why the column is text, although most of its values are of another kind. */
  readonly note: string;
  readonly seen: Json;
}

/** The first rows of a file as the host would store them, and how the host read them. */
export interface Preview {
  readonly columns: readonly PreviewColumn[];
  readonly rows: readonly (readonly unknown[])[];
  /** The settings in force, with the detected ones. */
  readonly settings: Json;
  readonly notes: readonly string[];
  readonly sheets: readonly string[];
  /** Whether the host saw only the start of the file. */
  readonly isSample: boolean;
}

/** How the host reads a file, or why it refuses to. */
export interface Reading {
  /** Absent if the host found no columns. */
  readonly preview: Preview | undefined;
  /** Why the file cannot be stored with these settings; undefined if it can. */
  readonly refusal: ApiFailure | undefined;
}

/** Lets the host read the start of a file, or the whole file if its format requires it, without storing anything. */
export async function readPreview(
  api: Api,
  draft: ImportDraft,
  signal: AbortSignal,
): Promise<Reading> {
  const { file } = draft;
  const sample = sampleOf(file);
  const isSample = sample.size < file.size;
  const properties = { ...propertiesOf(draft), is_sample: isSample };
  const answer = await api.upload<Json>(
    "data",
    "validate",
    { properties },
    { file: sample, fileName: file.name, signal },
  );
  const preview = { ...previewIn(answer), isSample };
  return {
    preview: preview.columns.length > 0 ? preview : undefined,
    refusal: answer["valid"] === false ? new ApiFailure(422, answer) : undefined,
  };
}

function previewIn({ columns, rows, settings, notes, sheets }: Json): Omit<Preview, "isSample"> {
  return {
    columns: recordsIn(columns).map(columnIn),
    rows: isList(rows) ? rows.filter(isList) : [],
    settings: isRecord(settings) ? settings : {},
    notes: stringsIn(notes),
    sheets: isList(sheets)
      ? sheets.map((each) => String(isRecord(each) ? each["name"] : each))
      : [],
  };
}

function columnIn({ name, type, subtype, format, note, seen }: Json): PreviewColumn {
  // The notes of a file begin with the column to which they belong.
  const prefix = `${JSON.stringify(name)}: `;
  return {
    name: String(name),
    type: String(type),
    subtype: typeof subtype === "string" ? subtype : null,
    format: typeof format === "string" ? format : null,
    note: typeof note === "string" ? note.replace(prefix, "") : "",
    seen: isRecord(seen) ? seen : {},
  };
}

const recordsIn = (value: unknown): readonly Json[] =>
  isList(value) ? value.filter(isRecord) : [];
const stringsIn = (value: unknown): readonly string[] =>
  isList(value) ? value.filter((each) => typeof each === "string") : [];
