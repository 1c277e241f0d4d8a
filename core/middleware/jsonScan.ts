import { ApiError } from "../errors.ts";

export interface JsonScanLimits {
  /** Levels of lists and objects. */
  readonly depth: number;
  /** Values, those in lists and objects included; about one a comma or bracket. */
  readonly valueCount: number;
  /** Bytes of one text. */
  readonly textBytes: number;
}

/**
 * Looks through the bytes of a JSON object while they arrive, and builds nothing: bounds its cost before a parser sees it, and
 * finds the members that say who calls. It accepts every JSON object within the limits; text that is no JSON may pass and is the parser's to refuse.
 */
export interface JsonScan {
  /**
   * Looks at the bytes up to `end` that it has not seen. `bytes` begins with the same bytes at every call. O(new bytes).
   * @throws {ApiError} REQUEST_NOT_JSON, REQUEST_NOT_AN_OBJECT, REQUEST_TOO_DEEP, REQUEST_TOO_MANY_VALUES, REQUEST_TEXT_TOO_LONG, REQUEST_MEMBER_TWICE
   */
  scan(bytes: Uint8Array, end: number, isLast: boolean): void;
  /** Members of the object so far: the text of the envelope's, null for other values and other members. */
  readonly members: ReadonlyMap<string, string | null>;
  /** Whether an escape spells NUL or half of a surrogate pair, as whole pairs do too. */
  readonly hasRareEscape: boolean;
}

/** Members of a call whose text is kept, up to so many bytes. */
const envelope = ["key", "token", "action"];
const longestKept = 1000;
const memberCount = 100;

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const openBrace = 0x7b;
const closeBracket = 0x5d;
const closeBrace = 0x7d;
const comma = 0x2c;
const colon = 0x3a;
const letterU = 0x75;
const digitZero = 0x30;
/** Bytes of an escape like \u0000. */
const escapeBytes = 6;

/** Creates the scan of one body. */
export function createJsonScan(limits: JsonScanLimits): JsonScan {
  const members = new Map<string, string | null>();
  let position = 0;
  let depth = 0;
  let valueCount = 0;
  let isStarted = false;
  let isInText = false;
  let textStart = 0;
  let isName = false;
  let name = "";
  let hasRareEscape = false;

  const endText = (bytes: Uint8Array, end: number) => {
    if (end - textStart > limits.textBytes) throw tooLong(limits);
    if (depth !== 1) return;
    if (!isName) {
      if (envelope.includes(name) && end - textStart <= longestKept)
        members.set(name, textOf(bytes, textStart, end) ?? null);
      return;
    }
    name = textOf(bytes, textStart, end) ?? "";
    if (members.has(name))
      throw new ApiError("REQUEST_MEMBER_TWICE", [JSON.stringify(name.slice(0, 100))]);
    if (members.size === memberCount)
      throw new ApiError("REQUEST_TOO_MANY_VALUES", [`${memberCount} members`]);
    members.set(name, null);
  };

  return {
    members,
    get hasRareEscape() {
      return hasRareEscape;
    },
    scan(bytes, end, isLast) {
      let index = position;
      if (!isStarted) {
        index = startOf(bytes, end, isLast);
        isStarted = index < end;
      }
      for (; index < end; index++) {
        if (isInText) {
          let byte = bytes[index]!;
          while (byte !== quote && byte !== backslash && ++index < end) byte = bytes[index]!;
          if (index >= end) break;
          if (byte === backslash) {
            // An escape that has not arrived whole is looked at with what follows it.
            if (index + escapeBytes > end && !isLast) break;
            if (bytes[index + 1] === letterU && isRare(bytes, index + 2)) hasRareEscape = true;
            index++;
            continue;
          }
          isInText = false;
          endText(bytes, index);
          continue;
        }
        switch (bytes[index]) {
          case quote:
            isInText = true;
            textStart = index + 1;
            break;
          case openBracket:
          case openBrace:
            if (++depth > limits.depth) throw new ApiError("REQUEST_TOO_DEEP", [limits.depth]);
            if (depth === 1) isName = true;
            valueCount++;
            break;
          case closeBracket:
          case closeBrace:
            depth--;
            break;
          case comma:
            if (depth === 1) isName = true;
            valueCount++;
            break;
          case colon:
            if (depth === 1) isName = false;
            break;
        }
      }
      position = index;
      if (isInText && index - textStart > limits.textBytes) throw tooLong(limits);
      if (isLast && (isInText || depth !== 0))
        throw new ApiError("REQUEST_NOT_JSON", ["it ends before its last bracket"]);
      if (valueCount > limits.valueCount)
        throw new ApiError("REQUEST_TOO_MANY_VALUES", [`${limits.valueCount} values`]);
    },
  };
}

/** The place of the brace that begins the object; `end` while nothing but blanks has arrived. */
function startOf(bytes: Uint8Array, end: number, isLast: boolean): number {
  let start = 0;
  while (start < end && isBlank(bytes[start]!)) start++;
  if (start === end) {
    if (isLast) throw new ApiError("REQUEST_NOT_JSON", ["it is empty"]);
    return end;
  }
  const first = bytes[start]!;
  if (first === openBrace) return start;
  if (first === 0xef || first === 0xfe || first === 0xff)
    throw new ApiError("REQUEST_NOT_JSON", [
      "it begins with a byte order mark, or with text that is not JSON; send UTF-8 without a mark",
    ]);
  const isJson =
    first === openBracket || first === quote || /[-\dtfn]/.test(String.fromCharCode(first));
  if (isJson) throw new ApiError("REQUEST_NOT_AN_OBJECT");
  throw new ApiError("REQUEST_NOT_JSON", ["it does not begin with {"]);
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Whether the four digits at `index` spell NUL or half of a surrogate pair. */
function isRare(bytes: Uint8Array, index: number): boolean {
  const first = bytes[index];
  if (first === 0x64 || first === 0x44) return !(bytes[index + 1]! < 0x38);
  return (
    first === digitZero &&
    bytes[index + 1] === digitZero &&
    bytes[index + 2] === digitZero &&
    bytes[index + 3] === digitZero
  );
}

/** The text between two quotes; undefined when its escapes are not valid. */
function textOf(bytes: Uint8Array, start: number, end: number): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("utf8");
  if (!text.includes("\\")) return text;
  try {
    const value: unknown = JSON.parse(`"${text}"`);
    return typeof value === "string" ? value : undefined;
  } catch {
    // The parser refuses it, with a better reason.
    return undefined;
  }
}

function tooLong({ textBytes }: JsonScanLimits): ApiError {
  return new ApiError("REQUEST_TEXT_TOO_LONG", [textBytes]);
}
