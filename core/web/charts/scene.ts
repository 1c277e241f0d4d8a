/**
 * A picture as data. Browsers draw it as SVG or on a canvas; the server draws it as SVG, PNG and PDF. It is plain JSON.
 * Lengths are pixels, rounded to hundredths, and y grows downwards.
 */
export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  /** Accessible name of the picture. */
  readonly title: string;
  /** Description for screen readers. */
  readonly description: string;
  /** Nodes in the order in which they are painted. */
  readonly nodes: readonly SceneNode[];
  /** The series for a legend; empty if the picture labels them itself. */
  readonly legend: readonly LegendEntry[];
  /** Notes about omitted parts, such as rows that did not fit. */
  readonly notes: readonly string[];
  /** The rows of a table or pivot table, if the picture shows a part of it. Absent for other pictures. */
  readonly tableRows?: TableRows;
}

/** The rows of a table that a picture shows. */
export interface TableRows {
  /** Index of the first row that follows the shown rows. */
  readonly to: number;
  /** Number of rows of the whole table. */
  readonly count: number;
  /** Bottom edge of the last row in pixels. */
  readonly bottom: number;
}

/** A series in the legend of a picture. */
export interface LegendEntry {
  readonly name: string;
  readonly color: string;
  /** Id of the series, for `hiddenSeries` of the request. Absent if the series cannot be hidden. */
  readonly id?: string;
  /** Position of the name in the picture. */
  readonly box?: LegendBox;
}

/** The position of a series name in a picture, in pixels. */
export interface LegendBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The data behind a mark, for tooltips, filters and the keyboard. */
export interface Mark {
  /** Index of the row in the answer; absent if the mark combines several rows. */
  readonly row?: number;
  readonly category: string;
  /** Name of the series; empty if the picture has only one series. */
  readonly series: string;
  /** The value in the reader's format. */
  readonly value: string;
  /** The total of the stack to which the mark belongs, with its name in the reader's language. */
  readonly whole?: { readonly name: string; readonly value: string };
}

interface Painted {
  readonly fill?: string;
  readonly stroke?: string;
  readonly strokeWidth?: number;
  /** Lengths in pixels of the dashes of the stroke, and of the gaps between them; absent for a solid stroke. */
  readonly dash?: readonly [dash: number, gap: number];
  /**
   * Opacity from 0 to 1.
   * @default 1
   */
  readonly opacity?: number;
  readonly mark?: Mark;
}

/** A rectangle; `x` and `y` are its top left corner. */
export interface RectNode extends Painted {
  readonly kind: "rect";
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius?: number;
}

/** A circle. */
export interface CircleNode extends Painted {
  readonly kind: "circle";
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** A path of lines and curves. */
export interface PathNode extends Painted {
  readonly kind: "path";
  /** SVG path data with absolute commands. */
  readonly d: string;
}

/** Which part of a line of text is at its `x`: the left end (`start`), the middle or the right end (`end`). */
export type Anchor = "start" | "middle" | "end";
/** Font weight: 400 is regular, 600 is semi-bold. */
export type Weight = 400 | 600;

/** A line of text. */
export interface TextNode {
  readonly kind: "text";
  readonly x: number;
  /** Vertical position of the baseline. */
  readonly y: number;
  readonly text: string;
  readonly size: number;
  readonly weight: Weight;
  readonly fill: string;
  readonly anchor: Anchor;
  /** Clockwise rotation around `x` and `y` in degrees; absent for horizontal text. */
  readonly angle?: number;
  readonly mark?: Mark;
}

/** A shape or text of a scene. */
export type SceneNode = RectNode | CircleNode | PathNode | TextNode;
