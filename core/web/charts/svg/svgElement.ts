import type { Anchor, Mark, Scene, SceneNode } from "../scene.ts";
import { baseDirection } from "../text/baseDirection.ts";

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An SVG element as data. The server writes it as text, and browsers create it. Undefined attributes are omitted. */
export interface SvgElement {
  readonly name: "rect" | "circle" | "path" | "text" | "title" | "desc";
  readonly attributes: Attributes;
  readonly text?: string;
  /** Text of the mark, for a nested `title` element. */
  readonly title?: string;
}

/** The XML namespace of SVG elements. */
export const svgNamespace = "http://www.w3.org/2000/svg";

const fontFamily = "IBM Plex Sans, sans-serif";
/** The bold font file has its own family name, because rasterizers select fonts by family. */
const boldFamily = `IBM Plex Sans SemiBold, ${fontFamily}`;

/** Characters that XML 1.0 does not allow. */
// oxlint-disable-next-line no-control-regex -- the characters that XML does not have
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Returns a string without the characters that XML does not allow. */
export function xmlText(value: string): string {
  return value.toWellFormed().replaceAll(forbidden, "");
}

/** Returns the attributes of the root element of a picture. */
export function svgRootAttributes({ width, height }: Pick<Scene, "width" | "height">): Attributes {
  const viewBox = `0 0 ${width} ${height}`;
  return { width, height, viewBox, role: "img", direction: "ltr", "font-family": fontFamily };
}

/** Returns the elements of a scene, in the order in which they are painted. */
export function svgElementsOf(scene: Scene): SvgElement[] {
  const { width, height, background, title, description, nodes } = scene;
  return [
    { name: "title", attributes: {}, text: xmlText(title) },
    { name: "desc", attributes: {}, text: xmlText(description) },
    { name: "rect", attributes: { width, height, fill: background } },
    ...nodes.map(svgElementOf),
  ];
}

/** In SVG, the start of text that is written from right to left is its right end. */
const flipped: Readonly<Record<Anchor, Anchor>> = { start: "end", middle: "middle", end: "start" };

function svgElementOf(node: SceneNode): SvgElement {
  if (node.kind === "text") {
    const { x, y, size, weight, fill, anchor, angle } = node;
    const direction = baseDirection(node.text);
    const svgAnchor = direction === "rtl" ? flipped[anchor] : anchor;
    return {
      name: "text",
      text: xmlText(node.text),
      attributes: {
        x,
        y,
        "font-size": size,
        "font-weight": weight === 400 ? undefined : weight,
        "font-family": weight === 400 ? undefined : boldFamily,
        fill,
        direction: direction === "rtl" ? direction : undefined,
        "text-anchor": svgAnchor === "start" ? undefined : svgAnchor,
        transform: angle === undefined ? undefined : `rotate(${angle} ${x} ${y})`,
        "xml:space": "preserve",
      },
    };
  }
  const { kind, fill = "none", stroke, strokeWidth, dash, opacity, mark } = node;
  const paint = {
    fill,
    stroke,
    "stroke-width": stroke === undefined ? undefined : strokeWidth,
    "stroke-dasharray": stroke === undefined ? undefined : dash?.join(" "),
    "stroke-linejoin": kind === "path" && stroke !== undefined ? "round" : undefined,
    opacity: opacity === 1 ? undefined : opacity,
  };
  const title = mark ? xmlText(nameOfMark(mark)) : "";
  const named = title === "" ? {} : { title };
  if (kind === "rect") {
    const { x, y, width, height, radius: rx } = node;
    return { name: kind, attributes: { x, y, width, height, rx, ...paint }, ...named };
  }
  if (kind === "circle")
    return {
      name: kind,
      attributes: { cx: node.x, cy: node.y, r: node.radius, ...paint },
      ...named,
    };
  return { name: kind, attributes: { d: node.d, ...paint }, ...named };
}

/** Returns the text of a mark in one line: its category, series and value. */
function nameOfMark({ category, series, value }: Mark): string {
  return [category, series, value].filter((part) => part !== "").join(", ");
}
