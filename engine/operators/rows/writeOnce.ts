import type { Compilation, Vector } from "./compilation.ts";

/**
 * Returns a vector that is written once for each set of active rows. `write` writes at most `sizeBytes` to an address.
 */
export function writeOnce(
  write: (to: number) => unknown,
  sizeBytes: number,
  { source, workspace }: Compilation,
): Vector {
  const place = workspace.reserve(sizeBytes);
  let stamp = -1;
  return {
    read: () => {
      const to = source.base + place;
      if (stamp !== source.stamp) {
        write(to);
        stamp = source.stamp;
      }
      return to;
    },
  };
}
