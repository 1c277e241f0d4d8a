// Uploaded files as tables of cells: CSV, JSON, Excel and Parquet, parsed in the browser.
// May import: core/web/console/api; fflate, fzstd, hyparquet.
export { cutIntoPushes, type PushBatch } from "./cutIntoPushes.ts";
export type { Cell, FileTable } from "./fileTable.ts";
export { readFile, type FileBytes } from "./readFile.ts";
