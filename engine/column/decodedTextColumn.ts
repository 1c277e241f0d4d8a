import type { TextBatchColumn } from "../types.ts";
import { decodeTexts } from "./texts/decodeTexts.ts";
import type { PackedTexts } from "./texts/packedTexts.ts";

/** A text column whose strings are packed, as a thread decoded them. Creates JavaScript strings only when needed. */
export class DecodedTextColumn implements TextBatchColumn {
  readonly type = "text";
  readonly codes: Int32Array;
  readonly texts: PackedTexts;
  #dictionary: readonly string[] | undefined;

  constructor(codes: Int32Array, texts: PackedTexts) {
    this.codes = codes;
    this.texts = texts;
  }

  get utf8(): PackedTexts | undefined {
    return this.texts.hasLoneSurrogates ? undefined : this.texts;
  }

  get dictionary(): readonly string[] {
    return (this.#dictionary ??= decodeTexts(this.texts));
  }
}
