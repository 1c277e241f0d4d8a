// Written by `npm run calls` from the declarations.
/** The calls of export. */
export interface ExportCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly type?: "csv" | "csv-raw" | "xlsx" | "xlsx-raw" | "parquet" | "arrow" | "json" | "svg" | "png" | "base64" | "pdf" | undefined;
        readonly query?: {
          readonly dimensions?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
          readonly measures?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
          readonly where?: readonly unknown[] | undefined;
          readonly having?: readonly unknown[] | undefined;
          readonly order?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
          readonly limit?: { readonly by: number; readonly offset?: number | undefined } | undefined;
          readonly options?: {
            readonly rollup_data?: boolean | undefined;
            readonly timezone_id?: string | undefined;
            readonly paging?: { readonly by: number; readonly offset?: number | undefined } | undefined;
            /** texts instead of {id, name}; absent for these */
            readonly cells?: "plain" | undefined;
          } | undefined;
          /** adds explain to the answer */
          readonly explain?: boolean | undefined;
        } | undefined;
        /** of a dashboard, in the place of query */
        readonly securable_id?: string | undefined;
        /** an item of the dashboard */
        readonly item_id?: string | undefined;
        readonly width?: number | undefined;
        readonly height?: number | undefined;
        readonly scale?: number | undefined;
        readonly theme?: "light" | "dark" | undefined;
        readonly locale_id?: string | undefined;
        readonly timezone_id?: string | undefined;
        /** link: a job writes the file (202); absent: so for large files; file: never */
        readonly deliver?: "file" | "link" | undefined;
      };
    };
    readonly answer: unknown;
  };
  readonly get: {
    readonly members: {
      readonly find?: { readonly where?: { readonly id?: string | undefined } | undefined } | undefined;
    };
    readonly answer: {
      readonly count: number;
      readonly rows: ReadonlyArray<{
        readonly id: string;
        readonly type: string;
        readonly status: "waiting" | "running" | "done" | "failed";
        readonly cell_count: number | null;
        /** written so far */
        readonly size_bytes: number;
        readonly failure: string | null;
        readonly url: string | null;
        readonly expires_at: string;
        readonly created_at: string;
        readonly completed_at: string | null;
      }>;
    };
  };
  readonly delete: {
    readonly members: { readonly id: string };
    readonly answer: { readonly code: number };
  };
}
