import { getDocumentProxy, getResolvedPDFJS } from "unpdf";

/** A shape or text that a page paints. Positions are in pixels from the top left corner. */
export type Painted =
  | {
      readonly kind: "shape";
      readonly fill: string | undefined;
      readonly stroke: string | undefined;
      readonly opacity: number;
      /** The left, top, right and bottom edges of the shape. */
      readonly box: readonly [number, number, number, number];
    }
  | {
      readonly kind: "text";
      readonly text: string;
      readonly x: number;
      readonly y: number;
      readonly size: number;
      readonly fill: string;
    };

type Matrix = readonly [number, number, number, number, number, number];

const pixelsPerPoint = 4 / 3;

function times(one: Matrix, other: Matrix): Matrix {
  const [a, b, c, d, e, f] = one;
  const [g, h, i, j, k, l] = other;
  return [
    a * g + c * h,
    b * g + d * h,
    a * i + c * j,
    b * i + d * j,
    a * k + c * l + e,
    b * k + d * l + f,
  ];
}

const numbersOf = (value: unknown): number[] =>
  value === null || typeof value !== "object" ? [] : Object.values(value).map(Number);

/**
 * Reads everything that the first page of a PDF paints: shapes, text, colors and positions. It uses pdf.js, which is
 * independent of our writer.
 */
export async function readPdf(bytes: Buffer): Promise<readonly Painted[]> {
  const { OPS } = await getResolvedPDFJS();
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const page = await document.getPage(1);
  const { height } = page.getViewport({ scale: 1 });
  const { fnArray, argsArray } = await page.getOperatorList();
  const painted: Painted[] = [];
  const initial = {
    matrix: [1, 0, 0, 1, 0, 0] as Matrix,
    fill: "#000000",
    stroke: "#000000",
    opacity: 1,
  };
  let state = initial;
  let text = { matrix: [1, 0, 0, 1, 0, 0] as Matrix, size: 0 };
  const saved: (typeof state)[] = [];
  const at = (x: number, y: number, matrix: Matrix): [number, number] => {
    const [, , , , left, up] = times(matrix, [1, 0, 0, 1, x, y]);
    return [left * pixelsPerPoint, (height - up) * pixelsPerPoint];
  };
  for (const [index, operator] of fnArray.entries()) {
    const given: unknown = argsArray[index];
    const args: readonly unknown[] = Array.isArray(given) ? given : [];
    if (operator === OPS.save) saved.push(state);
    else if (operator === OPS.restore) state = saved.pop() ?? initial;
    else if (operator === OPS.transform)
      state = { ...state, matrix: times(state.matrix, args.map(Number) as unknown as Matrix) };
    else if (operator === OPS.setFillRGBColor) state = { ...state, fill: String(args[0]) };
    else if (operator === OPS.setStrokeRGBColor) state = { ...state, stroke: String(args[0]) };
    else if (operator === OPS.setGState) {
      const [values] = args as [readonly (readonly [string, number])[]];
      const opacity = values.find(([name]) => name === "ca")?.[1] ?? state.opacity;
      state = { ...state, opacity };
    } else if (operator === OPS.constructPath) {
      const [how, , ends] = args;
      const [left = 0, bottom = 0, right = 0, top = 0] = numbersOf(ends);
      const isFilled = [OPS.fill, OPS.eoFill, OPS.fillStroke].includes(Number(how));
      const isStroked = [OPS.stroke, OPS.fillStroke].includes(Number(how));
      // The other operators only set the clipping region.
      if (!isFilled && !isStroked) continue;
      const [x1, y1] = at(left, bottom, state.matrix);
      const [x2, y2] = at(right, top, state.matrix);
      painted.push({
        kind: "shape",
        fill: isFilled ? state.fill : undefined,
        stroke: isStroked ? state.stroke : undefined,
        opacity: state.opacity,
        box: [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)],
      });
    } else if (operator === OPS.setFont) text = { ...text, size: Number(args[1]) };
    else if (operator === OPS.setTextMatrix)
      text = { ...text, matrix: numbersOf(args[0]) as unknown as Matrix };
    else if (operator === OPS.showText) {
      const [glyphs] = args as [readonly (number | { readonly unicode: string })[]];
      const shown = glyphs
        .map((glyph) => (typeof glyph === "number" ? "" : glyph.unicode))
        .join("");
      const [x, y] = at(text.matrix[4], text.matrix[5], state.matrix);
      painted.push({ kind: "text", text: shown, x, y, size: text.size, fill: state.fill });
    }
  }
  await document.cleanup();
  return painted;
}
