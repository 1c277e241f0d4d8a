import { isPublicAddress } from "../../core/sources/connections/isPublicAddress.ts";
import type { Reach } from "../../plugins/protocol/index.ts";

/** Lets a connector reach every network address, but only the given folders. */
export function openReach(...folders: readonly string[]): Reach {
  return { address: async (host) => host, isPublic: isPublicAddress, folders };
}
