/**
 * Distinct texts in order of first appearance, joined as UTF-8. `ends[code]` is the end of a code's text, and
 * `hashes[code]` the `hashBytes` of its bytes. JSON can escape a lone surrogate: it is encoded as the three bytes that
 * UTF-8 would give its number, and `hasLoneSurrogates` is true.
 */
export interface PackedTexts {
  readonly bytes: Uint8Array;
  readonly ends: Int32Array;
  readonly hashes: Int32Array;
  readonly hasLoneSurrogates: boolean;
}
