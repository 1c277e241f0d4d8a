// Files that a reader uploads, as tables of cells: CSV, JSON, Excel and Parquet, read in the browser.
// May import: core/web/console/api; fflate, fzstd, hyparquet.
export { cutIntoPushes, type PushBatch } from "./cutIntoPushes.ts";
export type { Cell, FileTable } from "./fileTable.ts";
export { readFile, type FileBytes } from "./readFile.ts";
