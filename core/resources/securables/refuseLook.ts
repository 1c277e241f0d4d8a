import { isDeepStrictEqual } from "node:util";
import { refuseWithout } from "../../identity/index.ts";
import { isList, isObject, type Principal, type Members } from "../../base/index.ts";
import type { Values } from "../kernel/index.ts";
import { emptyContents } from "./contents.ts";

/** Returns the themes of a dashboard's views, in the order of the views. */
function themesOf(contents: unknown): readonly unknown[] {
  const views = isObject<"views">(contents) ? contents.views : undefined;
  return (isList(views) ? views : []).map((view) => {
    const options = isObject<"options">(view) ? view.options : undefined;
    return isObject<"theme">(options) ? (options.theme ?? null) : null;
  });
}

/**
 * Refuses to save a dashboard with changed CSS or another theme if the caller lacks the feature. Saving it unchanged,
 * or with moved items, does not change its look.
 * @throws {ApiError} FORBIDDEN
 */
export function refuseLook(
  { contents, css }: Values,
  principal: Principal,
  before: Members<"css" | "contents"> = { contents: emptyContents(), css: null },
): void {
  if (css !== undefined && (css ?? "") !== (before.css ?? ""))
    refuseWithout("flag_css_inject", principal, "set css of a dashboard");
  if (contents === undefined) return;
  const known = themesOf(before.contents);
  const isKnown = (theme: unknown) => known.some((each) => isDeepStrictEqual(each, theme));
  if (!themesOf(contents).every((theme) => theme === null || isKnown(theme)))
    refuseWithout("flag_theming", principal, "change the theme of a dashboard");
}
