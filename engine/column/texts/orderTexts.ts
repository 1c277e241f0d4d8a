import { orderTablesBytes } from "../../kernels/textKernels.ts";
import { compareBytes, startOf, type TextBytesView } from "./compareBytes.ts";
import { mergeOrders } from "./mergeOrders.ts";
import { withTexts } from "./textMemory.ts";

/** Limits of a part that is ordered in one call. Parts are then merged. */
interface PartLimits {
  readonly texts: number;
  readonly bytes: number;
}
const partLimits: PartLimits = { texts: 2 ** 22, bytes: 2 ** 28 };
/** Kernel memory per string: codes, keys, a spare copy of both, and runs. */
const codeBytes = 4;
const keyBytes = 8;
const runBytes = 6;

/**
 * Returns the codes from `first` to below `until`, whose strings must be distinct, in the order of their UTF-8 bytes,
 * which is the order of code points. Takes one pass if they are in order already. Otherwise a kernel copies the strings
 * and radix sorts them by the next few bytes after their common prefix, and again where these are equal. Creates no
 * JavaScript strings. About 30 ns per string; needs their bytes and 34 more per string for the duration of the call.
 */
export function orderTexts(
  texts: TextBytesView,
  first: number,
  until: number,
  limits = partLimits,
): Int32Array {
  const middle = endOfPart(texts.ends, first, until, limits);
  const codes = orderPart(texts, first, middle);
  if (middle === until) return codes;
  const merged = new Int32Array(until - first);
  const compare = (left: number, right: number) => compareBytes(texts, left, right);
  mergeOrders(codes, orderTexts(texts, middle, until, limits), compare, merged);
  return merged;
}

/** Returns the end of the codes from `first` that are ordered in one call; at least one. */
function endOfPart(ends: Uint32Array, first: number, until: number, limits: PartLimits): number {
  const start = startOf(ends, first);
  let from = Math.min(first + 1, until);
  let to = Math.min(until, first + limits.texts);
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if (ends[middle - 1] - start <= limits.bytes) from = middle;
    else to = middle - 1;
  }
  return from;
}

function orderPart(texts: TextBytesView, first: number, until: number): Int32Array {
  const count = until - first;
  // Offsets are multiples of 64 bytes, so that every list is aligned.
  const room = Math.ceil(count / 16) * 16;
  const roomBytes = room * (2 * codeBytes + 2 * keyBytes + runBytes) + orderTablesBytes + 64;
  return withTexts(texts, first, until, roomBytes, (placed) => {
    const { kernels, bytes, starts, room: tables, buffer } = placed;
    const keys = tables + orderTablesBytes;
    const spareKeys = keys + room * keyBytes;
    const codes = spareKeys + room * keyBytes;
    const spareCodes = codes + room * codeBytes;
    const runs = spareCodes + room * codeBytes;
    kernels.orderTexts(bytes, starts, count, codes, spareCodes, keys, spareKeys, tables, runs);
    const ordered = new Int32Array(buffer, codes, count).slice();
    if (first > 0) for (let rank = 0; rank < count; rank++) ordered[rank] += first;
    return ordered;
  });
}
