/**
 * A picture as data: what a browser draws as SVG or on a canvas, and the server as SVG, PNG and PDF. It is plain JSON.
 * Lengths are pixels, rounded to hundredths; y grows downwards.
 */
export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  /** The accessible name. */
  readonly title: string;
  /** The text that a screen reader speaks. */
  readonly description: string;
  /** In the order in which they are painted. */
  readonly nodes: readonly SceneNode[];
  /** The series, as a legend lists them; empty where the picture names them itself. */
  readonly legend: readonly LegendEntry[];
  /** Notes on what the picture leaves out: rows that did not fit, an unknown type. */
  readonly notes: readonly string[];
}

export interface LegendEntry {
  readonly name: string;
  readonly color: string;
  /** The series, to hide it: a member of `hiddenSeries` of the request. Absent where nothing can be hidden. */
  readonly id?: string;
  /** Where the picture names it. */
  readonly box?: LegendBox;
}

export interface LegendBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The data behind a mark, for tooltips, filters and the keyboard. */
export interface Mark {
  /** Index of the row of the answer; absent where a mark sums up several. */
  readonly row?: number;
  readonly category: string;
  /** Empty for a picture of one series. */
  readonly series: string;
  /** The value as people read it. */
  readonly value: string;
}

interface Painted {
  readonly fill?: string;
  readonly stroke?: string;
  readonly strokeWidth?: number;
  /** 0 to 1; 1 when left out. */
  readonly opacity?: number;
  readonly mark?: Mark;
}

export interface RectNode extends Painted {
  readonly kind: "rect";
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius?: number;
}

export interface CircleNode extends Painted {
  readonly kind: "circle";
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

export interface PathNode extends Painted {
  readonly kind: "path";
  /** Path data of SVG, in absolute commands. */
  readonly d: string;
}

export type Anchor = "start" | "middle" | "end";
export type Weight = 400 | 600;

export interface TextNode {
  readonly kind: "text";
  readonly x: number;
  /** The baseline. */
  readonly y: number;
  readonly text: string;
  readonly size: number;
  readonly weight: Weight;
  readonly fill: string;
  readonly anchor: Anchor;
  readonly mark?: Mark;
}

export type SceneNode = RectNode | CircleNode | PathNode | TextNode;
