// Uploads of files: they are received on disk, read in processes, previewed and stored.
// May import: core/base, core/catalog, core/identity, core/queries; plugins/protocol, plugins/rows/formats.
export { openUploads, type Uploads, type UploadsOptions } from "./openUploads.ts";
export { isUpload } from "./parseUpload.ts";
export { uploadActions } from "./uploadActions.ts";
