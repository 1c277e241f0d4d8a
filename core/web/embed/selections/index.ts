// The reader's choices as filters: clauses of sources, datetime levels and brush cubes.
// May import: core/web/charts.
export { createCube, cubeQueryOf, keyOf, type Cube } from "./brushCube.ts";
export { clauseOf, dimensionsOf, filteredColumn } from "./clauseOf.ts";
export { createDrills, type Drills } from "./createDrills.ts";
export { createSelections, type Clause, type Selections } from "./createSelections.ts";
