import type { ExportWork } from "../../core/exports/index.ts";

const refuse = () => Promise.reject(new Error("nothing is exported"));

/** The export work in tests that export nothing. */
export const noExports: ExportWork = { run: refuse, draw: refuse, keep: refuse };
