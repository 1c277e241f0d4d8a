/**
 * Distinct texts in order of first appearance, one behind the other as UTF-8; `ends[code]` is where the text of a code
 * ends. `hashes[code]` is `hashBytes` of its bytes. A lone surrogate, which JSON can escape, stands as the three bytes
 * that UTF-8 would give its number; `hasLoneSurrogates` tells of one.
 */
export interface PackedTexts {
  readonly bytes: Uint8Array;
  readonly ends: Int32Array;
  readonly hashes: Int32Array;
  readonly hasLoneSurrogates: boolean;
}
