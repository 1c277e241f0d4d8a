import { counted } from "../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  title: "Dashboards",
  text: "Charts that belong together, for you and the people you share them with.",
  search: "Search dashboards",
  searchHint: "Search names, tags, charts and columns",
  name: "Name",
  create: "New dashboard",
  createAction: "Create dashboard",
  none: "No dashboards yet",
  noneText:
    "Make one from a dataset with one button, save a chart from Explore, or start with an empty dashboard.",
  openData: "Open Data",
  nothingFound: "No dashboards match",
  nothingFoundText: "Search for a part of a name, a tag, the title of a chart or a column.",
  showAll: "Show all dashboards",
  count: (count: number) => counted(count, "dashboard", "dashboards"),
  more: "Show more",
  which: "Show",
  all: "All dashboards",
  mine: "My dashboards",
  favorites: "Favourites",
  collection: (name: string) => `Collection: ${name}`,
  order: "Sort by",
  orders: { changed: "Last changed", created: "Newest", name: "Name" },
};
