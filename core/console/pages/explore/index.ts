// The page Explore: a dataset is asked by putting its columns on shelves.
// May import: core/charts, core/console/api, core/console/language, core/console/parts, core/console/pictures,
// core/console/questions, core/console/styles; lit.
export { ExplorePage } from "./explorePage.ts";
