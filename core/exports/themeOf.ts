import { looksOf, resolveTheme, themeIdsOf, type ChartTheme } from "../web/charts/index.ts";
import { find, type ExportCaller, type Dashboard, type RecordReaders } from "./readDashboard.ts";

/**
 * Returns the theme of a dashboard's pictures. If the request names a theme, the pictures use it. Otherwise, they
 * combine the theme and css of the dashboard's view with those of the token, which take precedence. A theme that the
 * caller may not read has no effect.
 */
export async function themeOf(
  { css, view }: Pick<Dashboard, "css" | "view">,
  wanted: "light" | "dark" | undefined,
  caller: ExportCaller,
  readers: RecordReaders,
): Promise<ChartTheme> {
  if (wanted !== undefined) return resolveTheme(wanted);
  const { look } = caller.principal.restriction ?? {};
  const sources = { view, css, token: look };
  const themes = await themesById(themeIdsOf(sources), caller, readers);
  return resolveTheme(undefined, looksOf(sources, themes));
}

async function themesById(
  ids: readonly string[],
  caller: ExportCaller,
  { theme }: RecordReaders,
): Promise<ReadonlyMap<string, unknown>> {
  if (ids.length === 0) return new Map();
  const found = await find(theme, caller, "theme", { id: { in: ids } }, ["theme"]);
  return new Map(found.map((record): [string, unknown] => [String(record.id), record.theme]));
}
