import type { ParsedExport } from "../parseExport.ts";

/** A file that a job writes, as stored in the catalog. */
export interface ExportFile {
  readonly id: string;
  readonly organization_id: string;
  readonly user_id: string;
  /**
   * Id of the key that requested the file. Null for the file of a user's schedule; this file is deleted with the user.
   */
  readonly authorization_id: string | null;
  readonly status: "waiting" | "running" | "done" | "failed";
  /** The export to write. Null once the file is complete. */
  readonly request: ExportRequest | null;
  readonly type: ParsedExport["format"];
  /** The name under which the file is saved. Null until the file is written, and for files of older versions. */
  readonly name: string | null;
  /** Number of cells in a file of rows. Null until it is known. */
  readonly cell_count: number | null;
  /** Number of bytes written so far. */
  readonly size_bytes: number;
  readonly failure: string | null;
  /** What the file leaves out, as sentences for people. Null until this is known. */
  readonly warnings: readonly string[] | null;
  readonly expires_at: Date;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly completed_at: Date | null;
}

/** The properties of an export call. They are checked again when the job runs. */
export interface ExportRequest {
  readonly isData: boolean;
  readonly properties: Readonly<Record<string, unknown>>;
}
