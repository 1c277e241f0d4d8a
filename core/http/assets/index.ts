// Assets: the scripts, fonts and licences that browsers load from the host, built from the sources of the console.
// May import: rolldown.
export { openAssets, type Assets } from "./openAssets.ts";
export type { AssetFile } from "./assetFile.ts";
