import { parseExactJson } from "../../../../plugins/protocol/index.ts";
import {
  quote,
  backslash,
  openBracket,
  openBrace,
  closeBracket,
  closeBrace,
  comma,
  colon,
} from "../../../base/index.ts";

/** Receives the elements of a list as they arrive. */
export type TakeChildren = (children: readonly unknown[]) => void;

export interface ListScanOptions {
  /**
   * Called at the start of each list. `path` contains the current member name for each open object, and "" for each
   * open list. `index` is the number of the current element in the innermost list. `before` returns the text of the
   * innermost object so far. Returns the function that receives the elements in groups, or undefined to keep the list
   * in the rest of the document.
   */
  readonly begin: (
    path: readonly string[],
    index: number,
    before: () => string,
  ) => TakeChildren | undefined;
}

/**
 * Parses a JSON document of any size while it arrives. Long lists are parsed in groups of elements, and the small rest
 * of the document is parsed at the end.
 */
export interface ListScan {
  /**
   * Scans the next bytes. O(bytes).
   * @throws {SyntaxError} for invalid JSON, RangeError for a value that is too large, and the errors of `TakeChildren`
   */
  scan(part: Uint8Array): void;
  /** Returns the document, in which the lists that were taken are empty. @throws {SyntaxError} */
  end(): unknown;
  /** The start of the document as text, without the lists that were taken. */
  readonly rest: string;
}

interface Frame {
  readonly isList: boolean;
  /** Index in `rest` at which the object or list starts. */
  readonly start: number;
  /** Number of elements before the current one. */
  index: number;
  isNameDue: boolean;
  nameFrom: number;
  nameTo: number;
}

const groupBytes = 32 * 2 ** 10;
const largestChildBytes = 8 * 2 ** 20;
const largestRestBytes = 4 * 2 ** 20;
const deepest = 64;

/** Creates the scan of one document. */
export function createListScan({ begin }: ListScanOptions): ListScan {
  const frames: Frame[] = [];
  let rest = Buffer.alloc(1024);
  let restSize = 0;
  let textFrom = 0;
  let isInText = false;
  let isEscaped = false;
  /** The function that receives the elements of the current list; undefined outside of lists that are taken. */
  let take: TakeChildren | undefined;
  let depth = 0;
  let group: Uint8Array[] = [];
  let groupSize = 0;
  let isChildDue = false;

  const addToRest = (byte: number) => {
    if (restSize === largestRestBytes)
      throw new RangeError("the part of the answer outside its rows is too large");
    if (restSize === rest.length) {
      const grown = Buffer.alloc(rest.length * 4);
      grown.set(rest);
      rest = grown;
    }
    rest[restSize++] = byte;
  };
  const restText = (from: number, to: number) => rest.toString("utf8", from, to);
  const nameOf = ({ isList, nameFrom, nameTo }: Frame): string => {
    if (isList) return "";
    const name: unknown = JSON.parse(`"${restText(nameFrom, nameTo)}"`);
    return String(name);
  };

  /** Scans a byte outside of the lists whose elements are received. */
  const lookAt = (byte: number) => {
    addToRest(byte);
    const frame = frames.at(-1);
    if (isInText) {
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) {
        isInText = false;
        if (frame?.isNameDue) {
          frame.nameFrom = textFrom;
          frame.nameTo = restSize - 1;
        }
      }
      return;
    }
    switch (byte) {
      case quote:
        isInText = true;
        textFrom = restSize;
        break;
      case colon:
        if (frame) frame.isNameDue = false;
        break;
      case comma:
        if (!frame) break;
        frame.index++;
        frame.isNameDue = !frame.isList;
        break;
      case openBrace:
      case openBracket: {
        if (frames.length === deepest)
          throw new RangeError(`it must not nest deeper than ${deepest} levels`);
        if (byte === openBracket) {
          const index = frames.findLast(({ isList }) => isList)?.index ?? 0;
          const before = () => restText(frame?.start ?? 0, restSize - 1);
          take = begin(frames.map(nameOf), index, before);
          depth = 0;
          isChildDue = false;
          if (take) break;
        }
        frames.push({
          isList: byte === openBracket,
          start: restSize - 1,
          index: 0,
          isNameDue: byte === openBrace,
          nameFrom: 0,
          nameTo: 0,
        });
        break;
      }
      case closeBrace:
      case closeBracket:
        frames.pop();
        break;
    }
  };
  const keep = (part: Uint8Array) => {
    if (part.length === 0) return;
    group.push(part);
    groupSize += part.length;
    if (groupSize > largestChildBytes + groupBytes)
      throw new RangeError(
        `it must not contain a row or cell of more than ${largestChildBytes} bytes`,
      );
  };
  /** Parses the buffered elements and passes them to `take`. */
  const passOn = (isLast: boolean) => {
    const text = Buffer.concat(group).toString("utf8");
    group = [];
    groupSize = 0;
    const children = parseExactJson(`[${text}]`);
    if (!Array.isArray(children)) throw new SyntaxError("a bracket does not match");
    if (children.length === 0 && (isChildDue || !isLast))
      throw new SyntaxError("a value is missing");
    isChildDue = true;
    take?.(children);
  };
  /** Scans bytes of the list that is being taken. Returns how many bytes belonged to it. */
  const scanChildren = (part: Uint8Array): number => {
    const end = part.length;
    let from = 0;
    let index = 0;
    for (; index < end; index++) {
      let byte = part[index]!;
      if (isInText) {
        if (isEscaped) {
          isEscaped = false;
          continue;
        }
        while (byte !== quote && byte !== backslash && ++index < end) byte = part[index]!;
        if (index === end) break;
        if (byte === quote) isInText = false;
        else isEscaped = true;
        continue;
      }
      switch (byte) {
        case quote:
          isInText = true;
          break;
        case openBracket:
        case openBrace:
          if (++depth > deepest)
            throw new RangeError(`it must not nest deeper than ${deepest} levels`);
          break;
        case comma:
          if (depth > 0 || groupSize + index - from < groupBytes) break;
          keep(part.subarray(from, index));
          passOn(false);
          from = index + 1;
          break;
        case closeBracket:
        case closeBrace:
          if (depth-- > 0) break;
          if (byte === closeBrace) throw new SyntaxError("a bracket does not match");
          keep(part.subarray(from, index));
          passOn(true);
          take = undefined;
          addToRest(closeBracket);
          return index + 1;
      }
    }
    keep(part.subarray(from, end));
    return end;
  };

  return {
    scan(part) {
      let index = 0;
      while (index < part.length) {
        if (take) index += scanChildren(part.subarray(index));
        else lookAt(part[index++]!);
      }
    },
    end() {
      if (take) throw new SyntaxError("the document is not complete");
      // .NET writes a byte order mark before JSON. Decoding drops it.
      return JSON.parse(new TextDecoder().decode(rest.subarray(0, restSize)));
    },
    get rest() {
      return restText(0, Math.min(restSize, 1000));
    },
  };
}
