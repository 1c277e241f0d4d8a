// The addresses of the console: the place of the reader, links, and the history of the browser.
// May import: nothing.
export { addressWith } from "./addressWith.ts";
export { openPlaces, type GoOptions, type Place, type Places } from "./places.ts";
