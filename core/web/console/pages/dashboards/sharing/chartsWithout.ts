import { readItem } from "../../../../charts/index.ts";
import { textOf } from "../../../language/index.ts";
import type { Contents } from "../contents.ts";

/** Returns the titles of the items of a dashboard that show a dataset, without duplicates. */
export function chartsWithout({ views = [] }: Contents, datasetId: string): readonly string[] {
  const titles = views.flatMap(({ items = [] }) =>
    items
      .filter((item) => readItem(item).fields.some((each) => each.datasetId === datasetId))
      .map((item) => textOf(item.options?.["title"]) || item.type.replaceAll("-", " ")),
  );
  return [...new Set(titles)];
}
