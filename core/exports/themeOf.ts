import { resolveTheme, type ChartTheme, type Look } from "../charts/index.ts";
import { isObject } from "../json/index.ts";
import { find, type Asking, type Dashboard, type RecordReaders } from "./readDashboard.ts";

/**
 * Returns the theme of the pictures of a dashboard: the wanted one alone; else the theme of the dashboard's view, its
 * css, and over them theme and css of the token. A theme that the caller may not read has no effect.
 */
export async function themeOf(
  { css, view }: Pick<Dashboard, "css" | "view">,
  wanted: "light" | "dark" | undefined,
  asking: Asking,
  readers: RecordReaders,
): Promise<ChartTheme> {
  if (wanted !== undefined) return resolveTheme(wanted);
  const { options } = view;
  const ofView = isObject(options) ? options["theme"] : undefined;
  const { id, ...stored } = isObject(ofView) ? ofView : {};
  const { look } = asking.principal.restriction ?? {};
  const themes = await themesById([id, look?.themeId], asking, readers);
  const themeOfId = (given: unknown) => themes.get(String(given));
  const looks: Look[] = [
    { theme: themeOfId(id) },
    ...(Object.keys(stored).length > 0 ? [{ theme: stored }] : []),
    { css },
    { theme: themeOfId(look?.themeId) },
    { theme: look?.theme },
    { css: look?.css },
  ];
  return resolveTheme(undefined, looks);
}

async function themesById(
  given: readonly unknown[],
  asking: Asking,
  { theme }: RecordReaders,
): Promise<ReadonlyMap<string, unknown>> {
  const ids = given.filter((id) => typeof id === "string" && id !== "");
  if (ids.length === 0) return new Map();
  const found = await find(theme, asking, "theme", { id: { in: ids } }, ["theme"]);
  return new Map(found.map((record): [string, unknown] => [String(record["id"]), record["theme"]]));
}
