import {
  createColors,
  drawItem,
  kindOfItem,
  lightTheme,
  loadKind,
  loadWords,
  measureText,
  readColumns,
  valueScale,
  type ChartItem,
  type Scene,
  type SceneNode,
} from "../../web/charts/index.ts";
import type { Message } from "./message.ts";

/** The size of a picture in pixels. */
const width = 592;
const barHeight = 30;
const lineHeight = 260;
const thresholdColor = "#c92a2a";
const textSize = 12;
/** Distance of the line from the edges. */
const edge = 12;

/**
 * Draws the picture of a message: bars, or a line for instants, and the threshold as a line across the value axis.
 * A threshold outside the picture has no line. Undefined for a message without a picture.
 */
export async function drawChart({
  chart,
  locale,
  queryZone,
}: Pick<Message, "chart" | "locale" | "queryZone">): Promise<Scene | undefined> {
  if (!chart) return undefined;
  const { category, measure, rows, threshold } = chart;
  const isTime = category.type === "datetime";
  const type = isTime ? "line-chart" : "bar-chart";
  const fields = [
    { ...category, slot: isTime ? "x-axis" : "y-axis" },
    { ...measure, slot: "measure" },
  ];
  const item: ChartItem = { id: "alert", type, options: {}, fields };
  const [drawKind] = await Promise.all([
    loadKind(kindOfItem(type)?.kind ?? "bars", locale),
    loadWords(locale),
  ]);
  const look = { localeId: locale, timezoneId: queryZone };
  const height = isTime ? lineHeight : 70 + rows.length * barHeight;
  const scene = drawItem(
    {
      item,
      fields,
      rows,
      theme: lightTheme,
      colors: createColors(lightTheme),
      width,
      height,
      ...look,
    },
    drawKind,
  );
  if (threshold === null) return scene;
  const [column] = readColumns({ fields: [measure], ...look });
  const text = column?.text(threshold) ?? String(threshold);
  return withThreshold(scene, chart, text);
}

/** Adds the line of the threshold. The number stands below a vertical line, and above a horizontal one. */
function withThreshold(
  scene: Scene,
  { rows, threshold }: NonNullable<Message["chart"]>,
  shown: string,
): Scene {
  const scale = valueScale(scene, (row) => rows[row]?.[1]);
  if (!scale || threshold === null) return scene;
  const at = Math.round(scale.at(threshold) * 100) / 100;
  const { width: most, height } = scene;
  if (at < edge || at > (scale.isAlongX ? most : height) - edge) return scene;
  const halfWidth = measureText(shown, textSize) / 2 + 4;
  const top = Math.min(...scale.points.map(({ y }) => y)) - barHeight / 2;
  const style = { text: shown, size: textSize, weight: 600, fill: thresholdColor } as const;
  const line = { kind: "path", stroke: thresholdColor, strokeWidth: 1.5 } as const;
  const nodes: readonly SceneNode[] = scale.isAlongX
    ? [
        { ...line, d: `M${at},${top}V${height}` },
        {
          ...style,
          kind: "text",
          x: Math.max(halfWidth, Math.min(most - halfWidth, at)),
          y: height + textSize,
          anchor: "middle",
        },
      ]
    : [
        { ...line, d: `M${edge},${at}H${most - edge}` },
        { ...style, kind: "text", x: most - edge, y: at - 4, anchor: "end" },
      ];
  return {
    ...scene,
    height: scale.isAlongX ? height + textSize + edge / 2 : height,
    nodes: [...scene.nodes, ...nodes],
  };
}
