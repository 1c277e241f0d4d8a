import { ByteBuffer } from "flatbuffers";

/**
 * Number of elements that may be read per byte of metadata. An element takes at least one byte, and apache-arrow reads
 * few vectors twice.
 */
const mostElementsPerByte = 4;

const elementCounts = new WeakMap<ByteBuffer, number>();

/**
 * Makes flatbuffers refuse the vectors of a buffer once they declare more elements than its bytes could hold. The check
 * is needed because apache-arrow reads as many elements as a vector declares, and follows references to the same vector
 * again and again. It applies to the whole process, so only processes that read files may load this module.
 * @throws {Error} from the reader of the buffer
 */
export function checkFlatbuffers(): void {
  const { __vector_len: declaredLength } = ByteBuffer.prototype;
  ByteBuffer.prototype.__vector_len = function checked(offset) {
    const length = declaredLength.call(this, offset);
    const count = (elementCounts.get(this) ?? 0) + length;
    if (!(length >= 0 && count <= mostElementsPerByte * this.capacity()))
      throw new Error("its metadata declares more elements than it has bytes");
    elementCounts.set(this, count);
    return length;
  };
}
