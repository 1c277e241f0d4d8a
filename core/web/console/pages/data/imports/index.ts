// The import of files: a preview that can be corrected, and an upload that continues after a cut connection.
// May import: core/web/console/api, core/web/console/firstBoard, core/web/console/language, core/web/console/parts,
// core/web/console/styles; lit.
export { ImportView } from "./importView.ts";
export { mayChangeRows } from "./target.ts";
