import { limitsOf, type Bin } from "../../../plugins/protocol/index.ts";
import { ApiError } from "../../base/index.ts";
import { binText } from "./binText.ts";

const label = /^\s*\[\s*(\S+)\s*-\s*(\S+)\s*\[\s*$/;

/**
 * Reads a value of a filter on bins: the start of a bin, or a label such as `[ 100 - 150 [`.
 * @throws {ApiError} MEMBER_INVALID for a label that does not belong to a bin
 */
export function readBin(cell: string | number, bin: Bin, path: string): number {
  if (typeof cell === "number") return cell;
  const [, from, to] = label.exec(cell) ?? [];
  const [low, high] = [Number(from), Number(to)];
  const { indexOf, limit, startOf } = limitsOf(bin);
  if (startOf(low) === low && limit(indexOf(low) + 1) === high) return low;
  throw new ApiError("MEMBER_INVALID", [
    path,
    `it must be the number at which a bin starts, or its label, such as ${binText(bin.origin, bin)}`,
  ]);
}
