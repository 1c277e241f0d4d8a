import * as assert from "uvu/assert";
import { aggregate } from "../../../plugins/conformance/aggregate.ts";
import { protocolSemantics } from "../../../plugins/conformance/semantics.ts";
import {
  type Aggregation,
  aggregationDefinitions,
  aggregations,
} from "../../../plugins/protocol/index.ts";
import { suite } from "../../support/suite.ts";

suite("plugins/conformance/aggregate", (test) => {
  const fold = (aggregation: Aggregation, cells: readonly (number | null)[]) =>
    aggregate(cells, { aggregation, fraction: 0.5 }, cells, protocolSemantics);

  test("over no values, each aggregation returns the result declared in its table", () => {
    for (const name of aggregations)
      assert.is(fold(name, [null, null]), aggregationDefinitions[name].empty, name);
  });

  test("repeated values do not change aggregations that are declared to ignore repeats", () => {
    for (const name of aggregations) {
      const isSame = fold(name, [1, 1, 1, 5]) === fold(name, [1, 5]);
      assert.is(isSame, aggregationDefinitions[name].ignoresRepeats, name);
    }
  });

  test("an unknown aggregation fails instead of being computed as a median", () => {
    assert.throws(
      () => fold("unknown" as Aggregation, [1, 5, 100]),
      /unknown is an unknown aggregation/,
    );
  });
});
