/** A string that looks like a number, before it is known which of its marks is the decimal mark. */
export interface NumberText {
  readonly isNegative: boolean;
  /** The digits 0 to 9 and the marks between them. */
  readonly digits: string;
  /** The exponent, such as `e-3`; empty if there is none. */
  readonly exponent: string;
  /** The currency without a final point, or `%`. Absent: the number has no sign next to it. */
  readonly unit?: string;
}

/** Longer strings are not numbers. */
const longestNumber = 400;

/** The zeros of the decimal digits in common use, such as Arabic, Devanagari, Thai and full-width digits. */
const zeros = [
  0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20,
  0x1040, 0x17e0, 0xff10,
];
/** Characters that stand for others. The Arabic decimal separator is a point, and the one of thousands a comma. */
const marks: readonly (readonly [from: string, to: string])[] = [
  [".", "\u066b\uff0e"],
  [",", "\u066c\uff0c"],
  ["%", "\u066a\uff05\ufe6a"],
  ["-", "\u2212\u2013\ufe63\uff0d"],
  ["+", "\uff0b"],
  ["(", "\uff08"],
  [")", "\uff09"],
  // Marks of direction have no width.
  ["", "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"],
];
const replaced = new Map<string, string>([
  ...zeros.flatMap((zero) =>
    Array.from(
      { length: 10 },
      (_, digit) => [String.fromCharCode(zero + digit), String(digit)] as const,
    ),
  ),
  ...marks.flatMap(([to, from]) => Array.from(from, (each) => [each, to] as const)),
]);

const replaceable = new RegExp(`[${[...replaced.keys()].join("")}]`, "gu");

/** Returns a string with the digits 0 to 9 and ASCII marks instead of those of other scripts. O(length). */
function asciiDigits(text: string): string {
  return text.replace(replaceable, (each) => replaced.get(each) ?? each);
}

/** Currencies that are written as letters, other than their ISO codes. */
const words = [
  String.raw`[Kk]r\.?|zł|Kč|Ft|[Ll]ei|лв\.?|руб\.?|грн\.?|р\.|TL|Rp\.?|RM|[Ss]?Fr\.?|Rs\.?|KSh|R|S\/\.?|Bs\.?`,
  String.raw`د\.إ\.?|ر\.س\.?|ج\.م\.?|د\.ك\.?|د\.ع\.?|د\.ج\.?|د\.م\.?|د\.ت\.?|ر\.ع\.?|ر\.ق\.?|ل\.ل\.?|元|円|원|圓`,
].join("|");
/** A currency, or blanks. */
const unitOrBlank = new RegExp(
  String.raw`\p{L}{0,3}\p{Sc}|(?:${words}|[A-Z]{3})(?!\p{L})|[Ee]uros?(?!\p{L})|\p{White_Space}+`,
  "uy",
);
/**
 * The digits with their marks. Spaces are the usual one, the no-break space, the thin and the narrow no-break space.
 */
const run = /[.,]?\d[\d.,'\u2019 \u00a0\u2009\u202f]*/y;

/** What stands before or after the digits. */
interface Side {
  signCount: number;
  isNegative: boolean;
  openCount: number;
  closeCount: number;
  unitCount: number;
  /** The currency without a final point, or `%`; empty if there is none. */
  unit: string;
}

const emptySide: Readonly<Side> = {
  signCount: 0,
  isNegative: false,
  openCount: 0,
  closeCount: 0,
  unitCount: 0,
  unit: "",
};

/** Splits what stands before or after the digits. Undefined if another part occurs. O(length). */
function splitSide(text: string): Readonly<Side> | undefined {
  if (text === "") return emptySide;
  const side = { ...emptySide };
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    at++;
    if (character === "-" || character === "+") {
      side.signCount++;
      side.isNegative ||= character === "-";
    } else if (character === "(") side.openCount++;
    else if (character === ")") side.closeCount++;
    else if (character !== " ") {
      const found = character === "%" ? character : unitAt(text, at - 1);
      if (found === undefined) return undefined;
      at += found.length - 1;
      if (/^\p{White_Space}/u.test(found)) continue;
      side.unitCount++;
      side.unit = found.length > 1 && found.endsWith(".") ? found.slice(0, -1) : found;
    }
  }
  return side;
}

/** Returns the currency or the blanks at an index; undefined for other characters. */
function unitAt(text: string, at: number): string | undefined {
  unitOrBlank.lastIndex = at;
  return unitOrBlank.exec(text)?.[0];
}

/**
 * Splits a trimmed string that looks like a number, such as `$1,000.50`, `(7,00) €`, `5-`, `12 %` or `CHF 5.-`. At most
 * one sign, pair of parentheses or minus after the digits, and at most one unit, may stand next to the digits.
 * O(length).
 */
export function splitNumber(text: string): NumberText | undefined {
  if (text.length > longestNumber) return undefined;
  const ascii = asciiDigits(text);
  const first = ascii.search(/[0-9]/);
  if (first < 0) return undefined;
  let start = first;
  const mark = ascii.charAt(first - 1);
  // The point in "Rs.500" belongs to the currency.
  if ((mark === "." || mark === ",") && !/[\p{L}/]$/u.test(ascii.slice(0, first - 1))) start--;
  run.lastIndex = start;
  const [found = ""] = run.exec(ascii) ?? [];
  const digits = found.trimEnd();
  let rest = ascii.slice(start + found.length);
  // A dash after the decimal mark stands for no cents, as in "5,-".
  if (rest !== "" && /[.,]$/.test(found)) rest = rest.replace(/^[-\u2014]{1,2}/, "");
  const [exponent = ""] = (rest !== "" && digits === found && /^[eE][+-]?[0-9]+/.exec(rest)) || [];
  const before = splitSide(ascii.slice(0, start));
  const after = before && splitSide(rest.slice(exponent.length));
  if (!before || !after) return undefined;
  // "65+" is not a number.
  if (after.signCount > 0 && !after.isNegative) return undefined;
  if (before.closeCount > 0 || after.openCount > 0 || before.openCount !== after.closeCount)
    return undefined;
  if (before.signCount + after.signCount + before.openCount > 1) return undefined;
  if (before.unitCount + after.unitCount > 1) return undefined;
  const unit = before.unit === "" ? after.unit : before.unit;
  if (/^[A-Z]{3}$/.test(unit) && !isCurrency(unit)) return undefined;
  return {
    isNegative: before.openCount > 0 || before.isNegative || after.isNegative,
    digits,
    exponent,
    ...(unit !== "" && { unit }),
  };
}

let currencies: ReadonlySet<string> | undefined;

/** Returns whether three capitals are the ISO 4217 code of a currency. */
function isCurrency(code: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf("currency"));
  return currencies.has(code);
}
