// Assets: the scripts, fonts, licences and lists that browsers load, built from the sources of the console.
// May import: rolldown.
export { bundleAssets, licencesOf } from "./bundle.ts";
export { openAssets, type Assets, type Manifest } from "./openAssets.ts";
export type { AssetFile } from "./assetFile.ts";
export type { RegistryEntry } from "./readRegistry.ts";
