import { instantiate } from "./openKernels.ts";
import type { ByStoredWidth, Sealers } from "./sealers.ts";

/**
 * Binds the sealers to a memory, whose addresses they then take.
 * @throws {WebAssembly.LinkError} when the memory is not shared
 */
export function openSealers(memory: WebAssembly.Memory): Sealers {
  const exports = instantiate(memory);
  const byWidth = <Sealer>(name: string): ByStoredWidth<Sealer> => [
    undefined,
    exports[`${name}1`] as Sealer,
    exports[`${name}2`] as Sealer,
    exports[`${name}3`] as Sealer,
    exports[`${name}4`] as Sealer,
  ];
  const byName = <Name extends keyof Sealers>(name: Name) => exports[name] as Sealers[Name];
  return {
    zoneNumbers: byName("zoneNumbers"),
    zoneCodes: byName("zoneCodes"),
    sealWhole: byWidth("sealWhole"),
    sealWords: byWidth("sealWords"),
    sealFloat4: byName("sealFloat4"),
    splitDayTime: byName("splitDayTime"),
    shareStep: byName("shareStep"),
    shareStepWords: byName("shareStepWords"),
    divideWords: byName("divideWords"),
    nextWords: byName("nextWords"),
    translateWords: byName("translateWords"),
    joinDayTimes: byName("joinDayTimes"),
    unsealWhole: byWidth("unsealWhole"),
    decodeFloat: {
      4: exports["decodeFloat4"] as Sealers["decodeFloat"][4],
      8: exports["decodeFloat8"] as Sealers["decodeFloat"][8],
    },
    widen: byWidth("widen"),
    sumScaled: byName("sumScaled"),
  };
}
