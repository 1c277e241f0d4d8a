import type { Remedy } from "../remedy.ts";

/**
 * What a note about a file says: `sample`, which rows determined the types; `form`, in which form the values of a
 * column are read; `doubt`, why a column is text although most of its values look like another type; or another
 * `remark`.
 */
export type FileNoteKind = "sample" | "form" | "doubt" | "remark";

/** A note about how a file is read, for people. */
export interface FileNote {
  readonly kind: FileNoteKind;
  /** The column that the note is about. Absent: the file. */
  readonly column?: string;
  readonly message: string;
  /** Settings that change what the note says. Absent: none. */
  readonly remedies?: readonly Remedy[];
}

/** Returns a note as one string, which starts with the name of its column. */
export function textOfNote({ column, message }: Pick<FileNote, "column" | "message">): string {
  return column === undefined ? message : `${JSON.stringify(column)}: ${message}`;
}

/** Returns a remark about a file, without remedies. */
export function remark(message: string): FileNote {
  return { kind: "remark", message };
}
