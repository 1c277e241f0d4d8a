/** Concatenates the columns of the parts of an answer. */
export function joinParts(parts: readonly (readonly Float64Array[])[]): Float64Array[] {
  return parts[0].map((_, index) => concatenate(parts.map((part) => part[index])));
}

/** Concatenates arrays. Returns a single array without copying it. */
function concatenate(parts: readonly Float64Array[]): Float64Array {
  if (parts.length === 1) return parts[0];
  const whole = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
