// The types of bidi-js describe a module with a default export, which its CommonJS file does not have.
declare module "bidi-js/dist/bidi.mjs" {
  import type { Bidi } from "bidi-js";

  export default function bidiFactory(): Bidi;
}
