import * as assert from "uvu/assert";
import { darkTheme, lightTheme } from "../../../../../core/web/charts/color/chartTheme.ts";
import {
  contrast,
  parseColor,
  type LinearColor,
} from "../../../../../core/web/charts/color/contrast.ts";
import { rampColor } from "../../../../../core/web/charts/color/rampColor.ts";
import { suite } from "../../../../support/suite.ts";

type Matrix = readonly [LinearColor, LinearColor, LinearColor];

/** Matrices that simulate colour vision deficiencies: Machado, Oliveira and Fernandes 2009, severity 1.0. */
const sights: Readonly<Record<string, Matrix>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const times = (matrix: Matrix, [a, b, c]: LinearColor): LinearColor => {
  const row = ([x, y, z]: LinearColor) => x * a + y * b + z * c;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
};
const inGamut = ([a, b, c]: LinearColor): LinearColor => {
  const clipped = (share: number) => Math.max(0, Math.min(1, share));
  return [clipped(a), clipped(b), clipped(c)];
};

/** Converts a linear colour to OKLab (Björn Ottosson 2020). */
function oklab(color: LinearColor): LinearColor {
  const [l, m, s] = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    color,
  );
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    [Math.cbrt(l), Math.cbrt(m), Math.cbrt(s)],
  );
}

const themes = [lightTheme, darkTheme];

suite("core/web/charts/color/palette", (test) => {
  test("any two series colours can be told apart with normal vision and with the three common colour vision deficiencies", () => {
    for (const { name, series } of themes)
      for (const [sight, matrix] of Object.entries(sights)) {
        const seen = series.map((color) => oklab(inGamut(times(matrix, parseColor(color)!))));
        for (const [index, one] of seen.entries())
          for (const [more, other] of seen.slice(index + 1).entries()) {
            const distance =
              100 * Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
            const pair = `${series[index]} and ${series[index + 1 + more]}`;
            assert.ok(distance >= 7, `${name}, ${sight}: ${pair} are ${distance.toFixed(1)} apart`);
          }
      }
  });

  test("series colours have a contrast of at least 3 with the background, and text has a contrast of at least 4.5", () => {
    for (const { background, page, series, text, muted, positive, negative } of themes) {
      for (const color of series) assert.ok(contrast(color, background) >= 3, color);
      for (const color of [text, muted, positive, negative])
        for (const ground of [background, page]) assert.ok(contrast(color, ground) >= 4.5, color);
    }
  });

  test("each step of the colour ramp contrasts more with the background than the step before", () => {
    for (const theme of themes) {
      const color = rampColor(theme);
      const contrasts = Array.from({ length: 21 }, (_, step) =>
        contrast(color(step / 20), theme.background),
      );
      for (const [step, value] of contrasts.entries())
        assert.ok(
          step === 0 || value > (contrasts[step - 1] ?? 0),
          `${theme.name} ${step}: ${contrasts}`,
        );
    }
  });
});
