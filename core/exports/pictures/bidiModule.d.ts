// The types of bidi-js declare a default export. Only its ES module has this export, not its CommonJS file.
declare module "bidi-js/dist/bidi.mjs" {
  import type { Bidi } from "bidi-js";

  export default function bidiFactory(): Bidi;
}
