// The page Explore of the console.
// May import: core/console/language, core/console/parts; lit.
export { ExplorePage } from "./explorePage.ts";
