import type { Scene } from "../scene.ts";
import {
  svgElementsOf,
  svgNamespace,
  svgRootAttributes,
  xmlText,
  type SvgElement,
} from "./svgElement.ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a string for XML: markup becomes text, and characters that parsers reject are removed. */
function escape(value: string): string {
  return xmlText(value).replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? "");
}

function attributes(all: SvgElement["attributes"]): string {
  let written = "";
  for (const [name, value] of Object.entries(all))
    if (value !== undefined) written += ` ${name}="${escape(String(value))}"`;
  return written;
}

/**
 * Returns a scene as an SVG document. The document contains no styles, scripts, links or
 * `foreignObject`, so it is safe wherever images are shown.
 */
export function writeSvg(scene: Scene): string {
  return writePage({ ...scene, placed: [{ x: 0, y: 0, scene }] });
}

/** The scenes of one page, such as the items of a dashboard. */
export interface Page {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  readonly title: string;
  readonly placed: readonly PlacedScene[];
}

/** A scene with its position on a page, in pixels. */
export interface PlacedScene {
  readonly x: number;
  readonly y: number;
  readonly scene: Scene;
}

/** Returns the scenes of a page as one SVG document, with the same guarantees as `writeSvg`. */
export function writePage(page: Page): string {
  return [...pageParts(page)].join("\n");
}

/** Yields the lines of a page's SVG document. Each line contains one element. */
export function* pageParts({ width, height, background, title, placed }: Page): Generator<string> {
  const root = attributes({ xmlns: svgNamespace, ...svgRootAttributes({ width, height }) });
  const [only] = placed;
  const isPage = placed.length !== 1 || only?.scene.width !== width || only.scene.height !== height;
  yield `<svg${root}>`;
  if (isPage) {
    yield `<title>${escape(title)}</title>`;
    yield `<rect${attributes({ width, height, fill: background })}/>`;
  }
  for (const { x, y, scene } of placed) {
    if (isPage) yield `<svg${attributes({ x, y, width: scene.width, height: scene.height })}>`;
    for (const element of svgElementsOf(scene)) yield writeElement(element);
    if (isPage) yield "</svg>";
  }
  yield "</svg>";
}

function writeElement({ name, attributes: all, text, title }: SvgElement): string {
  const open = `<${name}${attributes(all)}`;
  if (text !== undefined) return `${open}>${escape(text)}</${name}>`;
  return title === undefined ? `${open}/>` : `${open}><title>${escape(title)}</title></${name}>`;
}
