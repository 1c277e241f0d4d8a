import type { FamilyKinds } from "./drawKind.ts";
import { drawDensity } from "./maps/drawDensity.ts";
import { drawHexagons } from "./maps/drawHexagons.ts";
import { drawMarkers } from "./maps/drawMarkers.ts";
import { drawRegions } from "./maps/drawRegions.ts";
import { drawRoutes } from "./maps/drawRoutes.ts";
import { drawSpikes } from "./maps/drawSpikes.ts";
import { drawSymbols } from "./maps/drawSymbols.ts";

export { findCountry } from "./maps/countries.ts";

/** Kinds that draw on a map, and the outlines of countries. A page loads these kinds together. */
export const mapKinds: FamilyKinds<"maps"> = {
  regions: drawRegions,
  symbols: drawSymbols,
  markers: drawMarkers,
  spikes: drawSpikes,
  hexagons: drawHexagons,
  density: drawDensity,
  routes: drawRoutes,
};
