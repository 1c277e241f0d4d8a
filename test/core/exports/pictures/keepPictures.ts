// Overwrites the kept pictures. Run: node --conditions=manifold-source test/core/exports/pictures/keepPictures.ts
import { mkdirSync, writeFileSync } from "node:fs";
import { keptPictures, pngOf } from "./keptPictures.ts";
import { pixelsOf } from "./pixelsOf.ts";
import { writeIndexedPng } from "./writeIndexedPng.ts";

mkdirSync(new URL("kept/", import.meta.url), { recursive: true });
let sizeBytes = 0;
for (const { file, draw } of keptPictures) {
  const png = writeIndexedPng(await pixelsOf(await pngOf(draw())));
  writeFileSync(file, png);
  sizeBytes += png.length;
}
process.stdout.write(`${keptPictures.length} pictures, ${(sizeBytes / 1_000).toFixed(0)} kB\n`);
