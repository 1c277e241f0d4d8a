import {
  area,
  curveCardinalClosed,
  curveLinear,
  curveLinearClosed,
  curveMonotoneX,
  curveStepAfter,
  curveStepBefore,
  line,
} from "d3-shape";
import * as assert from "uvu/assert";
import {
  areaPath,
  linePath,
  type AreaPlace,
  type Curve,
} from "../../../../../core/web/charts/frame/linePath.ts";
import { ringPath } from "../../../../../core/web/charts/kinds/ringPath.ts";
import { rounds } from "../../../../support/layer.ts";
import { createPartRandom, withSeed, type Random } from "../../../../support/random.ts";
import { suite } from "../../../../support/suite.ts";

const curves = {
  linear: curveLinear,
  "step-before": curveStepBefore,
  "step-after": curveStepAfter,
  monotone: curveMonotoneX,
} satisfies Readonly<Record<Curve, unknown>>;
const names: readonly Curve[] = ["linear", "step-before", "step-after", "monotone"];

/** Points with gaps, repeated points and vertical lines. */
function randomPlaces(random: Random): (AreaPlace | undefined)[] {
  let x = 0;
  let last: AreaPlace = { x, y: 0, base: 0 };
  return Array.from({ length: random.below(12) }, () => {
    const kind = random.below(8);
    if (kind === 0) return undefined;
    if (kind === 1) return last;
    x += kind === 2 ? 0 : random.below(4_000) / 97;
    last = { x, y: random.below(9_000) / 31 - 100, base: random.below(900) / 7 };
    return last;
  });
}

suite("core/web/charts/frame/linePath", (test) => {
  test("lines and areas equal those of d3-shape", async () => {
    const random = createPartRandom(1);
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 300, deep: 20_000 }); round++) {
        const places = randomPlaces(random);
        const defined = (place: AreaPlace | undefined) => place !== undefined;
        const at = (name: keyof AreaPlace) => (place: AreaPlace | undefined) => place?.[name] ?? 0;
        for (const name of names) {
          const lines = line<AreaPlace | undefined>(at("x"), at("y"))
            .defined(defined)
            .curve(curves[name])
            .digits(2);
          const areas = area<AreaPlace | undefined>(at("x"), at("base"), at("y"))
            .defined(defined)
            .curve(curves[name])
            .digits(2);
          assert.is(linePath(places, name), lines(places) ?? "", name);
          assert.is(areaPath(places, name), areas(places) ?? "", name);
        }
      }
    });
  });

  test("closed lines equal those of d3-shape", async () => {
    const random = createPartRandom(2);
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 100, deep: 5_000 }); round++) {
        const corners = Array.from({ length: 3 + random.below(9) }, (): [number, number] => [
          random.below(9_000) / 31,
          random.below(9_000) / 31,
        ]);
        const straight = line().curve(curveLinearClosed).digits(2);
        const curved = line().curve(curveCardinalClosed.tension(0.3)).digits(2);
        assert.is(ringPath(corners, false), straight(corners) ?? "");
        assert.is(ringPath(corners, true), curved(corners) ?? "");
      }
    });
  });
});
