import * as assert from "uvu/assert";
import { labelPoints } from "../../../../../core/web/charts/axes/labelPoints.ts";
import { measureText } from "../../../../../core/web/charts/text/measureText.ts";
import { rounds } from "../../../../support/layer.ts";
import { createRandom, withSeed } from "../../../../support/random.ts";
import { suite } from "../../../../support/suite.ts";
import { between } from "../between.ts";

const plot = { x: 50, y: 20, width: 500, height: 300 };

suite("core/web/charts/axes/labelPoints", (test) => {
  test("names of points in a chart overlap neither points nor each other, and stay inside the plot", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      let named = 0;
      for (let round = 0; round < rounds({ quick: 60, deep: 600 }); round++) {
        const points = Array.from({ length: between(random, 1, 120) }, (_, index) => ({
          x: between(random, plot.x, plot.x + plot.width),
          y: between(random, plot.y, plot.y + plot.height),
          radius: between(random, 2, 20),
          name: "ORD".repeat(between(random, 0, 3)) + index,
        }));
        const labels = labelPoints(points, plot, 12);
        assert.ok(labels.length <= 12);
        named += labels.length;
        const boxes = labels.map(({ x, y, name, anchor }) => {
          const width = measureText(name, 12);
          const left = anchor === "start" ? x : x - width;
          return { left, right: left + width, top: y - 11, bottom: y + 3 };
        });
        for (const [index, box] of boxes.entries()) {
          assert.ok(box.left >= plot.x && box.right <= plot.x + plot.width + 8);
          for (const { x, y, radius } of points)
            assert.not.ok(
              x - radius < box.right &&
                box.left < x + radius &&
                y - radius < box.bottom &&
                box.top < y + radius,
            );
          for (const other of boxes.slice(0, index))
            assert.not.ok(
              other.left < box.right &&
                box.left < other.right &&
                other.top < box.bottom &&
                box.top < other.bottom,
            );
        }
      }
      assert.ok(named > 60);
    });
  });

  test("the point that differs most from the others gets a name first", () => {
    const crowd = Array.from({ length: 9 }, (_, index) => ({
      x: 100 + index * 40,
      y: 250,
      radius: 4,
      name: `crowd ${index}`,
    }));
    const [first] = labelPoints([...crowd, { x: 500, y: 40, radius: 4, name: "far" }], plot, 1);
    assert.equal(first, { x: 508, y: 44, name: "far", anchor: "start" });
  });

  test("no point gets a name if there are more than 500 points", () => {
    const points = Array.from({ length: 501 }, (_, x) => ({ x, y: 100, radius: 1, name: "a" }));
    assert.equal(labelPoints(points, plot, 12), []);
  });
});
