// Uploads of files: they are received on disk, read in processes, previewed and stored.
// May import: core/base, core/catalog, core/identity, core/sources/data/changeDataset, core/sources/data/countRows,
// core/sources/data/createDataset, core/sources/data/fillStore, core/sources/data/matchColumns,
// core/sources/data/parsePush, core/sources/data/pushRequests, core/sources/data/recordMeasures; plugins/protocol,
// plugins/rows/formats; knex.
export { openUploads, type Uploads, type UploadsOptions } from "./openUploads.ts";
export { isUpload } from "./parseUpload.ts";
export { uploadActions } from "./uploadActions.ts";
