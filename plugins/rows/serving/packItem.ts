import { DefaultDeserializer, DefaultSerializer } from "node:v8";

/**
 * An item in the form in which processes send it: its structure, and next to it the bytes of its arrays, if it is
 * large.
 */
export interface PackedItem {
  readonly head: Uint8Array;
  /** The arrays outside the head, in order. Each begins at the next multiple of `alignBytes`. */
  readonly arrays: readonly ArrayBufferView[];
  /** Total bytes of these arrays, with the gaps between them. */
  readonly sizeBytes: number;
}

/** An item with an array of at least this many bytes is large. Its other arrays are sent like that array. */
const leastBytes = 2 ** 14;
const alignBytes = 8;

interface Kind {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): ArrayBufferView;
}

const kinds: readonly Kind[] = [
  Uint8Array,
  Int8Array,
  Uint8ClampedArray,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
];

/** Returns the next offset at which an array may begin. */
export const alignedBytes = (sizeBytes: number): number =>
  Math.ceil(sizeBytes / alignBytes) * alignBytes;

/**
 * Packs an item. The arrays of a large item are not copied: the caller sends their bytes. If `isWhole`, the head
 * contains all arrays.
 */
export function packItem(item: unknown, isWhole: boolean): PackedItem {
  const packed = packArrays(item, isWhole ? Infinity : leastBytes);
  return packed.arrays.length > 0 ? packArrays(item, 1) : packed;
}

/** Packs an item with the arrays of fewer than `fromBytes` in its head. */
function packArrays(item: unknown, fromBytes: number): PackedItem {
  const serializer = new ItemSerializer(fromBytes);
  serializer.writeHeader();
  serializer.writeValue(item);
  const { arrays, sizeBytes } = serializer;
  return { head: serializer.releaseBuffer(), arrays, sizeBytes };
}

/**
 * Unpacks an item. Its large arrays are views of `memory`, which contains their bytes.
 * @throws {Error} of any class if the head is damaged, or refers to bytes outside `memory`
 */
export function unpackItem<Item>(head: Uint8Array, memory: SharedArrayBuffer): Item {
  const deserializer = new ItemDeserializer(head, memory);
  deserializer.readHeader();
  return deserializer.readValue();
}

class ItemSerializer extends DefaultSerializer {
  readonly arrays: ArrayBufferView[] = [];
  sizeBytes = 0;
  readonly #fromBytes: number;

  constructor(fromBytes: number) {
    super();
    this.#fromBytes = fromBytes;
  }

  _writeHostObject(array: NodeJS.ArrayBufferView): void {
    const { byteLength } = array;
    const kind = kinds.findIndex((each) => array instanceof each);
    if (kind < 0) throw new TypeError("an item may contain only arrays of numbers");
    this.writeUint32(kind);
    this.writeDouble(byteLength);
    const isLarge = byteLength >= this.#fromBytes;
    this.writeUint32(isLarge ? 1 : 0);
    if (!isLarge) return this.writeRawBytes(array);
    const from = alignedBytes(this.sizeBytes);
    this.writeDouble(from);
    this.arrays.push(array);
    this.sizeBytes = from + byteLength;
  }
}

class ItemDeserializer extends DefaultDeserializer {
  readonly #memory: SharedArrayBuffer;

  constructor(head: Uint8Array, memory: SharedArrayBuffer) {
    super(head);
    this.#memory = memory;
  }

  _readHostObject(): ArrayBufferView {
    const kind = kinds[this.readUint32()];
    if (!kind) throw new TypeError("an item has an array of an unknown type");
    const sizeBytes = this.readDouble();
    const count = sizeBytes / kind.BYTES_PER_ELEMENT;
    const isLarge = this.readUint32() === 1;
    if (isLarge) return new kind(this.#memory, this.readDouble(), count);
    return new kind(new Uint8Array(this.readRawBytes(sizeBytes)).buffer, 0, count);
  }
}
