import { isList, isRecord } from "../api/index.ts";
import { textOf } from "../language/index.ts";

/** The title of a chart in the contents of a dashboard. */
export interface ChartTitle {
  readonly itemId: string;
  readonly text: string;
}

/** Returns the titles of the items of all views in the reader's language, without duplicates. */
export function titlesIn(contents: unknown): readonly ChartTitle[] {
  const views = isRecord(contents) && isList(contents["views"]) ? contents["views"] : [];
  const titles = views.flatMap((view) => {
    const items = isRecord(view) && isList(view["items"]) ? view["items"] : [];
    return items.flatMap((item): ChartTitle[] => {
      const { id, options } = isRecord(item) ? item : {};
      const text = isRecord(options) ? textOf(options["title"]) : "";
      return text === "" ? [] : [{ itemId: String(id), text }];
    });
  });
  return [...new Map(titles.map((title) => [title.text, title])).values()];
}
