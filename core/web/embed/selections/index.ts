// The reader's choices as filters: clauses of sources, datetime levels and keys of groups.
// May import: core/web/charts.
export { clauseOf, dimensionsOf } from "./clauseOf.ts";
export { filteredColumn } from "../../charts/index.ts";
export { createDrills, type Drills } from "./createDrills.ts";
export { fitsField } from "./fitsField.ts";
export { keyOf } from "./keyOf.ts";
export { createSelections, type Clause, type Selections } from "./createSelections.ts";
