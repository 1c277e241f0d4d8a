// Exports: answers and dashboards as files and pictures.
// May import: @resvg/resvg-js.
export { openFonts, type FontFace, type Fonts } from "./pictures/openFonts.ts";
export { writePng } from "./pictures/writePng.ts";
