// The types of bidi-js are those of a module with a default member, which its CommonJS file does not have.
declare module "bidi-js/dist/bidi.mjs" {
  import type { Bidi } from "bidi-js";

  export default function bidiFactory(): Bidi;
}
