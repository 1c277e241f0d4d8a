// Controls of filter items: lists, menus, search boxes, dates and ranges of numbers. Their script loads when needed.
// May import: core/web/charts, core/web/embed/selections, core/web/embed/view.
import { retryImport } from "../../charts/index.ts";

export type { FilterControl } from "./createFilterControl.ts";
export type Controls = typeof import("./controls.ts");

const loadScript: () => Promise<Controls> = retryImport(() => import("./controls.ts"));

/**
 * Loads the script of controls, and its words in the language of a locale. Rejects if a script cannot be loaded; the
 * next call tries again.
 */
export async function loadControls(localeId: string): Promise<Controls> {
  const controls = await loadScript();
  await controls.loadControlWords(localeId);
  return controls;
}
