import type { ParsedExport } from "../parseExport.ts";

/** A file that a job writes, as the catalog keeps it. */
export interface ExportFile {
  readonly id: string;
  readonly organization_id: string;
  readonly user_id: string;
  /** Null for a file that a schedule of a user sends: it ends with the user. */
  readonly authorization_id: string | null;
  readonly status: "waiting" | "running" | "done" | "failed";
  /** Null once the file is done. */
  readonly request: ExportRequest | null;
  readonly type: ParsedExport["format"];
  /** Cells of a file of rows; null until they are known. */
  readonly cell_count: number | null;
  /** Bytes written so far. */
  readonly size_bytes: number;
  readonly failure: string | null;
  readonly expires_at: Date;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly completed_at: Date | null;
}

/** The properties of a call, which are checked again when its job runs. */
export interface ExportRequest {
  readonly isData: boolean;
  readonly properties: Readonly<Record<string, unknown>>;
}
