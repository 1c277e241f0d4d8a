import type { FamilyKinds } from "./drawKind.ts";
import { drawVenn } from "./drawVenn.ts";
import { drawWords } from "./drawWords.ts";

/** Kinds that show words and overlapping sets. A page loads these kinds together. */
export const setKinds: FamilyKinds<"sets"> = { venn: drawVenn, words: drawWords };
