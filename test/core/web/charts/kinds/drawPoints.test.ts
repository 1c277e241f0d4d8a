import * as assert from "uvu/assert";
import { suite } from "../../../../support/suite.ts";
import { chartExamples } from "../../../../documentation/charts/chartExamples.ts";
import { drawSample } from "../drawSample.ts";

const example = chartExamples["scatter-plot"];

function draw(options: object, localeId = "en") {
  const stored = { ...example.stored, options };
  return drawSample(
    { name: "points", stored, rows: example.rows },
    { width: 480, height: 320, theme: "light", localeId },
  );
}
const marks = (options: object) =>
  draw(options).nodes.filter((node) => "mark" in node && node.mark);

suite("core/web/charts/kinds/drawPoints", (test) => {
  test("points beyond a manual axis are left out, with a note", () => {
    const all = marks({}).length;
    assert.ok(all > 2);
    for (const name of ["x", "y"]) {
      const beyond = { axis: { [name]: { type: "manual", manualAxesRange: [-2, -1] } } };
      assert.is(marks(beyond).length, 0, name);
      assert.ok(draw(beyond).notes.includes("values beyond the axis are cut off"), name);
      const wide = { axis: { [name]: { type: "manual", manualAxesRange: [-1e6, 1e6] } } };
      assert.is(marks(wide).length, all, name);
      assert.not(draw(wide).notes.includes("values beyond the axis are cut off"), name);
    }
  });

  test("a scatter plot without options has no note about 0", () => {
    assert.not(draw({}).notes.includes("axis does not start at 0"));
  });

  test("guidelines of a scatter plot stand at values of its vertical axis", () => {
    const lines = [{ type: "max", color: "#ff0000" }];
    const { nodes } = draw({ guidelines: { lines } });
    assert.ok(nodes.some((node) => node.kind === "path" && node.stroke === "#ff0000"));
    assert.ok(nodes.some((node) => node.kind === "text" && node.text.startsWith("maximum ")));
  });
});
