import { ApiFailure, isList, isRecord, type Api } from "../../../api/index.ts";
import { propertiesOf, type ImportDraft } from "./importDraft.ts";
import { suggestionsIn, type Suggestion } from "./suggestionsIn.ts";

type Json = Readonly<Record<string, unknown>>;

/** A column of the file, as the host would store it. */
export interface PreviewColumn {
  /** Its name in the file. */
  readonly name: string;
  readonly type: string;
  readonly subtype: string | null;
  readonly format: string | null;
  /** How its values are read, or why it is text although most of its values are of another kind. */
  readonly notes: readonly Note[];
  readonly seen: Json;
}

/** A remark of the host about how it read the file or a column. */
export interface Note {
  /** `sample`, `form`, `doubt` or `remark`. */
  readonly kind: string;
  /** The column's name in the file; undefined for the whole file. */
  readonly column: string | undefined;
  readonly message: string;
  readonly suggestions: readonly Suggestion[];
}

/** The first rows of a file as the host would store them, and how the host read them. */
export interface Preview {
  readonly columns: readonly PreviewColumn[];
  readonly rows: readonly (readonly unknown[])[];
  /** Number of rows that the host read for the preview. */
  readonly rowCount: number;
  /** The settings in force, with the detected ones. */
  readonly settings: Json;
  readonly notes: readonly Note[];
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

/** Lets the host read a sample of a file without storing anything. */
export async function readPreview(
  api: Api,
  draft: ImportDraft,
  { sample, signal }: { readonly sample: Blob; readonly signal: AbortSignal },
): Promise<Reading> {
  const { file } = draft;
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
  const given = recordsIn(notes).map(noteIn);
  const found = recordsIn(columns).map((column) => columnIn(column, given));
  const counts = found.map(({ seen }) => seen["rows"]).filter((each) => typeof each === "number");
  return {
    columns: found,
    rowCount: Math.max(0, ...counts),
    rows: isList(rows) ? rows.filter(isList) : [],
    settings: isRecord(settings) ? settings : {},
    notes: given,
    sheets: isList(sheets)
      ? sheets.map((each) => String(isRecord(each) ? each["name"] : each))
      : [],
  };
}

function columnIn(
  { name, type, subtype, format, seen }: Json,
  notes: readonly Note[],
): PreviewColumn {
  return {
    name: String(name),
    type: String(type),
    subtype: typeof subtype === "string" ? subtype : null,
    format: typeof format === "string" ? format : null,
    // The line about the values says in which form they are read.
    notes: notes.filter(({ kind, column }) => kind !== "form" && column === String(name)),
    seen: isRecord(seen) ? seen : {},
  };
}

function noteIn({ kind, column, message, remedies }: Json): Note {
  return {
    kind: String(kind),
    column: typeof column === "string" ? column : undefined,
    message: String(message),
    suggestions: suggestionsIn(remedies),
  };
}

/**
 * Returns the remarks about the whole file, which no column shows. The dialog itself says how many rows determined the
 * types.
 */
export function remarksOf({ notes, columns }: Pick<Preview, "notes" | "columns">): readonly Note[] {
  const isOfColumn = ({ column }: Note) => columns.some(({ name }) => name === column);
  return notes.filter((note) => note.kind !== "sample" && !isOfColumn(note));
}

/** Returns a remark as the host writes it in the warnings of an import. */
export const textOfNote = ({ column, message }: Note): string =>
  column === undefined ? message : `${JSON.stringify(column)}: ${message}`;

const recordsIn = (value: unknown): readonly Json[] =>
  isList(value) ? value.filter(isRecord) : [];
