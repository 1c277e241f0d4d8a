import type { FamilyKinds } from "./drawKind.ts";
import { drawMedia } from "./drawMedia.ts";
import { readMedia } from "./readMedia.ts";

export { readMedia };

/** Items that load something from another server on a page. A page loads these kinds together. */
export const mediaKinds: FamilyKinds<"media"> = {
  image: drawMedia,
  video: drawMedia,
  page: drawMedia,
};

/** Reads what an item with media shows. */
export type ReadMedia = typeof readMedia;
