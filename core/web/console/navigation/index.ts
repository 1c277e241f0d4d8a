// Addresses of the console: the current address, links, and the history of the browser. May import: nothing.
export { addressWith } from "./addressWith.ts";
export { openPlaces, type GoOptions, type Place, type Places } from "./places.ts";
