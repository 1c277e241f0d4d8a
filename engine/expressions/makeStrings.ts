import type { KnownTexts } from "./boundValue.ts";

/** Creates the JavaScript strings of a text expression that are created on demand, in short steps. */
export function* makeStrings({ dictionary, extended }: KnownTexts): Generator<undefined, void> {
  const source = dictionary ?? extended;
  if (source) yield* source.makeStrings();
}
