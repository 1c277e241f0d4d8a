import type { FamilyKinds } from "./drawKind.ts";
import { drawRadar } from "./drawRadar.ts";

/** Kinds with axes around a middle. A page loads these kinds together. */
export const radialKinds: FamilyKinds<"radials"> = { radar: drawRadar };
