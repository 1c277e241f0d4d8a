// Styles of the console, as constructed style sheets that strict content policies allow.
// May import: lit.
export { addStyleRoot, adoptStyles } from "./adopt.ts";
export { dataTable } from "./dataTable.ts";
export { elements } from "./elements.ts";
export { parts } from "./parts.ts";
export { records } from "./records.ts";
export { tokens } from "./tokens.ts";
