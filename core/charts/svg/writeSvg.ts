import type { Scene, SceneNode } from "../scene.ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Characters that XML 1.0 forbids. */
// oxlint-disable-next-line no-control-regex -- the characters that XML does not have
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Writes a text for XML: markup as text, and nothing that a parser refuses. */
function escape(value: string): string {
  return value
    .toWellFormed()
    .replaceAll(forbidden, "")
    .replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? "");
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

function attributes(all: Attributes): string {
  let written = "";
  for (const [name, value] of Object.entries(all))
    if (value !== undefined) written += ` ${name}="${escape(String(value))}"`;
  return written;
}

const fontFamily = "IBM Plex Sans, sans-serif";
/** The file of the bold weight has a family name of its own, which rasterizers go by. */
const boldFamily = `IBM Plex Sans SemiBold, ${fontFamily}`;

/**
 * Writes a scene as an SVG document. It has no styles, scripts, links or foreign content: attributes and text only, so
 * that it is safe to show wherever an image is.
 */
export function writeSvg(scene: Scene): string {
  return writePage({ ...scene, placed: [{ x: 0, y: 0, scene }] });
}

/** Scenes on a page, such as the items of a dashboard. */
export interface Page {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  readonly title: string;
  readonly placed: readonly PlacedScene[];
}

export interface PlacedScene {
  readonly x: number;
  readonly y: number;
  readonly scene: Scene;
}

/** Writes the scenes of a page as one SVG document, under the rules of `writeSvg`. */
export function writePage({ width, height, background, title, placed }: Page): string {
  const xmlns = "http://www.w3.org/2000/svg";
  const root = attributes({
    xmlns,
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "font-family": fontFamily,
  });
  const [only] = placed;
  const isPage = placed.length !== 1 || only?.scene.width !== width || only.scene.height !== height;
  return [
    `<svg${root}>`,
    ...(isPage
      ? [
          `<title>${escape(title)}</title>`,
          `<rect${attributes({ width, height, fill: background })}/>`,
        ]
      : []),
    ...placed.flatMap(({ x, y, scene }) =>
      isPage
        ? [
            `<svg${attributes({ x, y, width: scene.width, height: scene.height })}>`,
            ...writeScene(scene),
            "</svg>",
          ]
        : writeScene(scene),
    ),
    "</svg>",
  ].join("\n");
}

function writeScene({ width, height, background, title, description, nodes }: Scene): string[] {
  return [
    `<title>${escape(title)}</title>`,
    `<desc>${escape(description)}</desc>`,
    `<rect${attributes({ width, height, fill: background })}/>`,
    ...nodes.map(writeNode),
  ];
}

function writeNode(node: SceneNode): string {
  if (node.kind === "text") {
    const { x, y, size, weight, fill, anchor } = node;
    const written = attributes({
      x,
      y,
      "font-size": size,
      "font-weight": weight === 400 ? undefined : weight,
      "font-family": weight === 400 ? undefined : boldFamily,
      fill,
      "text-anchor": anchor === "start" ? undefined : anchor,
    });
    return `<text${written} xml:space="preserve">${escape(node.text)}</text>`;
  }
  const { kind, fill = "none", stroke, strokeWidth, opacity, mark } = node;
  const paint = {
    fill,
    stroke,
    "stroke-width": stroke === undefined ? undefined : strokeWidth,
    "stroke-linejoin": kind === "path" && stroke !== undefined ? "round" : undefined,
    opacity: opacity === 1 ? undefined : opacity,
  };
  const name = mark
    ? [mark.category, mark.series, mark.value].filter((part) => part !== "").join(", ")
    : "";
  const inner = name === "" ? "/>" : `><title>${escape(name)}</title></${kind}>`;
  if (kind === "rect") {
    const { x, y, width, height, radius: rx } = node;
    return `<rect${attributes({ x, y, width, height, rx, ...paint })}${inner}`;
  }
  if (kind === "circle")
    return `<circle${attributes({ cx: node.x, cy: node.y, r: node.radius, ...paint })}${inner}`;
  return `<path${attributes({ d: node.d, ...paint })}${inner}`;
}
