// Exports: answers and dashboards as files and pictures.
// May import: core/charts, core/contracts, core/errors, core/json, core/queries; plugins/protocol; @resvg/resvg-js,
// fontkit, hyparquet-writer, pdfkit, yazl.
export { exportHandlers } from "./exportHandlers.ts";
export { openFonts, type FontFace, type Fonts } from "./pictures/openFonts.ts";
export { writePng } from "./pictures/writePng.ts";
