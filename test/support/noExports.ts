import type { ExportWork } from "../../core/exports/index.ts";

const refuse = () => Promise.reject(new Error("nothing is exported"));

/** The functions for exports, for tests that export nothing. Each function fails when called. */
export const noExports: ExportWork = {
  run: refuse,
  draw: refuse,
  keep: refuse,
  rasterize: refuse,
};
