// Pictures in the pages of others: the drawing of scenes as elements of SVG.
// May import: core/charts.
export { drawScene } from "./drawScene.ts";
