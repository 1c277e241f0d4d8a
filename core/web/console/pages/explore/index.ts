// The Explore page: readers query a dataset by putting its columns on shelves.
// May import: core/web/charts, core/web/console/api, core/web/console/language, core/web/console/parts,
// core/web/console/pictures, core/web/console/questions, core/web/console/shelves, core/web/console/styles,
// core/web/embed; lit.
export { ExplorePage } from "./explorePage.ts";
