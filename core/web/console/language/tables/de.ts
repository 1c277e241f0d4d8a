import type { WordTables } from "../wordTables.ts";

/** The words of all folders in German. The bundler fills this table (core/http/assets/joinLanguages.ts). */
export const tables: WordTables = {};
