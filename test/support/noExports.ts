import type { ExportWork } from "../../core/exports/index.ts";

const refuse = () => Promise.reject(new Error("nothing is exported"));

/** Export functions for tests that export nothing. Each of them fails. */
export const noExports: ExportWork = { run: refuse, draw: refuse, keep: refuse };
