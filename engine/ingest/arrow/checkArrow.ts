import { awaitBytes } from "../decode/arrivingBytes.ts";

const schemaKind = 1;
/** The kind of dictionary messages, and the index of the list of dictionaries in the footer. */
const dictionaryKind = 2;
const recordKind = 3;

/** Maximum number of tables in the metadata of one message. A table counts each time that the metadata refers to it. */
const tableLimit = 100_000;
const depthLimit = 64;

/** A message of Arrow IPC bytes. */
export interface ArrowMessage {
  readonly kind: "schema" | "dictionary" | "batch";
  /** The byte range of the message, including its body. */
  readonly start: number;
  readonly end: number;
  readonly isCompressed: boolean;
  /** Number of rows of a batch; 0 for other messages. */
  readonly rowCount: number;
  /** The id of the dictionary, and whether the message adds to the dictionary. */
  readonly id: bigint;
  readonly isDelta: boolean;
}

/** The messages of Arrow IPC bytes. */
export interface ArrowMessages {
  /**
   * Whether the bytes are a file, whose schema is in the footer. In a stream, the first message contains the schema.
   */
  readonly isFile: boolean;
  /**
   * The messages in the order in which they apply: in a file, dictionaries precede batches. Each message is read on
   * demand.
   */
  readonly messages: Iterable<ArrowMessage>;
}

/**
 * Lists the messages of Arrow IPC bytes. Some of the bytes may not have arrived yet. Checks that every list in the
 * metadata lies within the metadata. apache-arrow does not check this, and a damaged length would make it allocate
 * endlessly. Source: https://arrow.apache.org/docs/format/Columnar.html, Message.fbs, Schema.fbs, File.fbs
 * @throws {RangeError} if a list lies outside the metadata. Iterating over the messages can also throw this error.
 */
export function checkArrow(bytes: Uint8Array): ArrowMessages {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  awaitBytes(0, 16);
  const isFile = bytes.length > 16 && isMagic(bytes, 0) && isMagic(bytes, bytes.length - 6);
  if (!isFile) return { isFile, messages: checkMessages(view) };
  const length = view.getInt32(bytes.length - 10, true);
  awaitBytes(bytes.length - 10 - length, bytes.length);
  const footer = new Metadata(partOf(view, bytes.length - 10 - length, length));
  checkSchema(footer, footer.table(footer.root(), 1));
  return { isFile, messages: checkBlocks(view, footer) };
}

function* checkBlocks(view: DataView, footer: Metadata): Generator<ArrowMessage, void> {
  const root = footer.root();
  // The footer lists dictionaries and record batches. The library loops forever if a listed block has another kind.
  for (const blocks of [dictionaryKind, recordKind]) {
    const list = footer.list(root, blocks, 24);
    for (let index = 0; index < list.length; index++) {
      const offset = Number(footer.view.getBigInt64(list.at + index * 24, true));
      if (!(offset >= 0 && offset + 8 <= view.byteLength)) throw outside();
      const { message } = checkMessage(view, offset, blocks);
      if (message) yield message;
    }
  }
}

function isMagic(bytes: Uint8Array, at: number): boolean {
  return "ARROW1".split("").every((letter, index) => bytes[at + index] === letter.charCodeAt(0));
}

function* checkMessages(view: DataView): Generator<ArrowMessage, void> {
  for (let at: number | undefined = 0; at !== undefined && at + 4 <= view.byteLength;) {
    const { message, end } = checkMessage(view, at);
    if (message) yield message;
    at = end;
  }
}

const kindNames: ReadonlyMap<number, ArrowMessage["kind"]> = new Map([
  [schemaKind, "schema"],
  [dictionaryKind, "dictionary"],
  [recordKind, "batch"],
] as const);

interface CheckedMessage {
  /** The message; undefined if messages of its kind contain no values. */
  readonly message?: ArrowMessage;
  /** The end of the message; undefined at the end of a stream. */
  readonly end?: number;
}

/** Checks the message at `start`. If `wanted` is given, the message must be of this kind. */
function checkMessage(view: DataView, start: number, wanted?: number): CheckedMessage {
  awaitBytes(start, start + 8);
  // Before version 0.15 of the format, a message started with its length.
  const at = view.getInt32(start, true) === -1 ? start + 4 : start;
  const length = view.getInt32(at, true);
  if (length === 0 && wanted === undefined) return {};
  awaitBytes(start, at + 4 + length);
  const metadata = new Metadata(partOf(view, at + 4, length));
  const root = metadata.root();
  const header = metadata.table(root, 2);
  const kind = metadata.byte(root, 1);
  if (wanted !== undefined && (kind !== wanted || header === 0))
    throw new RangeError("its footer refers to a block of the wrong kind");
  if (header !== 0 && kind === schemaKind) checkSchema(metadata, header);
  const isDictionary = header !== 0 && kind === dictionaryKind;
  const batch = isDictionary
    ? metadata.table(header, 1)
    : header !== 0 && kind === recordKind
      ? header
      : 0;
  const isCompressed = checkBatch(metadata, batch);
  checkPairs(metadata, root, 4);
  const bodyLength = Number(metadata.long(root, 3));
  const end = at + 4 + length + bodyLength;
  if (!(bodyLength >= 0 && end <= view.byteLength)) throw outside();
  const name = header === 0 ? undefined : kindNames.get(kind);
  if (!name) return { end };
  const message: ArrowMessage = {
    kind: name,
    start,
    end,
    isCompressed,
    rowCount: batch === 0 ? 0 : Number(metadata.long(batch, 0)),
    id: isDictionary ? metadata.long(header, 0) : 0n,
    isDelta: isDictionary && metadata.byte(header, 2) !== 0,
  };
  return { message, end };
}

function checkSchema(metadata: Metadata, schema: number): void {
  if (schema === 0) return;
  checkFields(metadata, schema, 1, 0);
  checkPairs(metadata, schema, 2);
  metadata.list(schema, 3, 8);
}

function checkFields(metadata: Metadata, parent: number, place: number, depth: number): void {
  if (depth > depthLimit) throw new RangeError(`columns are nested more than ${depthLimit} levels`);
  for (const field of metadata.tables(parent, place)) {
    metadata.list(field, 0, 1);
    const type = metadata.table(field, 3);
    const kind = metadata.byte(field, 2);
    if (type !== 0 && kind === timestampKind) metadata.list(type, 1, 1);
    if (type !== 0 && kind === unionKind) metadata.list(type, 1, 4);
    const dictionary = metadata.table(field, 4);
    if (dictionary !== 0) metadata.table(dictionary, 1);
    checkFields(metadata, field, 5, depth + 1);
    checkPairs(metadata, field, 6);
  }
}

const timestampKind = 10;
const unionKind = 14;

/** Checks a batch and returns whether its buffers are compressed. */
function checkBatch(metadata: Metadata, batch: number): boolean {
  if (batch === 0) return false;
  metadata.list(batch, 1, 16);
  metadata.list(batch, 2, 16);
  metadata.list(batch, 4, 8);
  return metadata.table(batch, 3) !== 0;
}

function checkPairs(metadata: Metadata, parent: number, place: number): void {
  for (const pair of metadata.tables(parent, place)) {
    metadata.list(pair, 0, 1);
    metadata.list(pair, 1, 1);
  }
}

function partOf(view: DataView, at: number, length: number): DataView {
  if (!(at >= 0 && length >= 0 && at + length <= view.byteLength)) throw outside();
  return new DataView(view.buffer, view.byteOffset + at, length);
}

function outside(): RangeError {
  return new RangeError("it refers to bytes beyond its end, so it is truncated or damaged");
}

/** Reads a FlatBuffer. An offset outside the buffer throws a RangeError. Source: https://flatbuffers.dev/internals */
class Metadata {
  readonly view: DataView;
  #tables = 0;

  constructor(view: DataView) {
    this.view = view;
  }

  root(): number {
    return this.#checked(this.view.getUint32(0, true));
  }

  /** Returns the offset of the table in a field; 0 if the field is absent. */
  table(parent: number, place: number): number {
    const at = this.#field(parent, place);
    return at === 0 ? 0 : this.#checked(at + this.view.getUint32(at, true));
  }

  tables(parent: number, place: number): readonly number[] {
    const { at, length } = this.list(parent, place, 4);
    return Array.from({ length }, (_, index) =>
      this.#checked(at + index * 4 + this.view.getUint32(at + index * 4, true)),
    );
  }

  /** Returns the offset of a list's items, and the number of items. */
  list(
    parent: number,
    place: number,
    itemBytes: number,
  ): { readonly at: number; readonly length: number } {
    const field = this.#field(parent, place);
    if (field === 0) return { at: 0, length: 0 };
    const list = field + this.view.getUint32(field, true);
    const length = this.view.getUint32(list, true);
    if (list + 4 + length * itemBytes > this.view.byteLength) throw outside();
    return { at: list + 4, length };
  }

  byte(parent: number, place: number): number {
    const at = this.#field(parent, place);
    return at === 0 ? 0 : this.view.getUint8(at);
  }

  long(parent: number, place: number): bigint {
    const at = this.#field(parent, place);
    return at === 0 ? 0n : this.view.getBigInt64(at, true);
  }

  /** Returns the offset of a field in a table; 0 if the field is absent. */
  #field(table: number, place: number): number {
    const layout = table - this.view.getInt32(table, true);
    if (4 + place * 2 >= this.view.getUint16(layout, true)) return 0;
    const offset = this.view.getUint16(layout + 4 + place * 2, true);
    return offset === 0 ? 0 : table + offset;
  }

  #checked(table: number): number {
    if (++this.#tables > tableLimit)
      throw new RangeError(`its metadata has more than ${tableLimit} tables`);
    if (table + 4 > this.view.byteLength) throw outside();
    return table;
  }
}
