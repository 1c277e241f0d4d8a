import { compareText } from "../../column/texts/compareText.ts";
import { EngineError } from "../../errors.ts";
import { mostRowTextUnits as mostUnits } from "../../expressions/rowEvaluator.ts";
import type { BoundPlan } from "../../plan/boundPlan.ts";

/**
 * The computed strings of one key, cell or count: stored code `code` stands for `texts[code - 1]`. Undefined if no
 * strings are computed.
 */
export type ComputedTexts = readonly string[] | undefined;

/** The strings of all lanes, ordered by code point, and a map from each lane's stored codes to the unified codes. */
interface UnifiedTexts {
  readonly texts: ComputedTexts;
  readonly maps: readonly (Uint32Array | undefined)[];
}

/**
 * Merges the strings that lanes computed into one dictionary, which does not depend on the order of the lanes. Takes
 * O(strings * log strings).
 */
export function unifyTexts(lanes: readonly ComputedTexts[]): UnifiedTexts {
  if (!lanes.some((texts) => texts)) return { texts: undefined, maps: lanes.map(() => undefined) };
  const different = new Set<string>();
  let units = 0;
  for (const own of lanes)
    for (const text of own ?? []) {
      if (different.has(text)) continue;
      different.add(text);
      // This is the order that a single lane would return if it computed all strings, so answers do not depend on the
      // number of lanes.
      units += text.length;
      if (units > mostUnits)
        throw new EngineError("QUERY_TEXTS_LARGE", ["an expression", mostUnits]);
    }
  const texts = [...different].sort(compareText);
  const codes = new Map(texts.map((text, index) => [text, index + 1]));
  return {
    texts,
    maps: lanes.map((own = []) =>
      Uint32Array.from([0, ...own.map((text) => codes.get(text) ?? 0)]),
    ),
  };
}

/** Replaces a lane's stored codes with the unified codes of all lanes. */
export function followCodes(codes: Float64Array, map: Uint32Array | undefined): Float64Array {
  return map ? codes.map((code) => map[code]) : codes;
}

/**
 * Keeps only the strings that occur in rows. Codes are numbered from 1 in the order in which rows use them; 0 is null.
 */
export function compactTexts(
  codes: Float64Array,
  texts: readonly string[],
): { readonly codes: Float64Array; readonly texts: readonly string[] } {
  const kept: string[] = [];
  const places = new Map<number, number>([[0, 0]]);
  return {
    codes: codes.map((code) => {
      let place = places.get(code);
      if (place === undefined) places.set(code, (place = kept.push(texts[code - 1])));
      return place;
    }),
    texts: kept,
  };
}

/** Adds ranks of computed strings to a plan's order. Unified codes are already in the order of their strings. */
export function withRanks(plan: BoundPlan, texts: readonly ComputedTexts[]): BoundPlan {
  if (!plan.order.some(({ output }) => texts[output])) return plan;
  return {
    ...plan,
    order: plan.order.map((part) => {
      const computed = texts[part.output];
      return computed ? { ...part, ranks: Int32Array.from(computed.keys()) } : part;
    }),
  };
}

/** Ranks the strings that occur in the given rows, so that these rows can be sorted. Other strings get rank 0. */
export function rankCodes(codes: Float64Array, texts: readonly string[]): Int32Array {
  const ranks = new Int32Array(texts.length);
  const present = [...new Set(codes)].filter((code) => code > 0);
  present.sort((left, right) => compareText(texts[left - 1], texts[right - 1]));
  present.forEach((code, rank) => (ranks[code - 1] = rank));
  return ranks;
}
