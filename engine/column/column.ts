import { appendRows, ColumnFill, storeCodes } from "./columnFill.ts";
import type { EncodedVector } from "../ingest/messages.ts";
import type { Block, Memory } from "../memory/memory.ts";
import type { ColumnDefinition, Vector } from "../types.ts";
import { Dictionary, dictionaryEntryBytes, packedTextsBytes } from "./dictionary.ts";
import { Directory } from "./directory.ts";
import { loadSegments } from "./loadSegments.ts";
import type { PackedTexts } from "./packedTexts.ts";
import { OpenRowGroup } from "./openRowGroup.ts";
import type { Placement } from "./placement.ts";
import type { SavedColumn } from "./savedColumn.ts";
import type { Segment } from "./segment.ts";
import { storedBytes } from "./storedBytes.ts";
import { emptySummary, summarize, type ColumnSummary } from "./summary.ts";

/** What of a column is in memory. A column that was never saved is always there. */
export type ColumnPart = "values" | "dictionary";

/** Texts that enter a dictionary before others have a turn: some milliseconds. */
const textsPerStep = 16_384;

/** Rows of texts that wait for the dictionary. */
interface PendingRows {
  readonly vector: Vector | EncodedVector | undefined;
  readonly rowCount: number;
}

/**
 * One column of a table: saved row groups, which a file holds and memory only when they were loaded; sealed row groups
 * that no file of segments holds yet; and the row group that fills. Rows are only ever added, so a reader of the first n
 * rows is never disturbed.
 */
export class Column {
  readonly definition: ColumnDefinition;
  readonly #memory: Memory;
  readonly #placement: Placement;
  readonly #directory: Directory;
  #open: OpenRowGroup;
  #summary: ColumnSummary;
  #saved: SavedColumn | undefined;
  /** Blocks of the saved row groups; undefined while they are not loaded. */
  #savedBlocks: readonly Pick<Block, "arena" | "offset">[] | undefined;
  #savedBytes = 0;
  #freshBytes = 0;
  #dictionary: Dictionary | undefined;
  /** While the dictionary is not loaded: the texts that came after the saved ones, and rows that could not be encoded. */
  #newTexts: readonly string[] = [];
  #pending: PendingRows[] = [];
  #chargedBytes = 0;
  #isClosed = false;
  #residency = 0;

  /** Begins with `rowCount` rows of null, or with the rows of a file. */
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
    if (typeof rows === "number") {
      this.#directory = new Directory(memory, 0);
      this.#summary = emptySummary;
      this.#savedBlocks = [];
      if (definition.type === "text") this.#dictionary = new Dictionary();
      this.append(undefined, 0, rows);
    } else {
      this.#directory = new Directory(memory, rows.rowGroupCount);
      this.#summary = rows.summary;
      this.#saved = rows;
    }
  }

  /** Of a text, once it is loaded. */
  get dictionary(): Dictionary | undefined {
    return this.#dictionary;
  }

  get memoryBytes(): number {
    return (
      this.#savedBytes +
      this.#freshBytes +
      this.#directory.memoryBytes +
      this.#open.memoryBytes +
      this.#chargedBytes
    );
  }

  /** Bytes of the row group that fills. */
  get openBytes(): number {
    return this.#open.memoryBytes;
  }

  get sealedCount(): number {
    return this.#directory.count;
  }

  /** Row groups that a file holds. */
  get savedCount(): number {
    return this.#saved?.rowGroupCount ?? 0;
  }

  get saved(): SavedColumn | undefined {
    return this.#saved;
  }

  /** Grows with every change of what memory holds but for rows that are added. */
  get residency(): number {
    return this.#residency;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Where the records of the sealed segments lie; undefined when there is none, or when the values are not loaded. */
  get directory(): { readonly arena: number; readonly offset: number } | undefined {
    return this.#savedBlocks && this.#directory.place;
  }

  /** Whether memory holds a part. */
  has(part: ColumnPart): boolean {
    if (part === "values") return this.#savedBlocks !== undefined;
    return this.definition.type !== "text" || this.#dictionary !== undefined;
  }

  /** A sealed segment; of the saved ones only when the values are loaded. */
  sealed(index: number): Segment {
    return this.#directory.at(index);
  }

  /** The row group that fills, as it is now; undefined when it has no rows. */
  tail(): Segment | undefined {
    return this.#open.segment();
  }

  /** What is known of all rows but those that wait for the dictionary. */
  summary(): ColumnSummary {
    const tail = this.tail();
    return tail ? summarize(this.#summary, tail) : this.#summary;
  }

  /** Adds `rowCount` rows of `vector`; without a vector they are null. The vector's type is the column's. */
  append(vector: Vector | EncodedVector | undefined, start: number, rowCount: number): void {
    if (!this.has("dictionary")) {
      const kept = vector && copyRows(vector, start, rowCount);
      this.#charge(pendingBytes(kept));
      this.#pending.push({ vector: kept, rowCount });
      return;
    }
    const values = vector && this.#store(vector);
    appendRows({
      values,
      type: this.definition.type,
      rows: [start, start + rowCount],
      open: this.#open,
      near: () => this.#placement[this.sealedCount],
      push: (segment) => this.#push(segment),
    });
  }

  /** Begins rows that nobody sees before they are taken; no others come meanwhile, and the dictionary stays in memory. Texts enter it at once. */
  fill(): ColumnFill {
    return new ColumnFill({
      definition: this.definition,
      memory: this.#memory,
      placement: this.#placement,
      sealedCount: this.sealedCount,
      open: this.#open,
      encode: (texts) => this.#encode(texts),
    });
  }

  /** Shows the rows of a fill. */
  take({ segments, open }: ColumnFill): void {
    for (const segment of segments) this.#push(segment);
    this.#open.clear();
    this.#open = open;
  }

  /** Forgets the texts that came with a fill that came to nothing. Who knows the dictionary keeps it as it is. */
  keepTexts(count: number): void {
    if (!this.#dictionary || this.#dictionary.size === count) return;
    const before = this.#dictionary.memoryBytes;
    this.#dictionary = new Dictionary(this.#dictionary.texts.slice(0, count));
    this.#charge(this.#dictionary.memoryBytes - before);
    this.#residency++;
  }

  /**
   * Reads a part that memory does not hold from its file. A file that is exchanged meanwhile may be gone, so the new one
   * is read then; a column that is closed meanwhile stays closed.
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

  /** Gives back what a file holds; nobody reads it at this time. */
  evict(): void {
    if (!this.#saved || this.#isClosed) return;
    for (const block of this.#savedBlocks ?? []) this.#memory.freeAtOnce(block);
    this.#savedBlocks = undefined;
    this.#savedBytes = 0;
    this.#residency++;
    if (!this.#dictionary) return;
    this.#newTexts = this.#dictionary.texts.slice(this.#saved.textCount);
    this.#dictionary = undefined;
    this.#charge(textBytes(this.#newTexts) - this.#chargedBytes);
  }

  /** Takes a file that holds at least the row groups of the file before, and of a text the texts that are known now or fewer; a dictionary is in memory at this time. */
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

  /** Frees all memory; snapshots that leases protect stay readable. */
  close(): void {
    if (this.#isClosed) return;
    for (const block of this.#savedBlocks ?? []) this.#memory.free(block);
    for (let index = this.savedCount; index < this.sealedCount; index++) {
      const { values } = this.sealed(index);
      if (values) this.#memory.free(values);
    }
    this.#charge(-this.#chargedBytes);
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
    let texts: readonly string[];
    try {
      texts = await saved.readTexts();
    } finally {
      this.#memory.release(saved.textBytes);
    }
    if (this.#isClosed || this.#saved !== saved || this.has("dictionary")) return;
    this.#dictionary = new Dictionary(texts);
    for (const text of this.#newTexts) this.#dictionary.encode(text);
    this.#newTexts = [];
    const pending = this.#pending.splice(0);
    this.#charge(this.#dictionary.memoryBytes - this.#chargedBytes);
    for (const { vector, rowCount } of pending) this.append(vector, 0, rowCount);
    this.#residency++;
  }

  #store(vector: Vector | EncodedVector): Float64Array | Int32Array {
    if (vector.type !== "text") return vector.values;
    const dictionary = this.#dictionary!;
    const before = dictionary.memoryBytes;
    const codes =
      "texts" in vector
        ? storeCodes(vector.codes, dictionary.merge(vector.texts))
        : translate(vector, dictionary);
    this.#charge(dictionary.memoryBytes - before);
    return codes;
  }

  /** Enters texts into the dictionary and returns their codes; pauses now and then. */
  *#encode(texts: PackedTexts): Generator<void, Int32Array> {
    const dictionary = this.#dictionary!;
    const merging = dictionary.mergeInSteps(texts, textsPerStep);
    for (;;) {
      const before = dictionary.memoryBytes;
      const { done, value } = merging.next();
      this.#charge(dictionary.memoryBytes - before);
      if (done) return value;
      yield;
    }
  }

  #push(segment: Segment): void {
    const rowGroup = this.sealedCount;
    this.#placement[rowGroup] ??= segment.values?.arena;
    this.#directory.push(segment);
    this.#summary = summarize(this.#summary, segment);
    this.#freshBytes += storedBytes(segment);
  }

  #charge(sizeBytes: number): void {
    this.#chargedBytes += sizeBytes;
    this.#memory.charge(sizeBytes);
  }
}

/** Translates a batch's codes into stored codes (the dictionary's code plus one, 0 is null); only texts that occur enter the dictionary. */
function translate(vector: Extract<Vector, { type: "text" }>, dictionary: Dictionary): Int32Array {
  const known = new Int32Array(vector.dictionary.length);
  const stored = new Int32Array(vector.codes.length);
  for (let row = 0; row < stored.length; row++) {
    const code = vector.codes[row];
    if (code < 0) continue;
    if (known[code] === 0) known[code] = dictionary.encode(vector.dictionary[code]) + 1;
    stored[row] = known[code];
  }
  return stored;
}

const textBytes = (texts: readonly string[]) =>
  texts.reduce((sum, text) => sum + dictionaryEntryBytes(text), 0);

/** The caller may use the vector's arrays again once the rows are added, so rows that wait are a copy. */
function copyRows(
  vector: Vector | EncodedVector,
  start: number,
  rowCount: number,
): Vector | EncodedVector {
  if (vector.type !== "text")
    return { type: vector.type, values: vector.values.slice(start, start + rowCount) };
  // An encoded vector belongs to its change alone, and is added whole.
  if ("texts" in vector) return vector;
  const codes = vector.codes.slice(start, start + rowCount);
  return { type: "text", codes, dictionary: [...vector.dictionary] };
}

function pendingBytes(vector: Vector | EncodedVector | undefined): number {
  if (vector?.type !== "text") return 0;
  const texts = "texts" in vector ? packedTextsBytes(vector.texts) : textBytes(vector.dictionary);
  return vector.codes.byteLength + texts;
}
