import { readFileSync } from "node:fs";
import type {
  ByFloat,
  ByNumber,
  ByWidth,
  FoldStored,
  FoldStoredKernel,
  Kernels,
} from "./kernels.ts";

let compiled: WebAssembly.Module | undefined;

/**
 * Binds the kernels to an arena, whose addresses they then take.
 * The module is compiled once a thread, at the first call.
 * @throws {WebAssembly.LinkError} when the memory is not shared
 */
export function openKernels(memory: WebAssembly.Memory): Kernels {
  const exports = instantiate(memory);

  const byName = <Name extends keyof Kernels>(name: Name) => exports[name] as Kernels[Name];
  const byWidth = <Kernel>(name: string): ByWidth<Kernel> => [
    undefined,
    exports[`${name}1`] as Kernel,
    exports[`${name}2`] as Kernel,
    exports[`${name}3`] as Kernel,
    exports[`${name}4`] as Kernel,
  ];
  const byFloat = <Kernel>(name: string): ByFloat<Kernel> => ({
    4: exports[`${name}4`] as Kernel,
    8: exports[`${name}8`] as Kernel,
  });
  const byNumber = <Kernel>(name: string): ByNumber<Kernel> => ({
    1: byWidth(`${name}1x`),
    2: byWidth(`${name}2x`),
    4: byWidth(`${name}4x`),
  });
  const foldStoredBy = (width: number): FoldStored => ({
    1: exports[`foldStored${width}x1`] as FoldStoredKernel,
    2: exports[`foldStored${width}x2`] as FoldStoredKernel,
    3: exports[`foldStored${width}x3`] as FoldStoredKernel,
    4: exports[`foldStored${width}x4`] as FoldStoredKernel,
    8: exports[`foldStored${width}x8`] as FoldStoredKernel,
  });

  return {
    range: byWidth("range"),
    rangeFloat: byFloat("rangeFloat"),
    nullFloat: byFloat("nullFloat"),
    lookup: byWidth("lookup"),
    member: byName("member"),
    andMask: byName("andMask"),
    orMask: byName("orMask"),
    notMask: byName("notMask"),
    select: byName("select"),
    narrow: byName("narrow"),
    countMask: byName("countMask"),
    decode: byWidth("decode"),
    decodeSelected: byWidth("decodeSelected"),
    decodeFloat: byFloat("decodeFloat"),
    decodeFloatSelected: byFloat("decodeFloatSelected"),
    widen: byWidth("widen"),
    widenSelected: byWidth("widenSelected"),
    addVector: byName("addVector"),
    scaleRound: byName("scaleRound"),
    divideVector: byName("divideVector"),
    binStarts: byName("binStarts"),
    countSteps: byName("countSteps"),
    addSteps: byName("addSteps"),
    placesInCycle: byName("placesInCycle"),
    lookupSteps: byName("lookupSteps"),
    number: byWidth("number"),
    numberSelected: byWidth("numberSelected"),
    numberLookup: byWidth("numberLookup"),
    numberLookupSelected: byWidth("numberLookupSelected"),
    numberThresholds: byName("numberThresholds"),
    numberStarts: byWidth("numberStarts"),
    numberStartsSelected: byWidth("numberStartsSelected"),
    numberWhole: byName("numberWhole"),
    numberDayTime: byName("numberDayTime"),
    foldRows: byName("foldRows"),
    foldRowsSum: byName("foldRowsSum"),
    foldCountSum: byName("foldCountSum"),
    foldPair: byName("foldPair"),
    foldStored: [undefined, foldStoredBy(1), foldStoredBy(2), foldStoredBy(3), foldStoredBy(4)],
    numberFew: byName("numberFew"),
    narrowFew: byName("narrowFew"),
    leaveOut: byName("leaveOut"),
    leaveNulls: byWidth("leaveNulls"),
    leaveNullFloats: byFloat("leaveNullFloats"),
    countFew: byName("countFew"),
    foldFew: byWidth("foldFew"),
    foldFewFloat: byFloat("foldFewFloat"),
    foldFewPair: byName("foldFewPair"),
    foldExtent: byName("foldExtent"),
    foldVariance: byName("foldVariance"),
    bucket: byName("bucket"),
    foldHistogram: byName("foldHistogram"),
    collect: byName("collect"),
    markStored: byNumber("markStored"),
    countStored: byNumber("countStored"),
    countNarrow: byNumber("countNarrow"),
    findStored: byNumber("findStored"),
    countFound: byName("countFound"),
    countWanted: byWidth("countWanted"),
    placeFound: byName("placeFound"),
    total: byWidth("total"),
    totalMasked: byWidth("totalMasked"),
    totalFloat: byFloat("totalFloat"),
    extent: byName("extent"),
    pairKeys: byName("pairKeys"),
    doubleKeys: byName("doubleKeys"),
    findGroups: byName("findGroups"),
    rehash: byName("rehash"),
    addStates: byName("addStates"),
    leastStates: byName("leastStates"),
    orBits: byName("orBits"),
    addCounts: byName("addCounts"),
    countBits: byName("countBits"),
  };
}

/** Binds the module to a memory; what is in it is declared by `Kernels` and `Decoders`. */
export function instantiate(memory: WebAssembly.Memory): WebAssembly.Instance["exports"] {
  compiled ??= new WebAssembly.Module(readFileSync(new URL("./kernels.wasm", import.meta.url)));
  return new WebAssembly.Instance(compiled, { env: { memory } }).exports;
}
