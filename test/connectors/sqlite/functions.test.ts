import { DatabaseSync } from "node:sqlite";
import * as assert from "uvu/assert";
import { addFunctions, instantFunction } from "../../../connectors/sqlite/functions.ts";
import { millisecondsOf } from "../../../plugins/protocol/index.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

suite("connectors/sqlite/functions", (test) => {
  test("the SQLite function that parses datetimes returns the same instant as the protocol's parser for every string", async () => {
    const database = new DatabaseSync(":memory:");
    addFunctions(database, millisecondsOf, (reading) => reading);
    const read = database.prepare(`select ${instantFunction}(?) as instant`);
    const random = createRandom();
    const two = (from: number, to: number) =>
      String(from + random.below(to - from + 1)).padStart(2, "0");
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 3000, deep: 100_000 }); round++) {
        const date = `${two(0, 99)}${two(0, 99)}-${two(0, 13)}-${two(0, 32)}`;
        const time = `${random.pick([" ", "T"])}${two(0, 24)}:${two(0, 60)}:${two(0, 60)}`;
        const rest = random.pick(["", "", ".5", ".1239", "Z", "+02:00", " Z", "x"]);
        const whole = date + (random.chance(0.7) ? time + rest : "");
        // One character is replaced in some of the strings.
        const at = random.below(whole.length);
        const text = random.chance(0.2)
          ? whole.slice(0, at) + random.pick([..."0-: T/9.é"]) + whole.slice(at + 1)
          : whole;
        const expected = millisecondsOf(text) ?? null;
        assert.is(read.get(text)?.["instant"], expected, text);
        assert.is(read.get(text)?.["instant"], expected, text);
      }
    });
    database.close();
  });
});
