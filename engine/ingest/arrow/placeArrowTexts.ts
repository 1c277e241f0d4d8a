import { DataType } from "apache-arrow";
import type { ArrowPiece } from "./arrowPiece.ts";
import type { DecodeMemory } from "../decode/decodeMemory.ts";
import type { TextPlaces } from "../decode/textReader.ts";
import { unreadableArrow } from "./unreadableArrow.ts";

/** Copies the strings of a piece to the memory. */
export function placeArrowTexts(memory: DecodeMemory, piece: ArrowPiece): TextPlaces {
  const { data, start, count } = piece;
  if (DataType.isUtf8View(data.type)) return placeViews(memory, piece);
  const all: Int32Array | BigInt64Array = data.valueOffsets;
  if (all.length < start + count + 1) throw unreadableArrow("a buffer of offsets is too short");
  const bytes: Uint8Array = data.values;
  const first = Number(all[start]);
  const last = Number(all[start + count]);
  const isInside = first >= 0 && last >= first && last <= bytes.length;
  const from = isInside ? first : 0;
  const source = bytes.subarray(from, isInside ? last : undefined);
  const own = all.subarray(start, start + count + 1);
  // An offset that does not fit in 32 bits lies outside the source.
  const offsets =
    own instanceof Int32Array
      ? own
      : Int32Array.from(own, (offset) =>
          Math.max(-1, Math.min(Number(offset) - from, 2 ** 31 - 1)),
        );
  const places = {
    source: memory.place(source),
    sizeBytes: source.length,
    starts: memory.take(count * 4),
    ends: memory.take(count * 4),
  };
  const { starts, ends } = places;
  const base = own instanceof Int32Array ? from : 0;
  memory.decoders.placeTexts(
    memory.place(offsets),
    count,
    base + source.length,
    -base,
    starts,
    ends,
  );
  return places;
}

/**
 * Reads views of 16 bytes: a length, then either up to 12 bytes of the string, or its first 4 bytes and its location.
 */
function placeViews(memory: DecodeMemory, { data, start, count }: ArrowPiece): TextPlaces {
  const all: Uint8Array = data.values;
  const views = all.subarray(start * 16, (start + count) * 16);
  if (views.length < count * 16) throw unreadableArrow("a buffer of views is too short");
  const words = new DataView(views.buffer, views.byteOffset, views.length);
  const starts = new Int32Array(count);
  const ends = new Int32Array(count);
  const pieces: Uint8Array[] = [views];
  let sizeBytes = views.length;
  for (let row = 0; row < count; row++) {
    const at = row * 16;
    const length = words.getInt32(at, true);
    const buffer = data.variadicBuffers[length > 12 ? words.getInt32(at + 8, true) : 0];
    const from = words.getInt32(at + 12, true);
    if (length <= 12) {
      starts[row] = at + 4;
      ends[row] = at + 4 + length;
    } else if (buffer && from >= 0 && from + length <= buffer.length) {
      pieces.push(buffer.subarray(from, from + length));
      starts[row] = sizeBytes;
      sizeBytes += length;
      ends[row] = sizeBytes;
    } else starts[row] = -1;
  }
  const source = memory.take(sizeBytes);
  let to = source;
  for (const each of pieces) {
    memory.bytes(to, each.length).set(each);
    to += each.length;
  }
  return { source, sizeBytes, starts: memory.place(starts), ends: memory.place(ends) };
}
