import type { Look } from "../color/resolveTheme.ts";
import { isObject } from "../item/readItem.ts";
import type { Stored } from "../item/stored.ts";

/** The places that give a dashboard its look. */
export interface LookSources {
  /** The shown view of the contents: `options.theme` is a theme, or `{id}` of a stored one. */
  readonly view: Stored;
  /** The css of the dashboard. */
  readonly css: unknown;
  /** Theme and css of the token. */
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
 * Returns the looks of a dashboard in the order in which they are laid over each other: the theme of its view, its css,
 * then theme and css of the token. `themes` holds the stored themes by id; one that the caller may not read has no
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
