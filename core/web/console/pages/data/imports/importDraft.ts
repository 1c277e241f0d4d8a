import { localized } from "../../../language/index.ts";
import { isList } from "../../../api/index.ts";
import type { ColumnType } from "./columnType.ts";
import type { ColumnChoice, FileSettings } from "./fileSettings.ts";
import { datasetNameOf, type FileKind, kindOf } from "./fileKind.ts";
import type { Target } from "./target.ts";

export type ImportMode = "create" | "append" | "replace";

/** A column of the file. */
export interface FileColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** A file with everything that the reader chose for it. */
export interface ImportDraft {
  readonly file: File;
  readonly kind: FileKind;
  readonly mode: ImportMode;
  /** The dataset that receives the rows; undefined for a new dataset. */
  readonly target: Target | undefined;
  /** Name of the new dataset. */
  readonly name: string;
  readonly settings: FileSettings;
  /** The settings with which the host read the file for the last preview, detected ones included. */
  readonly foundSettings: FileSettings;
  /** The columns of the file and their types, as far as the host has read it. */
  readonly fileColumns: readonly FileColumn[];
  /** The remarks of the host that the reader has seen. */
  readonly shownNotes: readonly string[];
  /** Choices by the column's name in the file. */
  readonly columns: ReadonlyMap<string, ColumnChoice>;
  /** Whether columns that the dataset lacks are added to it. */
  readonly addsColumns: boolean;
}

/** Returns the draft for a file before the reader chose anything. */
export function draftOf(file: File, target: Target | undefined): ImportDraft {
  const kind = kindOf(file.name);
  const kept = target?.kept?.kind === kind ? target.kept : undefined;
  return {
    file,
    kind,
    mode: target ? "append" : "create",
    target,
    name: datasetNameOf(file.name),
    settings: kept?.settings ?? {},
    foundSettings: {},
    fileColumns: [],
    shownNotes: [],
    columns: kept?.columns ?? new Map(),
    addsColumns: false,
  };
}

/** Returns the name in the dataset that receives the rows, for a column of the file. */
export const targetNameOf = ({ columns }: Pick<ImportDraft, "columns">, name: string): string =>
  columns.get(name)?.name ?? name;

/** Returns the `properties` of a call that previews the file. */
export function propertiesOf(draft: ImportDraft): Readonly<Record<string, unknown>> {
  const chosen = Object.fromEntries(
    [...draft.columns].flatMap(([column, { type, format }]) =>
      type === undefined ? [] : [[column, format ? { type, format } : type]],
    ),
  );
  // The preview shows new columns before the reader agrees to add them. The columns of the last preview may be out of
  // date, because they depend on the settings.
  return withColumns({ ...draft, addsColumns: true, fileColumns: [] }, chosen);
}

/**
 * Returns the `properties` of a call that imports the file. The file is read as for the preview, with the same settings
 * and the same types of new columns, even if later rows would change what the host detects. Existing columns keep their
 * types.
 */
export function importedPropertiesOf(draft: ImportDraft): Readonly<Record<string, unknown>> {
  const { target, fileColumns } = draft;
  const isStored = (name: string) =>
    target?.columns.some(({ sourceName }) => sourceName === targetNameOf(draft, name)) === true;
  const columns = fileColumns.flatMap(({ name, type: found }) => {
    const { type, format } = draft.columns.get(name) ?? {};
    if (type !== undefined) return [[name, format ? { type, format } : type]];
    return draft.kind === "columns" || isStored(name) ? [] : [[name, found]];
  });
  const settings = { ...draft.foundSettings, ...draft.settings };
  return withColumns({ ...draft, settings }, Object.fromEntries(columns));
}

function withColumns(
  draft: ImportDraft,
  columns: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { file, mode, target, name, settings, addsColumns, fileColumns } = draft;
  const header = fileColumns.map((column) => targetNameOf(draft, column.name));
  const isMapped = fileColumns.some((column, at) => header[at] !== column.name);
  return {
    type: mode,
    size_bytes: file.size,
    ...(target && { securable_id: target.id }),
    options: {
      ...(!target && { name: localized(name.trim() || file.name) }),
      ...(target && addsColumns && { update_metadata: true }),
      ...(target && isMapped && { header }),
      file: {
        ...settings,
        // A comma at the end of the field is not an empty string that the reader chose.
        ...(isList(settings.nulls) && { nulls: settings.nulls.filter((each) => each !== "") }),
        ...(Object.keys(columns).length > 0 && { columns }),
      },
    },
  };
}
