import { loadMediaReader, retryImport } from "../../charts/index.ts";
import type { Cover, CoverOptions } from "../view/index.ts";

const loadCover = retryImport(() => import("./createMediaCover.ts"));

/** Loads the script that shows media over the picture of an item. Rejects if it cannot be loaded. */
export async function loadMediaCover(): Promise<(options: CoverOptions) => Cover> {
  const [{ createMediaCover }, readMedia] = await Promise.all([loadCover(), loadMediaReader()]);
  return (options) => createMediaCover({ ...options, readMedia });
}
