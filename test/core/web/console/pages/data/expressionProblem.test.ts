import * as assert from "uvu/assert";
import {
  nameProblem,
  problemInWords,
} from "../../../../../../core/web/console/pages/data/expressionProblem.ts";
import { withIds } from "../../../../../../core/web/console/pages/data/expressionText.ts";
import { functionSignatures } from "../../../../../../core/web/console/pages/data/functionSignatures.ts";
import { parse } from "../../../../../../core/queries/expressions/parse.ts";
import { suite } from "../../../../../support/suite.ts";

const datasetId = "7a1f7d3c-7a44-4f0b-9c7b-0d5f3f0a1b2c";
const columns = [
  { id: "11111111-7a44-4f0b-9c7b-0d5f3f0a1b2c", name: { en: "Units" } },
  { id: "22222222-7a44-4f0b-9c7b-0d5f3f0a1b2c", name: { en: "Unit Price" } },
];

suite("core/web/console/pages/data/expressionProblem", (test) => {
  test("an unknown column or function is named with the one that is probably meant", () => {
    const problem = (text: string) => nameProblem(text, columns, functionSignatures);
    assert.is(
      problem("{Units} * {Unit Prise}"),
      "There is no column “Unit Prise”. Did you mean “Unit Price”?",
    );
    assert.is(problem("{Weather}"), "There is no column “Weather”.");
    assert.is(problem("rond({Units})"), "There is no function “rond”. Did you mean “round”?");
    assert.is(problem("ROUND({Units}) || 'rond({x})'"), "");
    assert.is(problem(`{${datasetId}:${columns[0]!.id}} * 2`), "");
  });

  test("a message of the host names the text at its place, as the reader typed it", () => {
    const said = (typed: string) => {
      try {
        parse(withIds(typed, datasetId, columns));
      } catch (failure) {
        const message = `dimensions.expression is not valid: ${(failure as Error).message}`;
        return problemInWords(message, typed, datasetId, columns);
      }
      throw new Error(`${typed} is valid`);
    };
    for (const [typed, place] of [
      ["{Units} * * {Unit Price}", "At “* {Unit Price}”"],
      ["{Units} * ", "At the end"],
      ["{Units} + {Unit Price} )", "At “)”"],
    ] as const) {
      const message = said(typed);
      assert.ok(message.startsWith(place), message);
      assert.not.match(message, datasetId);
    }
  });
});
