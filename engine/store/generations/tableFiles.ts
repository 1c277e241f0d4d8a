import { rowGroupSize } from "../../column/segment/segment.ts";
import type { SegmentFile } from "../../files/segmentFile.ts";
import type { TableLog } from "../../files/tableLog.ts";
import type { Generation } from "./rewriteTable.ts";

/** The files of a table: a log and, once it has been compacted, a segment file. A temporary table has no files. */
export class TableFiles {
  /** Minimum size in bytes of a log that is compacted. */
  readonly #logBytes: number;
  #log: TableLog | undefined;
  #segments: SegmentFile | undefined;
  #generation = 0;
  /** Bytes of the log after the last compaction, or at the time of the last failed compaction. */
  #logStartBytes = 0;
  /** The table version whose rows the files contain in compact form; -1 if there is none. */
  #compactVersion = -1;

  /** Creates an instance from the files that were opened for a version of a table. */
  constructor(
    opened: Generation | undefined,
    { rowCount, version }: { readonly rowCount: number; readonly version: number },
    logBytes: number,
  ) {
    this.#logBytes = logBytes;
    this.#log = opened?.log;
    this.#segments = opened?.segments;
    const savedCount = opened?.segments?.footer.rowGroupCount ?? 0;
    const rowGroups = rowCount / rowGroupSize;
    const isCompact =
      savedCount === Math.floor(rowGroups) &&
      opened?.changeCount === Math.max(1, Math.ceil(rowGroups) - savedCount);
    if (isCompact) this.#compactVersion = version;
  }

  get log(): TableLog | undefined {
    return this.#log;
  }

  /** The number of times that the files have been replaced. */
  get generation(): number {
    return this.#generation;
  }

  get paths(): readonly string[] {
    return this.#present().map(({ path }) => path);
  }

  get sizeBytes(): number {
    return this.#present().reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  }

  isCompact(version: number): boolean {
    return this.#compactVersion === version;
  }

  /** Returns whether the log is large enough to compact. */
  isLogGrown(version: number): boolean {
    const size = this.#log?.sizeBytes ?? 0;
    const segmentBytes = this.#segments?.sizeBytes ?? 0;
    return (
      !this.isCompact(version) &&
      size > Math.max(this.#logBytes, 2 * segmentBytes, 2 * this.#logStartBytes)
    );
  }

  /** Records a failed compaction: the log must double in size before `isLogGrown` returns true again. */
  putOff(): void {
    this.#logStartBytes = this.#log?.sizeBytes ?? 0;
  }

  /**
   * Switches to files that contain the current state of a table, and returns the previous files. The new files are
   * compact unless full row groups were added while the files were written.
   */
  exchange(
    { log, segments }: Generation,
    { rowCount, version }: { readonly rowCount: number; readonly version: number },
  ): readonly (TableLog | SegmentFile)[] {
    const before = this.#present();
    this.#log = log;
    this.#segments = segments;
    this.#generation++;
    const savedCount = segments?.footer.rowGroupCount ?? 0;
    this.#compactVersion = savedCount === Math.floor(rowCount / rowGroupSize) ? version : -1;
    this.putOff();
    return before;
  }

  async close(): Promise<void> {
    for (const file of this.#present()) await file.close();
  }

  #present(): readonly (TableLog | SegmentFile)[] {
    return [this.#log, this.#segments].flatMap((file) => file ?? []);
  }
}
