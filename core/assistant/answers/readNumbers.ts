/** A number that a text contains, with its position and its possible values. */
export interface ShownNumber {
  /** Index of the number's first character in the text. `to` is the index after its last character. */
  readonly from: number;
  readonly to: number;
  /** The values that the number may mean: `1,234` has two. Empty for unsupported forms, such as ½ or Ⅻ. */
  readonly readings: readonly NumberReading[];
}

export interface NumberReading {
  readonly value: number;
  /** Number of decimals that the text shows. */
  readonly decimals: number;
  /** Factor by which a word or suffix multiplies the number: 1000 in `3 thousand`. */
  readonly scale: number;
  readonly isPercent: boolean;
  /**
   * Whether the number has a minus sign. A number without a sign may still stand for a negative value, as in "fell by
   * 5".
   */
  readonly isNegative: boolean;
}

const pattern =
  /(?<sign>(?<![\p{L}\p{N}])[-+\u2212]\s?)?(?<digits>\p{N}(?:[\p{N}.,'\u2019\u066b\u066c]|[\u00a0\u202f](?=\p{N}{3}))*\p{N}|\p{N})(?:[eE](?<power>[-+]?\d{1,3}))?(?<unit>\s?(?:%|\u066a|(?:percent|procent|Prozent|pour\s?cent|thousand|million|billion|trillion|duizend|miljoen|miljard|Tausend|Millionen|Million|Milliarden|Milliarde|mille|millions|milliards?|Mio|Mrd|mln|mld|bn|[kKMB])(?![\p{L}\p{N}])))?/gu;

const scales: readonly (readonly [RegExp, number])[] = [
  [/^(?:thousand|duizend|tausend|mille|k)$/i, 1e3],
  [/^(?:millionen|millions?|miljoen|mio|mln|m)$/i, 1e6],
  [/^(?:billion|miljard|milliarden?|milliards?|mrd|mld|bn|b)$/i, 1e9],
  [/^trillion$/i, 1e12],
];

/**
 * Finds every number in a text. Recognizes digits of all scripts with signs, separators, powers, percent signs and
 * words such as `million`.
 */
export function readNumbers(text: string): readonly ShownNumber[] {
  return [...text.matchAll(pattern)].map((match) => {
    const { sign = "", digits = "", power, unit = "" } = match.groups ?? {};
    const word = unit.trim();
    const isPercent = /^(?:%|\u066a|percent|procent|prozent|pour\s?cent)$/i.test(word);
    const scale = scales.find(([form]) => form.test(word))?.[1] ?? 1;
    const shared = { scale, isPercent, isNegative: /[-\u2212]/.test(sign) };
    const plain = digits.replaceAll(/\p{Nd}/gu, asciiDigit);
    const powered = power === undefined ? 0 : Number(power);
    const readings = valuesOf(plain).map(({ value, decimals }) => ({
      ...shared,
      value: value * 10 ** powered,
      decimals: Math.max(0, decimals - powered),
    }));
    return { from: match.index, to: match.index + match[0].length, readings };
  });
}

/**
 * Converts a decimal digit to ASCII. The digits of a script are consecutive code points from its zero (Unicode, 4.6).
 */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return code >= 0x30 && code <= 0x39 ? digit : String(code - zero);
}

function valuesOf(
  digits: string,
): readonly { readonly value: number; readonly decimals: number }[] {
  if (!/^[\d.,'\u2019\u066b\u066c\u00a0\u202f]+$/.test(digits)) return [];
  const text = digits.replaceAll(/['\u2019\u066c\u00a0\u202f]/g, "").replaceAll("\u066b", ".");
  const marks = text.match(/[.,]/g) ?? [];
  const [first] = marks;
  if (first === undefined) return [{ value: Number(text), decimals: 0 }];
  const last = marks.at(-1)!;
  const [, fraction = ""] = text.split(/[.,](?=[^.,]*$)/);
  const decimal = () => {
    const whole = text.slice(0, text.length - fraction.length - 1).replaceAll(/[.,]/g, "");
    return { value: Number(`${whole}.${fraction}`), decimals: fraction.length };
  };
  const grouped = { value: Number(text.replaceAll(/[.,]/g, "")), decimals: 0 };
  const areGroups = text.split(/[.,]/).every((part, index) => index === 0 || part.length === 3);
  if (first !== last) return [decimal()];
  if (marks.length > 1) return areGroups ? [grouped] : [];
  return areGroups ? [decimal(), grouped] : [decimal()];
}
