import type { Bin } from "../../plugins/protocol/index.ts";
import { ApiError } from "../errors.ts";

const label = /^\s*\[\s*(\S+)\s*-\s*(\S+)\s*\[\s*$/;
/** Of a width: what labels leave of the last digits of a number. */
const near = 1e-6;

/**
 * Reads what a filter on bins compares with: where a bin starts, or its label as answers have it, `[ 100 - 150 [`. A number that is the
 * start of a bin but for its last digits becomes that start, any other stays as it is.
 * @throws {ApiError} MEMBER_INVALID for the label of another width, or no label
 */
export function readBin(cell: string | number, { width, origin }: Bin, path: string): number {
  const snapped = (value: number): number => {
    const start = origin + Math.round((value - origin) / width) * width;
    return Math.abs(start - value) <= near * width ? start : value;
  };
  if (typeof cell === "number") return snapped(cell);
  const [, from, to] = label.exec(cell) ?? [];
  const [low, high] = [Number(from), Number(to)];
  const rounding = Math.max(Math.abs(low), Math.abs(high)) * 1e-11;
  if (Math.abs(high - low - width) <= near * width + rounding) return snapped(low);
  throw new ApiError("MEMBER_INVALID", [
    path,
    `it must be the number at which a bin starts, or its label such as [ ${origin} - ${origin + width} [`,
  ]);
}
