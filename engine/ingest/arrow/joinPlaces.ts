import type { Data } from "apache-arrow";
import type { DecodeMemory } from "../decode/decodeMemory.ts";
import type { TextPlaces } from "../decode/textReader.ts";

/** Merges the string positions of all parts of a dictionary into one list, whose positions all refer to one buffer. */
export function joinPlaces(
  memory: DecodeMemory,
  placed: readonly TextPlaces[],
  chunks: readonly Data[],
): TextPlaces {
  if (placed.length === 1) return placed[0];
  const size = chunks.reduce((sum, { length }) => sum + length, 0);
  const source = Math.min(...placed.map((each) => each.source));
  const sourceEnd = Math.max(...placed.map((each) => each.source + each.sizeBytes));
  const starts = memory.take(size * 4);
  const ends = memory.take(size * 4);
  let first = 0;
  placed.forEach((each, index) => {
    const { length } = chunks[index];
    const by = each.source - source;
    const ownStarts = memory.words(each.starts, length);
    const ownEnds = memory.words(each.ends, length);
    const allStarts = memory.words(starts + first * 4, length);
    const allEnds = memory.words(ends + first * 4, length);
    for (let entry = 0; entry < length; entry++) {
      const isInside =
        ownStarts[entry] >= 0 &&
        ownStarts[entry] <= ownEnds[entry] &&
        ownEnds[entry] <= each.sizeBytes;
      allStarts[entry] = isInside ? ownStarts[entry] + by : -1;
      allEnds[entry] = isInside ? ownEnds[entry] + by : 0;
    }
    first += length;
  });
  return { source, sizeBytes: sourceEnd - source, starts, ends };
}
