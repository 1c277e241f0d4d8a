import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import * as assert from "uvu/assert";
import { openHereDoor } from "../../../files/openHereDoor.ts";
import { suite } from "../../../support/suite.ts";

/** Messages of JavaScript, which mean nothing to the reader of a file. */
const internal = /undefined|of null|not a function|not iterable|properties of/;

suite("plugins/rows/formats/openArrow: metadata", (test) => {
  const table = tableFromArrays({ a: Int32Array.of(1, 2, 3), b: ["x", "y", "x"] });

  for (const form of ["file", "stream"] as const)
    test(`an Arrow ${form} in which any number is huge is read or refused in words`, async () => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-arrow-")));
      const path = join(folder, "a.arrow");
      const door = openHereDoor(folder);
      const bytes = tableToIPC(table, form);
      const refusals = new Set<string>();
      try {
        for (let at = 0; at + 4 <= bytes.length; at += 4) {
          const changed = Buffer.from(bytes);
          changed.writeInt32LE(0x7fff_ffff, at);
          writeFileSync(path, changed);
          const found = await door.read("a.arrow");
          const answers = typeof found === "string" ? [found] : found.map((each) => each.rows());
          for (const answer of await Promise.all(answers))
            if (typeof answer === "string") refusals.add(answer);
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      const all = [...refusals];
      assert.ok(all.some((each) => each.includes("declares more elements than it has bytes")));
      assert.equal(
        all.filter((each) => internal.test(each)),
        [],
      );
    });
});
