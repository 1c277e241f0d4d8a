import { runSteps } from "../runSteps.ts";
import { appendRows, type RowTarget } from "./appendRows.ts";
import { appendSealed } from "./appendSealed.ts";
import { ColumnFill } from "./columnFill.ts";
import { ColumnTexts } from "./columnTexts.ts";
import type { Block, Memory } from "../memory/memory.ts";
import type { ColumnDefinition } from "../types.ts";
import { copyBlocks } from "./copyBlocks.ts";
import { Dictionary } from "./texts/dictionary.ts";
import { Directory } from "./segment/directory.ts";
import { loadSegments } from "./loadSegments.ts";
import { OpenRowGroup } from "./openRowGroup.ts";
import type { Placement } from "./placement.ts";
import type { SavedColumn } from "./savedColumn.ts";
import type { Segment } from "./segment/segment.ts";
import { storedBytes } from "./segment/storedBytes.ts";
import { emptySummary, summarize, type ColumnSummary } from "./segment/summary.ts";
import type { AddedBatchColumn } from "./waitingRows.ts";

/** A part of a column that is loaded and evicted as a whole. A column that was never saved is always in memory. */
export type ColumnPart = "values" | "dictionary";

/**
 * One column of a table. Its first rows are in saved row groups, which are in a file and possibly also in memory. They
 * are followed by sealed row groups that no segment file contains yet. The last rows are in the open row group. Rows
 * are only appended, so the first n rows never change for their readers.
 */
export class Column {
  readonly definition: ColumnDefinition;
  readonly #memory: Memory;
  readonly #placement: Placement;
  readonly #directory: Directory;
  #open: OpenRowGroup;
  #summary: ColumnSummary;
  #saved: SavedColumn | undefined;
  /** Blocks of the saved row groups; undefined if they are not loaded. */
  #savedBlocks: readonly Pick<Block, "arena" | "offset">[] | undefined;
  #savedBytes = 0;
  #freshBytes = 0;
  readonly #texts: ColumnTexts;
  #isClosed = false;
  #residency = 0;

  /** Creates a column with `rowCount` nulls, or with the rows of a file. */
  constructor(
    definition: ColumnDefinition,
    memory: Memory,
    placement: Placement,
    rows: number | SavedColumn,
  ) {
    this.definition = definition;
    this.#memory = memory;
    this.#placement = placement;
    this.#open = new OpenRowGroup(memory, definition.type);
    this.#texts = new ColumnTexts(memory, definition.type === "text", typeof rows === "number");
    if (typeof rows === "number") {
      this.#directory = new Directory(memory, 0);
      this.#summary = emptySummary;
      this.#savedBlocks = [];
      this.append(undefined, rows);
    } else {
      this.#directory = new Directory(memory, rows.rowGroupCount);
      this.#summary = rows.summary;
      this.#saved = rows;
    }
  }

  /** The dictionary of a text column; undefined for other types, and while the dictionary is not loaded. */
  get dictionary(): Dictionary | undefined {
    return this.#texts.dictionary;
  }

  get memoryBytes(): number {
    return (
      this.#savedBytes +
      this.#freshBytes +
      this.#directory.memoryBytes +
      this.#open.memoryBytes +
      this.#texts.chargedBytes
    );
  }

  /** Bytes used by the open row group. */
  get openBytes(): number {
    return this.#open.memoryBytes;
  }

  get sealedCount(): number {
    return this.#directory.count;
  }

  /** Number of row groups that a file stores. */
  get savedCount(): number {
    return this.#saved?.rowGroupCount ?? 0;
  }

  get saved(): SavedColumn | undefined {
    return this.#saved;
  }

  /**
   * A number that increases whenever parts of the column are loaded, evicted or moved, but not when rows are appended.
   */
  get residency(): number {
    return this.#residency;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * The location of the sealed segments' records; undefined if no segment is sealed or the values are not loaded.
   */
  get directory(): { readonly arena: number; readonly offset: number } | undefined {
    return this.#savedBlocks && this.#directory.place;
  }

  /** Returns whether a part is in memory. */
  has(part: ColumnPart): boolean {
    if (part === "values") return this.#savedBlocks !== undefined;
    return this.#texts.isLoaded;
  }

  /** Returns a sealed segment. Saved segments must be loaded first. */
  sealed(index: number): Segment {
    return this.#directory.at(index);
  }

  /** Returns the current state of the open row group; undefined if it is empty. */
  tail(): Segment | undefined {
    return this.#open.segment();
  }

  /** Summarizes all rows, except rows that wait for the dictionary. */
  summary(): ColumnSummary {
    const tail = this.tail();
    return tail ? summarize(this.#summary, tail) : this.#summary;
  }

  /** Appends `rowCount` rows of `added`, which must have the column's type. If `added` is undefined, appends nulls. */
  append(added: AddedBatchColumn | undefined, rowCount: number): void {
    if (!this.#texts.isLoaded) return this.#texts.wait(added, rowCount);
    const target: RowTarget = {
      type: this.definition.type,
      open: this.#open,
      near: () => this.#placement[this.sealedCount],
      push: (segment) => this.#push(segment),
    };
    if (added && "segments" in added) {
      const codes = added.texts && this.#texts.merge(added.texts);
      runSteps(appendSealed(target, this.#memory, added, codes));
    } else appendRows(target, added && this.#texts.store(added), rowCount);
  }

  /**
   * Starts a fill. Its rows stay invisible until `take`. Until then, the caller must not add other rows, and must keep
   * the dictionary in memory. New strings enter the dictionary immediately.
   */
  fill(): ColumnFill {
    return new ColumnFill({
      definition: this.definition,
      memory: this.#memory,
      placement: this.#placement,
      sealedCount: this.sealedCount,
      open: this.#open,
      encode: (texts, codes) => this.#texts.encode(texts, codes),
    });
  }

  /** Makes the rows of a fill visible. */
  take({ segments, open }: ColumnFill): void {
    for (const segment of segments) this.#push(segment);
    this.#open.clear();
    this.#open = open;
  }

  /**
   * Removes the strings that a failed fill has added: all strings after the first `count`. Earlier readers
   * keep their dictionary.
   */
  truncateTexts(count: number): void {
    if (this.#texts.truncate(count)) this.#residency++;
  }

  /**
   * Loads a part from the column's file unless the part is in memory. If the file is replaced during the read, loads
   * the part from the new file. If the column is closed during the read, it stays closed.
   * @throws {DamagedFile}
   * @throws {EngineError} STORE_OUT_OF_MEMORY
   */
  async load(part: ColumnPart): Promise<void> {
    while (!this.has(part) && !this.#isClosed && this.#saved) {
      const saved = this.#saved;
      try {
        await (part === "values" ? this.#loadValues(saved) : this.#loadTexts(saved));
      } catch (error) {
        if (this.#saved === saved && !this.#isClosed) throw error;
      }
    }
  }

  /**
   * Frees the memory of everything that is also in the column's file. Callers must ensure that nobody reads the column.
   */
  evict(): void {
    if (!this.#saved || this.#isClosed) return;
    for (const block of this.#savedBlocks ?? []) this.#memory.freeAtOnce(block);
    this.#savedBlocks = undefined;
    this.#savedBytes = 0;
    this.#residency++;
    this.#texts.evict(this.#saved.textCount);
  }

  /**
   * Copies about `sizeBytes` of the column from one arena to other arenas. Earlier readers keep their data. Returns
   * true if the arena no longer contains any part of the column, except parts that are being loaded.
   * @throws {EngineError} STORE_OUT_OF_MEMORY if the system has no memory left
   */
  leave(arena: number, sizeBytes: number): boolean {
    if (this.#isClosed) return true;
    if (this.#open.leave(arena)) this.#residency++;
    const isLoaded = this.#savedBlocks !== undefined;
    const segments = Array.from({ length: this.sealedCount }, (_, index) =>
      isLoaded || index >= this.savedCount ? this.sealed(index) : undefined,
    );
    const fresh = segments.slice(this.savedCount).flatMap((segment) => segment?.values ?? []);
    const offsets = [...(this.#savedBlocks ?? []), ...fresh]
      .filter((place) => place.arena === arena)
      .map(({ offset }) => offset);
    if (offsets.length === 0 && !this.#directory.isIn(arena)) return true;
    const copies = copyBlocks(this.#memory, arena, offsets, segments, sizeBytes);
    try {
      this.#directory.exchange(copies.segments);
    } catch (error) {
      for (const block of copies.blocks.values()) this.#memory.freeAtOnce(block);
      throw error;
    }
    this.#savedBlocks = this.#savedBlocks?.map((block) =>
      block.arena === arena ? (copies.blocks.get(block.offset) ?? block) : block,
    );
    for (const [index, { values }] of copies.segments) this.#placement[index] = values?.arena;
    for (const offset of copies.blocks.keys()) this.#memory.free({ arena, offset });
    this.#residency++;
    return copies.isWhole;
  }

  /**
   * Switches to another file. The file must contain at least the row groups of the previous file and, for a text
   * column, no strings that the dictionary lacks. The dictionary must be in memory.
   */
  adopt(saved: SavedColumn): void {
    const before = this.savedCount;
    const blocks: Pick<Block, "arena" | "offset">[] = [];
    for (let index = before; index < saved.rowGroupCount; index++) {
      const segment = this.sealed(index);
      if (segment.values) blocks.push(segment.values);
      this.#freshBytes -= storedBytes(segment);
      if (this.#savedBlocks) this.#savedBytes += storedBytes(segment);
    }
    if (this.#savedBlocks) this.#savedBlocks = [...this.#savedBlocks, ...blocks];
    else for (const block of blocks) this.#memory.free(block);
    this.#saved = saved;
  }

  /** Frees all memory. Snapshots that are protected by leases stay readable. */
  close(): void {
    if (this.#isClosed) return;
    for (const block of this.#savedBlocks ?? []) this.#memory.free(block);
    for (let index = this.savedCount; index < this.sealedCount; index++) {
      const { values } = this.sealed(index);
      if (values) this.#memory.free(values);
    }
    this.#texts.close();
    this.#directory.clear();
    this.#open.clear();
    this.#savedBytes = 0;
    this.#freshBytes = 0;
    this.#isClosed = true;
  }

  async #loadValues(saved: SavedColumn): Promise<void> {
    const loaded = await loadSegments(this.#memory, saved, (rowGroup) => this.#placement[rowGroup]);
    if (this.#isClosed || this.#saved !== saved || this.has("values")) {
      for (const block of loaded.blocks) this.#memory.freeAtOnce(block);
      return;
    }
    loaded.segments.forEach((segment, rowGroup) => {
      this.#placement[rowGroup] ??= segment.values?.arena;
      this.#savedBytes += storedBytes(segment);
    });
    this.#directory.setFirst(loaded.segments);
    this.#savedBlocks = loaded.blocks;
    this.#residency++;
  }

  async #loadTexts(saved: SavedColumn): Promise<void> {
    this.#memory.reserve(saved.textBytes);
    const dictionary = new Dictionary();
    try {
      await saved.readTexts(dictionary);
    } finally {
      this.#memory.release(saved.textBytes);
    }
    if (this.#isClosed || this.#saved !== saved || this.has("dictionary")) return;
    for (const { added, rowCount } of this.#texts.load(dictionary)) this.append(added, rowCount);
    this.#residency++;
  }

  #push(segment: Segment): void {
    const rowGroup = this.sealedCount;
    this.#placement[rowGroup] ??= segment.values?.arena;
    this.#directory.push(segment);
    this.#summary = summarize(this.#summary, segment);
    this.#freshBytes += storedBytes(segment);
  }
}
