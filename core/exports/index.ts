// Exports: answers and dashboards as files and pictures.
// May import: core/base, core/catalog, core/identity, core/queries, core/web/charts; plugins/protocol; @resvg/resvg-js,
// bidi-js, content-disposition, fontkit, hyparquet-writer, knex, p-queue, pdfkit, yazl.
export { formatNames, isDataFormat } from "./exportFormats.ts";
export { exportHandlers, type ExportOptions } from "./exportHandlers.ts";
export {
  createExportWork,
  type DrawnDashboard,
  type DrawnFile,
  type ExportWork,
  type ScheduledFormat,
} from "./files/createExportWork.ts";
export { openExportFiles, type ExportFiles } from "./files/openExportFiles.ts";
export { orientations, paperForms } from "./paper.ts";
export { screens } from "../web/charts/index.ts";
export { recordReaders } from "./readDashboard.ts";
export type { ExportSources } from "./prepareExport.ts";
export { nameScripts } from "./pictures/nameScripts.ts";
export { openFonts, type FontFace } from "./pictures/openFonts.ts";
export { writePng } from "./pictures/writePng.ts";
