import { setImmediate } from "node:timers/promises";
import {
  quote,
  backslash,
  openBracket,
  openBrace,
  closeBracket,
  closeBrace,
  comma,
} from "../../base/index.ts";

/** Number of bytes to parse at a time. Parsing them takes at most a few milliseconds, whatever they contain. */
const usualSliceBytes = 64 * 2 ** 10;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export interface ParseOptions {
  readonly sliceBytes?: number;
  /**
   * Called after each slice. Parsing continues when the returned promise resolves. By default, it waits for the next
   * turn of the event loop.
   */
  readonly yieldTurn?: () => Promise<void> | undefined;
}

/** A list or object that was opened and is not closed yet. Offsets count bytes of the document. */
interface Frame {
  readonly isList: boolean;
  /** Offset of the opening bracket. */
  readonly start: number;
  /**
   * The value so far. Undefined as long as the value is smaller than a slice, so that it can be parsed together with
   * its siblings.
   */
  list: unknown[] | undefined;
  object: Record<string, unknown> | undefined;
  /** Offset of the first child that was not added to the value yet. */
  from: number;
  /** Offset of the current child, after the last comma. */
  childFrom: number;
  /** In an object, the name of the current child. */
  name: string;
  /** Whether the child before `from` was added by itself, so that a comma or the closing bracket must follow. */
  isChildTaken: boolean;
}

/**
 * Parses UTF-8 JSON to the same value as `JSON.parse`, one slice at a time, and calls `yieldTurn` after each slice.
 * Lists and objects larger than a slice are assembled from groups of children. Strings are never split. O(bytes).
 * @throws {SyntaxError | TypeError} for invalid JSON or UTF-8
 */
export async function parseJson(
  bytes: Uint8Array,
  { sliceBytes = usualSliceBytes, yieldTurn = setImmediate }: ParseOptions = {},
): Promise<unknown> {
  if (bytes.length <= sliceBytes) return JSON.parse(decode(bytes));
  const slices = parseSlices(bytes, sliceBytes);
  for (;;) {
    const slice = slices.next();
    if (slice.done) return slice.value;
    await yieldTurn();
  }
}

/** Parses the document, yields after each slice, and returns the value. */
function* parseSlices(bytes: Uint8Array, sliceBytes: number): Generator<void, unknown> {
  const text = (from: number, to: number) => decode(bytes.subarray(from, to));
  /** The document, treated as a list with one child. */
  const root = createFrame(true, -1);
  root.list = [];
  const frames = [root];
  let frame = root;

  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === quote) {
      for (index++; index < bytes.length && bytes[index] !== quote; index++)
        if (bytes[index] === backslash) index++;
    } else if (byte === openBracket || byte === openBrace) {
      frame = createFrame(byte === openBracket, index);
      frames.push(frame);
    } else if (byte === comma) {
      if (frame === root) throw new SyntaxError("there is more than one value");
      if (frame.isChildTaken) {
        expectBlank(text(frame.from, index));
        frame.isChildTaken = false;
        frame.from = index + 1;
      } else if (index - frame.from >= sliceBytes) {
        beginLarge(frames, text);
        take(frame, text(frame.from, index));
        frame.from = index + 1;
        yield;
      }
      frame.childFrom = index + 1;
    } else if (byte === closeBracket || byte === closeBrace) {
      if (frame === root || frame.isList !== (byte === closeBracket))
        throw new SyntaxError("a closing bracket does not match the opening bracket");
      const ended = frame;
      frames.pop();
      frame = frames.at(-1)!;
      const value = ended.list ?? ended.object;
      if (!value) continue;
      if (ended.isChildTaken) expectBlank(text(ended.from, index));
      else take(ended, text(ended.from, index));
      put(frame, frame.name, value);
      frame.isChildTaken = true;
      frame.from = index + 1;
    }
  }
  if (frame !== root) throw new SyntaxError("a bracket is missing");
  // No list or object was larger than a slice, only a string or white space.
  if (!root.isChildTaken) return JSON.parse(text(0, bytes.length));
  expectBlank(text(root.from, bytes.length));
  return root.list[0];
}

function createFrame(isList: boolean, start: number): Frame {
  return {
    isList,
    start,
    list: undefined,
    object: undefined,
    from: start + 1,
    childFrom: start + 1,
    name: "",
    isChildTaken: false,
  };
}

/** Creates the values of the open lists and objects, with those children that are complete. */
function beginLarge(frames: readonly Frame[], text: (from: number, to: number) => string): void {
  for (let depth = 1; depth < frames.length; depth++) {
    const frame = frames[depth]!;
    const parent = frames[depth - 1]!;
    if (frame.list ?? frame.object) continue;
    if (frame.isList) frame.list = [];
    else frame.object = {};
    if (parent.isChildTaken) throw new SyntaxError("a comma is missing");
    if (parent.childFrom > parent.from) take(parent, text(parent.from, parent.childFrom - 1));
    const before = text(parent.childFrom, frame.start);
    if (parent.isList) expectBlank(before);
    else parent.name = nameOf(before);
    parent.from = parent.childFrom;
  }
}

/** Parses at least one child and adds the children to their parent's value. */
function take(frame: Frame, children: string): void {
  if (children.trim() === "") throw new SyntaxError("a value is missing");
  if (frame.isList) {
    const list: unknown[] = JSON.parse(`[${children}]`);
    for (const child of list) put(frame, "", child);
  } else {
    const members: object = JSON.parse(`{${children}}`);
    for (const [name, child] of Object.entries(members)) put(frame, name, child);
  }
}

function put({ list, object }: Frame, name: string, child: unknown): void {
  if (list) list.push(child);
  else if (name !== "__proto__") object![name] = child;
  else
    Object.defineProperty(object, name, {
      value: child,
      writable: true,
      enumerable: true,
      configurable: true,
    });
}

/** Returns the name in the beginning of a member: `"name":`. */
function nameOf(header: string): string {
  const names = Object.keys(JSON.parse(`{${header}null}`));
  if (names.length !== 1) throw new SyntaxError("a name is missing");
  return names[0]!;
}

function expectBlank(text: string): void {
  if (/[^ \n\r\t]/.test(text))
    throw new SyntaxError("a comma is missing, or there is one too many");
}

/** Decodes UTF-8. A leading byte order mark is kept, so that the parser refuses it. */
function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
