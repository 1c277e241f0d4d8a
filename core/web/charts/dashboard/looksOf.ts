import type { Look } from "../color/resolveTheme.ts";
import { isObject } from "../item/readItem.ts";
import type { Stored } from "../item/stored.ts";

/** The parts of a dashboard and its token from which the look is combined. */
export interface LookSources {
  /** The view that is shown. Its `options.theme` is a theme, or `{id}` of a stored theme. */
  readonly view: Stored;
  /** The CSS of the dashboard, as stored. */
  readonly css: unknown;
  /** Theme and CSS of the token, as stored; absent for a caller without a token. */
  readonly token?:
    | { readonly theme?: unknown; readonly themeId?: unknown; readonly css?: unknown }
    | undefined;
}

/** Returns the ids of the stored themes that a look names. */
export function themeIdsOf({ view, token }: LookSources): string[] {
  const { id } = themeOfView(view);
  return [id, token?.themeId].flatMap((each) =>
    typeof each === "string" && each !== "" ? [each] : [],
  );
}

/**
 * Returns the looks of a dashboard in the order in which they are applied: the theme of its view, its CSS, then the
 * theme and CSS of the token. `themes` contains the stored themes by id. Themes that the caller cannot read have no
 * effect.
 */
export function looksOf(
  { view, css, token }: LookSources,
  themes: ReadonlyMap<string, unknown>,
): Look[] {
  const { id, ...ofView } = themeOfView(view);
  const themeOfId = (given: unknown) => themes.get(String(given));
  return [
    { theme: themeOfId(id) },
    ...(Object.keys(ofView).length > 0 ? [{ theme: ofView }] : []),
    { css },
    { theme: themeOfId(token?.themeId) },
    { theme: token?.theme },
    { css: token?.css },
  ];
}

function themeOfView({ options }: Stored): Stored {
  const theme = isObject<"theme">(options) ? options.theme : undefined;
  return isObject(theme) ? theme : {};
}
