import { fstatSync, writeSync } from "node:fs";
import { alignedBytes, packItem, type PackedItem } from "./packItem.ts";

/** The descriptor under which a reader process inherits the file for large arrays. */
const bulkFile = 4;

/** Distance in bytes between two places of the file. The file is sparse, so unused bytes take no space. */
const placeBytes = 2 ** 32;

/** An item that a reader sends, and the place of its large arrays in the file. */
export interface BulkItem {
  readonly head: Uint8Array;
  /** Total bytes of the large arrays. They begin at the offset `at`. */
  readonly sizeBytes: number;
  readonly at: number;
}

/** The file through which a reader process sends large arrays to the host. */
export interface Bulk {
  /** Packs an item of a call, and writes its large arrays to a free place of the file. */
  pack(id: number, item: unknown): BulkItem;
  /** Frees the place of the oldest item of a call, because the host has received it. */
  free(id: number): void;
  /** Frees the places of all items of a call. */
  freeAll(id: number): void;
}

/** Opens the file, if the process inherited one. Otherwise, messages contain all arrays. */
export function openBulk(): Bulk {
  const isFile = fstatSync(bulkFile).isFile();
  const used = new Set<number>();
  const placesById = new Map<number, (number | undefined)[]>();
  const write = ({ arrays }: PackedItem): number => {
    let place = 0;
    while (used.has(place)) place++;
    let end = place * placeBytes;
    for (const array of arrays) {
      const from = alignedBytes(end);
      writeAll(array, from);
      end = from + array.byteLength;
    }
    used.add(place);
    return place;
  };
  const free = (place: number | undefined) => place !== undefined && used.delete(place);
  /** Returns the place of the large arrays; undefined if the message must contain them. */
  const placeOf = (packed: PackedItem): number | undefined => {
    try {
      return packed.arrays.length > 0 ? write(packed) : undefined;
    } catch {
      // The disk may be full. A message can send the arrays too, although more slowly.
      return undefined;
    }
  };
  return {
    pack(id, item) {
      const packed = packItem(item, !isFile);
      const place = placeOf(packed);
      placesById.set(id, [...(placesById.get(id) ?? []), place]);
      const { head, sizeBytes } =
        place === undefined && packed.arrays.length > 0 ? packItem(item, true) : packed;
      return { head, sizeBytes, at: (place ?? 0) * placeBytes };
    },
    free(id) {
      const places = placesById.get(id);
      free(places?.shift());
      if (places?.length === 0) placesById.delete(id);
    },
    freeAll(id) {
      placesById.get(id)?.forEach(free);
      placesById.delete(id);
    },
  };
}

function writeAll({ buffer, byteOffset, byteLength }: ArrayBufferView, at: number): void {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  for (let done = 0; done < byteLength;)
    done += writeSync(bulkFile, bytes, done, byteLength - done, at + done);
}
