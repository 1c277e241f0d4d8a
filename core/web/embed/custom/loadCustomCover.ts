import { retryImport } from "../../charts/index.ts";
import type { Cover, CoverOptions } from "../view/index.ts";
import type { CustomCoverOptions } from "./createCustomCover.ts";

const loadCover = retryImport(() => import("./createCustomCover.ts"));

/** Loads the script that draws custom charts over the data of their items. Rejects if it cannot be loaded. */
export async function loadCustomCover(
  host: Pick<CustomCoverOptions, "callHost" | "hostUrl">,
): Promise<(options: CoverOptions) => Cover> {
  const { createCustomCover } = await loadCover();
  return (options) => createCustomCover({ ...options, ...host });
}
