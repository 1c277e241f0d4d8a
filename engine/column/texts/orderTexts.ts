import { orderTablesBytes } from "../../kernels/textKernels.ts";
import { compareBytes, startOf, type TextBytesView } from "./compareBytes.ts";
import { mergeOrders } from "./mergeOrders.ts";
import { withTexts } from "./textMemory.ts";

/**
 * Maximum numbers of strings and of bytes to order in one call. If there are more, the strings are ordered in parts,
 * and the parts are merged.
 */
interface PartLimits {
  readonly texts: number;
  readonly bytes: number;
}
const partLimits: PartLimits = { texts: 2 ** 22, bytes: 2 ** 28 };
/** Kernel memory per string, in bytes: its code, its key, a second copy of both, and the list of runs. */
const codeBytes = 4;
const keyBytes = 8;
const runBytes = 6;

/**
 * Returns the codes at least `first` and below `until`, ordered by the UTF-8 bytes of their strings, which is the order
 * of code points. The strings must be distinct. If they are in order already, this takes one pass. Otherwise, a kernel
 * copies the strings and radix sorts them by the next few bytes after their common prefix. It repeats the sort for
 * strings that are still equal. Creates no JavaScript strings. Takes about 30 ns per string; temporarily needs a copy
 * of the bytes and 34 bytes per string.
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

/**
 * Returns the end of the part that starts at code `first` and can be ordered in one call. A part has at least one
 * string.
 */
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
