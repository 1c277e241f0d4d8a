import type { DataType, Expression } from "../types.ts";
import { compileLeaf, compileRow, compileTest } from "./compileRow.ts";
import type { KnownTexts } from "./boundValue.ts";
import type { Cell } from "./scalarFunction.ts";
import { keptByTexts } from "./keptByTexts.ts";
import { makeStrings } from "./makeStrings.ts";
import { testDictionary, type Leaf } from "./testDictionary.ts";
import { visitInSteps } from "./visitInSteps.ts";
import { computedTextUnits, nameOfExpression, TextInterner } from "./textInterner.ts";

/**
 * Strings computed from other strings. `codes` maps each stored code of the original strings (0 is null) to a stored
 * code of `texts`.
 */
export interface MappedTexts {
  readonly texts: readonly string[];
  readonly codes: Uint32Array;
}

/**
 * Evaluates a checked expression of type text over one text column, once for each of the column's strings and for null.
 * Results are cached with the column's strings and must not be changed.
 * @throws {EngineError} QUERY_TEXTS_LARGE
 */
export function mapTexts(expression: Expression, of: KnownTexts): MappedTexts {
  const { textCount } = of;
  return keptByTexts(keyOf(of), textCount, `texts ${JSON.stringify(expression)}`, function* () {
    // A dictionary uses two bytes or more for each UTF-16 unit.
    const mostUnits = computedTextUnits + (of.dictionary?.memoryBytes ?? 0);
    const interner = new TextInterner(nameOfExpression(expression), mostUnits);
    const codes = new Uint32Array(new SharedArrayBuffer((textCount + 1) * 4));
    let sizeBytes = codes.byteLength;
    yield* eachText(expression, "text", of, (code, cell) => {
      codes[code] = interner.codeOf(cell);
    });
    sizeBytes += interner.units * 2 + interner.texts.length * 64;
    return { value: { texts: interner.texts, codes }, sizeBytes };
  });
}

/**
 * Like `mapTexts`, for an expression of type number or datetime. Returns a double for each stored code; NaN is null.
 */
export function mapNumbers(expression: Expression, of: KnownTexts): Float64Array {
  const { textCount } = of;
  return keptByTexts(keyOf(of), textCount, `numbers ${JSON.stringify(expression)}`, function* () {
    const numbers = new Float64Array(new SharedArrayBuffer((textCount + 1) * 8));
    yield* eachText(expression, "number", of, (code, cell) => {
      numbers[code] = Number(cell ?? NaN);
    });
    return { value: numbers, sizeBytes: numbers.byteLength };
  });
}

/**
 * Like `mapTexts`, for a predicate. Returns 1 for each stored code that passes. Creates no JavaScript strings if bytes
 * are enough, see `testDictionary`.
 */
export function mapTest(test: Leaf, of: KnownTexts): Uint8Array {
  const { textCount, dictionary } = of;
  return keptByTexts(keyOf(of), textCount, `test ${JSON.stringify(test)}`, function* () {
    const isPlain = test.left.kind === "column" && dictionary !== undefined;
    const quick = isPlain ? yield* testDictionary(test, dictionary, textCount) : undefined;
    const passes = quick ?? (yield* testEach(test, of));
    return { value: passes, sizeBytes: passes.byteLength };
  });
}

/** Returns an object that exists as long as the strings do. Creates no JavaScript strings. */
export function keyOf(of: KnownTexts): WeakKey {
  return of.dictionary ?? of.extended ?? of.texts;
}

function* testEach(test: Leaf, of: KnownTexts): Generator<undefined, Uint8Array> {
  const { textCount } = of;
  yield* makeStrings(of);
  const { texts } = of;
  const passes = new Uint8Array(new SharedArrayBuffer(textCount + 1));
  const isPassed = compileLeaf(test);
  if (test.left.kind === "column") {
    passes[0] = isPassed(null) ? 1 : 0;
    yield* visitInSteps(textCount, (index) => {
      passes[index + 1] = isPassed(texts[index]) ? 1 : 0;
    });
    return passes;
  }
  let current: Cell = null;
  const run = compileTest(test, () => () => current);
  yield* visitInSteps(textCount + 1, (code) => {
    current = code === 0 ? null : texts[code - 1];
    passes[code] = run() ? 1 : 0;
  });
  return passes;
}

function* eachText(
  expression: Expression,
  type: DataType,
  of: KnownTexts,
  write: (code: number, cell: Cell) => void,
): Generator<undefined, void> {
  const { textCount } = of;
  yield* makeStrings(of);
  const { texts } = of;
  let current: Cell = null;
  const run = compileRow(expression, () => () => current, type);
  yield* visitInSteps(textCount + 1, (code) => {
    current = code === 0 ? null : texts[code - 1];
    write(code, run());
  });
}
