import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { BatchColumn } from "../../../plugins/protocol/index.ts";
import { detectType, type DetectedType } from "./detectType.ts";
import { encodeInTurns, type EncodedColumn } from "./encodeRows.ts";

/** The rows of a push, which have equal widths. Their cells are not checked against columns yet. */
export interface PushedRows {
  readonly count: number;
  /** Number of cells of every row; undefined without rows. */
  readonly width: number | undefined;
  /** Detects the type of the cells at a position; see `detectType`. */
  detect(position: number): DetectedType;
  /**
   * Encodes the cells as columns.
   * @throws {ApiError} DATA_CELL_INVALID with row and column, both counted from 1
   */
  encode(columns: readonly EncodedColumn[]): Promise<readonly BatchColumn[]>;
  /** Returns the SHA-256 in Base64 of a prefix and the rows, each as `JSON.stringify` writes it. */
  digest(): Promise<string>;
  /** Allows the memory of the encoded columns to be reused. They must not be read afterwards. */
  release(): void;
}

/** Cells to hash per turn of the event loop: a few milliseconds. */
const cellsATurn = 50_000;

/** Returns pushed rows whose cells are parsed. */
export function pushedRows(
  rows: readonly (readonly unknown[])[],
  digestPrefix: string,
): PushedRows {
  const width = rows[0]?.length;
  return {
    count: rows.length,
    width,
    detect: (position) => detectType(rows, position),
    encode: (columns) => encodeInTurns(rows, columns),
    async digest() {
      const hash = createHash("sha256").update(digestPrefix);
      const rowsATurn = Math.max(1, Math.floor(cellsATurn / Math.max(1, width ?? 1)));
      for (let from = 0; from < rows.length; from += rowsATurn) {
        if (from > 0) await setImmediate();
        for (const row of rows.slice(from, from + rowsATurn))
          hash.update(`${JSON.stringify(row)}\n`);
      }
      return hash.digest("base64");
    },
    release() {},
  };
}
