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

/** Bytes that are parsed at a time: a few milliseconds at most, whatever they hold. */
const usualSliceBytes = 64 * 2 ** 10;

export interface ParseOptions {
  readonly sliceBytes?: number;
  /** Called after each slice; parsing continues when it resolves. By default the next turn of the event loop. */
  readonly yieldTurn?: () => Promise<void> | undefined;
}

/** A list or an object that has begun and not ended. Offsets count bytes of the document. */
interface Frame {
  readonly isList: boolean;
  /** Where it begins. */
  readonly start: number;
  /** The value so far; undefined while it is smaller than a slice, and parsed with its siblings. */
  list: unknown[] | undefined;
  object: Record<string, unknown> | undefined;
  /** Where the children begin that it does not hold yet. */
  from: number;
  /** Where the child begins that is looked at: behind the last comma. */
  childFrom: number;
  /** The name of the child that has begun, in an object. */
  name: string;
  /** The child before `from` was added separately: a comma or the end is due. */
  isChildTaken: boolean;
}

/**
 * Parses JSON in UTF-8 to the same value as `JSON.parse`, a slice at a time, with `yieldTurn` after each.
 * Lists and objects larger than a slice are put together from groups of children; a text is never cut. O(bytes).
 * @throws {SyntaxError | TypeError} for what is not JSON, or not UTF-8
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

/** Stops after each slice; returns the value. */
function* parseSlices(bytes: Uint8Array, sliceBytes: number): Generator<void, unknown> {
  const text = (from: number, to: number) => decode(bytes.subarray(from, to));
  /** The document, as a list of one child. */
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
      if (frame === root) throw new SyntaxError("more than one value");
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
        throw new SyntaxError("a bracket does not fit the one before it");
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
  // Nothing was larger than a slice but a text, or blanks.
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

/** Begins what the open lists and objects hold, with the children that are complete. */
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

/** Parses children and puts them into what their parent holds; there is at least one. */
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

/** The name in the beginning of a member, `"name":`. */
function nameOf(header: string): string {
  const names = Object.keys(JSON.parse(`{${header}null}`));
  if (names.length !== 1) throw new SyntaxError("a name is missing");
  return names[0]!;
}

function expectBlank(text: string): void {
  if (/[^ \n\r\t]/.test(text)) throw new SyntaxError("a comma is missing, or one is too many");
}

/** A mark at the beginning is kept, and refused by the parser. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
