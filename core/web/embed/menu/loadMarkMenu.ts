import { retryImport } from "../../charts/index.ts";

/**
 * Loads the script of menus, which offers the events and links of marks. Rejects if it cannot be loaded; the next call
 * tries again.
 */
export const loadMarkMenu = retryImport(() => import("./menus.ts"));
