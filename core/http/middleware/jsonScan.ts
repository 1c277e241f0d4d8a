import {
  ApiError,
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
} from "../../base/index.ts";
import { deep, scanDeep } from "./scanDeep.ts";

export interface JsonScanLimits {
  /** Maximum depth of nested lists and objects. */
  readonly depth: number;
  /**
   * Maximum number of values, including those within lists and objects. Each comma or bracket counts as about one
   * value.
   */
  readonly valueCount: number;
  /** Maximum bytes of one string. */
  readonly textBytes: number;
}

/**
 * Scans the bytes of a JSON object as they arrive, without building the object. The scan bounds the cost before parsing
 * and finds the members that identify the caller. It accepts every JSON object within the limits, and also some invalid
 * JSON, which the parser refuses.
 */
export interface JsonScan {
  /**
   * Scans the next bytes. O(bytes).
   * @throws {ApiError} REQUEST_NOT_JSON, REQUEST_NOT_AN_OBJECT, REQUEST_TOO_DEEP, REQUEST_TOO_MANY_VALUES,
   * REQUEST_TEXT_TOO_LONG, REQUEST_MEMBER_TWICE
   */
  scan(part: Uint8Array): void;
  /**
   * Ends the scan after the last bytes.
   * @throws {ApiError} REQUEST_NOT_JSON when the object is incomplete
   */
  end(): void;
  /**
   * Members of the object so far: `key`, `token` and `action` if they are strings, and null for every other value or
   * member.
   */
  readonly members: ReadonlyMap<string, string | null>;
  /** Approximate number of values so far. `nameCount` is the number of member names at any depth. */
  readonly valueCount: number;
  readonly nameCount: number;
  /**
   * The offsets of the list in `properties.data`, from its bracket to the end of its other bracket. Undefined if there
   * is no such list so far, or if the member occurs several times.
   */
  readonly rows: { readonly from: number; readonly end: number } | undefined;
  /** Whether an escape encodes NUL or half of a surrogate pair. Escapes of complete pairs count as well. */
  readonly hasRareEscape: boolean;
}

/** Members whose string values the scan keeps. */
const envelope = ["key", "token", "action"];
/** Maximum bytes of a kept string, and of a member name of the object. */
const longestKept = 1000;
const memberCount = 100;

const letterU = 0x75;

/** State of an escape: `noEscape`, after the backslash, or the number of digits read after \u. */
const noEscape = -2;
const afterBackslash = -1;

/** Creates the scan of a body. */
export function createJsonScan(limits: JsonScanLimits): JsonScan {
  const { textBytes } = limits;
  const members = new Map<string, string | null>();
  let isStarted = false;
  let depth = 0;
  let valueCount = 0;
  let nameCount = 0;
  let isInText = false;
  /** Number of bytes of the current string in earlier parts. */
  let textSize = 0;
  let escape = noEscape;
  let escaped = 0;
  let isName = false;
  let name = "";
  /** The beginning of a string whose value is kept; undefined for other strings. */
  let kept: string | undefined;
  let hasRareEscape = false;
  /** Number of bytes in earlier parts. */
  let offset = 0;
  let isInProperties = false;
  /** As `isName` and `name`, for the members of `properties`. */
  let isInnerName = false;
  let innerName = "";
  let dataCount = 0;
  let rowsFrom = -1;
  let rowsEnd = -1;

  const readEscape = (byte: number) => {
    if (escape === afterBackslash) {
      escape = byte === letterU ? 0 : noEscape;
      escaped = 0;
      return;
    }
    escaped = escaped * 16 + Number.parseInt(String.fromCharCode(byte), 16);
    if (++escape < 4) return;
    escape = noEscape;
    if (escaped === 0 || (escaped >= 0xd800 && escaped <= 0xdfff)) hasRareEscape = true;
  };
  /** Keeps bytes of a string as Latin-1, so that no character is split between parts. */
  const keep = (part: Uint8Array, from: number, to: number) => {
    if (textSize + to - from > limits.textBytes)
      throw new ApiError("REQUEST_TEXT_TOO_LONG", [limits.textBytes]);
    if (kept === undefined) return;
    const isLong = kept.length + to - from > longestKept;
    if (isLong && isName) throw new ApiError("REQUEST_TEXT_TOO_LONG", [longestKept]);
    kept = isLong ? undefined : kept + latin1(part, from, to);
  };
  const endText = () => {
    const text = kept === undefined ? undefined : textOf(kept);
    if (depth === 2 && kept !== undefined) innerName = text ?? "";
    if (depth !== 1) return;
    if (!isName) {
      if (text !== undefined) members.set(name, text);
      return;
    }
    name = text ?? "";
    if (members.has(name))
      throw new ApiError("REQUEST_MEMBER_TWICE", [JSON.stringify(name.slice(0, 100))]);
    if (members.size === memberCount)
      throw new ApiError("REQUEST_TOO_MANY_VALUES", [`${memberCount} members`]);
    members.set(name, null);
  };

  /** Notes a list or object that opens the level `depth`. */
  const open = (byte: number, position: number) => {
    if (depth === 1) isName = true;
    else if (depth === 2) {
      isInProperties = byte === openBrace && !isName && name === "properties";
      isInnerName = true;
    } else if (isInProperties && !isInnerName && innerName === "data" && byte === openBracket) {
      // A second list belongs to a second member, or to JSON that is not valid.
      if (rowsFrom >= 0) dataCount++;
      else rowsFrom = position;
    }
  };

  return {
    members,
    get valueCount() {
      return valueCount;
    },
    get nameCount() {
      return nameCount;
    },
    get rows() {
      return dataCount === 1 && rowsEnd > 0 ? { from: rowsFrom, end: rowsEnd } : undefined;
    },
    get hasRareEscape() {
      return hasRareEscape;
    },
    scan(part) {
      const end = part.length;
      let index = 0;
      if (!isStarted) {
        index = startOf(part);
        isStarted = index < end;
      }
      let textFrom = 0;
      for (; index < end; index++) {
        if (depth >= deep && !isInText) {
          const found = scanDeep(part, { from: index, depth, deepest: limits.depth, textBytes });
          ({ at: index, depth } = found);
          valueCount += found.valueCount;
          nameCount += found.nameCount;
          if (index === end) break;
        }
        let byte = part[index]!;
        if (isInText) {
          if (escape !== noEscape) {
            readEscape(byte);
            continue;
          }
          while (byte !== quote && byte !== backslash && ++index < end) byte = part[index]!;
          if (index === end) break;
          if (byte === backslash) {
            escape = afterBackslash;
            continue;
          }
          isInText = false;
          keep(part, textFrom, index);
          endText();
          continue;
        }
        switch (byte) {
          case quote:
            isInText = true;
            textSize = 0;
            textFrom = index + 1;
            kept =
              depth === 1
                ? isName || envelope.includes(name)
                  ? ""
                  : undefined
                : isInnerName && depth === 2 && isInProperties
                  ? ""
                  : undefined;
            break;
          case openBracket:
          case openBrace:
            if (++depth > limits.depth) throw new ApiError("REQUEST_TOO_DEEP", [limits.depth]);
            if (depth <= 3) open(byte, offset + index);
            valueCount++;
            break;
          case closeBracket:
          case closeBrace:
            if (--depth === 2 && rowsFrom >= 0 && rowsEnd < 0) rowsEnd = offset + index + 1;
            break;
          case comma:
            if (depth === 1) isName = true;
            else if (depth === 2) isInnerName = true;
            valueCount++;
            break;
          case colon:
            nameCount++;
            if (depth === 1) isName = false;
            else if (depth === 2) {
              isInnerName = false;
              if (isInProperties && innerName === "data") dataCount++;
            }
            break;
        }
      }
      if (isInText) {
        keep(part, textFrom, end);
        textSize += end - textFrom;
      }
      offset += end;
      if (valueCount > limits.valueCount)
        throw new ApiError("REQUEST_TOO_MANY_VALUES", [`${limits.valueCount} values`]);
    },
    end() {
      if (!isStarted) throw new ApiError("REQUEST_NOT_JSON", ["it is empty"]);
      if (isInText || depth !== 0)
        throw new ApiError("REQUEST_NOT_JSON", ["its last bracket is missing"]);
    },
  };
}

/** Returns the position of the brace that opens the object, or the end of the part if the part is blank. */
function startOf(part: Uint8Array): number {
  const start = part.findIndex((byte) => !isBlank(byte));
  if (start === -1) return part.length;
  const first = part[start]!;
  if (first === openBrace) return start;
  if (first === 0xef || first === 0xfe || first === 0xff)
    throw new ApiError("REQUEST_NOT_JSON", [
      "it begins with a byte order mark, or with text that is not JSON; send UTF-8 without a byte order mark",
    ]);
  const isJson =
    first === openBracket || first === quote || /[-\dtfn]/.test(String.fromCharCode(first));
  if (isJson) throw new ApiError("REQUEST_NOT_AN_OBJECT");
  throw new ApiError("REQUEST_NOT_JSON", ["it must begin with {"]);
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Returns bytes as Latin-1. */
function latin1(part: Uint8Array, from: number, to: number): string {
  const bytes =
    part instanceof Buffer ? part : Buffer.from(part.buffer, part.byteOffset, part.length);
  return bytes.toString("latin1", from, to);
}

/** Decodes the bytes between two quotes; undefined if an escape is invalid. */
function textOf(bytes: string): string | undefined {
  // Most names and all tokens are plain ASCII, which is the same in Latin-1 and in UTF-8.
  if (!/[\\\x80-\xff]/.test(bytes)) return bytes;
  const text = Buffer.from(bytes, "latin1").toString("utf8");
  if (!text.includes("\\")) return text;
  try {
    const value: unknown = JSON.parse(`"${text}"`);
    return typeof value === "string" ? value : undefined;
  } catch {
    // The parser refuses an invalid escape with a better message.
    return undefined;
  }
}
