/**
 * Lists the buffers of all typed arrays in a message, except shared memory. Lists of strings and of numbers are not
 * searched.
 */
export function buffersOf(message: unknown): ReadonlySet<ArrayBuffer> {
  const buffers = new Set<ArrayBuffer>();
  const collect = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer) buffers.add(value.buffer);
    } else if (Array.isArray(value)) {
      if (typeof value[0] !== "number" && typeof value[0] !== "string") value.forEach(collect);
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  collect(message);
  return buffers;
}
