/**
 * Distinct strings in order of first appearance, as consecutive UTF-8. `ends[code]` is the end offset of a string, and
 * `hashes[code]` is the `hashBytes` of its bytes. JSON escapes can produce lone surrogates. Each lone surrogate is
 * encoded as three bytes, as UTF-8 would encode its code point, and `hasLoneSurrogates` is true.
 */
export interface PackedTexts {
  readonly bytes: Uint8Array;
  readonly ends: Int32Array;
  readonly hashes: Int32Array;
  readonly hasLoneSurrogates: boolean;
}
