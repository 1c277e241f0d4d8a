import { single } from "./kernelEntry.ts";

type ClearBytes = (at: number, sizeBytes: number) => void;
type InternTexts = (
  pool: number,
  source: number,
  sizeBytes: number,
  starts: number,
  ends: number,
  levels: number,
  count: number,
  codes: number,
) => number;
type AddText = (pool: number, from: number, sizeBytes: number) => number;
type RehashTexts = (pool: number, fromCode: number) => number;
type ParseJsonRows = (reader: number) => number;

/** The kernels are not warmed, because calls for a push are short. */
const warm = "none";

/** Decoders of JSON. They validate everything that they read, because the bytes may be damaged or hostile. */
export const decoders = {
  /** Fills bytes with zeros. */
  clearBytes: single<ClearBytes>({ warm }),
  /**
   * codes = the code of each string in the pool, to which new strings are added; -1 for null. Returns the number of
   * rows done. If this is less than `count`, the pool's `status` contains the reason.
   */
  internTexts: single<InternTexts>({ warm }),
  /** Adds a string without giving it a slot. Returns the code of the string, or -1 if the pool is full. */
  addText: single<AddText>({ warm }),
  /**
   * Inserts all strings from a given code on into empty slots. Returns the first code for which
   * there was no slot, or the number of strings.
   */
  rehashTexts: single<RehashTexts>({ warm }),

  /**
   * Parses rows of JSON into columns until one of them needs more memory; see `jsonReader.ts`. Returns one of
   * `jsonStatus`.
   */
  parseJsonRows: single<ParseJsonRows>({ warm }),
};
