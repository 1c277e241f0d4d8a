import { orderTablesBytes } from "../../kernels/textKernels.ts";
import { compareBytes, startOf, type TextBytesView } from "./compareBytes.ts";
import { mergeOrders } from "./mergeOrders.ts";
import { withTexts } from "./textMemory.ts";

/** Limits of a part that is ordered at once. Parts are merged. */
interface PartLimits {
  readonly texts: number;
  readonly bytes: number;
}
const partLimits: PartLimits = { texts: 2 ** 22, bytes: 2 ** 28 };
/** Room of the kernel for each text: codes, keys, both once more, runs. */
const codeBytes = 4;
const keyBytes = 8;
const runBytes = 6;

/**
 * Lists the codes from `first` to below `until`, of distinct texts, in the order of their bytes, which for UTF-8 is
 * the order of code points. One pass if they are in order already; else a kernel radix sorts a copy of the texts by the
 * next few bytes behind their common prefix, and again where these are equal. Creates no strings. About 30 ns a text;
 * takes their bytes and 34 more a text meanwhile.
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

/** The end of the texts from `first` on that are ordered at once, at least one. */
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
  // Places of whole numbers of 64 bytes, so that all are aligned.
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
