import {
  cleanText,
  wrapText,
  type ChartTheme,
  type Scene,
  type TextNode,
} from "../../web/charts/index.ts";

/** The title and the lines at the top of a page. */
export interface PageHead {
  readonly title: string;
  readonly lines: readonly string[];
  /** Width in pixels. */
  readonly width: number;
  readonly theme: Pick<ChartTheme, "text" | "muted">;
  readonly background: string;
  /**
   * How many times larger than in a dashboard the text is.
   * @default 1
   */
  readonly zoom?: number;
}

const titleSize = 16;
const lineSize = 11;
/** Maximum number of lines; the last one ends with an ellipsis if there are more. */
const mostLines = 12;

/** Draws the head of a page: its title, and the filters that apply to it. */
export function drawHead({ title, lines, width, theme, background, zoom = 1 }: PageHead): Scene {
  const nodes: TextNode[] = [];
  let y = 0;
  const write = (text: string, size: number, weight: TextNode["weight"], fill: string) => {
    y += size * 1.4;
    const baseline = Math.round((y - size * 0.3) * 100) / 100;
    nodes.push({ kind: "text", x: 0, y: baseline, text, size, weight, fill, anchor: "start" });
  };
  const large = titleSize * zoom;
  for (const line of wrapText(cleanText(title), width, 2, large, 600))
    write(line, large, 600, theme.text);
  const small = lineSize * zoom;
  for (const line of wrapText(lines.join(" · "), width, mostLines, small))
    write(line, small, 400, theme.muted);
  return {
    width,
    height: Math.ceil(y + small * 0.6),
    background,
    title,
    description: "",
    nodes,
    legend: [],
    notes: [],
  };
}
