// Addresses of the console: the current address, links, and the history of the browser.
// May import: nothing.
export { addressWith } from "./addressWith.ts";
export { openMemoryRouter, type MemoryRouter } from "./openMemoryRouter.ts";
export { openRouter, type GoOptions, type Route, type Router } from "./openRouter.ts";
export { keepVisit, readVisits, type Visit } from "./visits.ts";
