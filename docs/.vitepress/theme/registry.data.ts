import { type RegistryEntry, readRegistry } from "../../../core/http/assets/readRegistry.ts";

declare const data: readonly RegistryEntry[];
export { data };

/** Gives the gallery the list of plugins when the site is built. `docs:dev` reads it again after a change. */
export default {
  watch: ["../../registry/*.json"],
  load: (): readonly RegistryEntry[] => readRegistry(),
};
