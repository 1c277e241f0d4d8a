import {
  sankey,
  sankeyCenter,
  sankeyJustify,
  sankeyLeft,
  sankeyLinkHorizontal,
  sankeyRight,
  type SankeyLink,
  type SankeyNode,
} from "d3-sankey";
import { columnsIn, markOf, type Frame, type PlacedColumn } from "../frame/frame.ts";
import { path, rect, text } from "../frame/nodes.ts";
import { objectOf } from "../item/readItem.ts";
import { fitText } from "../text/fitText.ts";
import { noteLeftOut } from "./noteLeftOut.ts";

/** The most links of a picture. Smaller ones are left out. */
const mostLinks = 600;

interface Step {
  readonly key: string;
  readonly name: string;
  readonly color: string;
  /** Index of the column, which the layout sets. */
  readonly layer?: number;
}

interface Flow {
  readonly source: string;
  readonly target: string;
  /** The amount as a share of the largest one, which cannot overflow. */
  value: number;
  amount: number;
  row: number | undefined;
}

const alignments = {
  justify: sankeyJustify,
  left: sankeyLeft,
  right: sankeyRight,
  center: sankeyCenter,
} as const;

/**
 * Draws flows between steps as bands, whose width is proportional to the measure. With the slots `source` and
 * `destination`, a value that occurs in both is one step. With `category`, each column is a stage. Flows that lead back
 * to an earlier step are left out and counted.
 */
export function drawSankey(frame: Frame): void {
  const { nodes, request, area } = frame;
  const { theme, item } = request;
  const { options } = item;
  const [measure] = columnsIn(frame, "measure");
  const steps = new Map<string, Step>();
  const all = flowsOf(frame, steps, measure).toSorted((one, other) => other.amount - one.amount);
  const kept = withoutCircles(frame, all.slice(0, mostLinks), steps);
  noteLeftOut(frame, "withoutRoom", Math.max(0, all.length - mostLinks));
  const most = kept[0]?.amount ?? 0;
  if (!(most > 0)) return;
  for (const flow of kept) flow.value = flow.amount / most;
  const used = new Set(kept.flatMap(({ source, target }) => [source, target]));
  const named = Object.entries(alignments).find(([name]) => name === options.alignment);
  const wanted = [...steps.values()].filter(({ key }) => used.has(key));
  const layers = Math.max(2, area.height / 14);
  const padding = Math.max(1, Math.min(12, area.height / Math.max(layers / 2, wanted.length)));
  const layout = sankey<Step, Flow>()
    .nodeId(({ key }) => key)
    .nodeAlign(named ? named[1] : sankeyJustify)
    .nodeWidth(14)
    .nodePadding(padding)
    .extent([
      [area.x, area.y + 2],
      [area.x + Math.max(30, area.width), area.y + Math.max(10, area.height - 4)],
    ]);
  const sorting = options.nodeSorting;
  if (sorting === "asc" || sorting === "desc")
    layout.nodeSort(
      (one, other) => (sorting === "asc" ? 1 : -1) * ((one.value ?? 0) - (other.value ?? 0)),
    );
  const graph = layout({
    nodes: wanted.map((each) => ({ ...each })),
    links: kept.map((each) => ({ ...each })),
  });
  const colors = objectOf<"linkColor">(options.colors);
  const outline = sankeyLinkHorizontal<Step, Flow>();
  const isColored = objectOf<"colored">(options.nodes).colored !== false;
  const colorOf = ({ color }: Step) => (isColored ? color : (theme.series[0] ?? ""));
  for (const link of graph.links) {
    const [source, target] = [nodeIn(link.source), nodeIn(link.target)];
    if (!source || !target) continue;
    const shown = measure ? measure.text(link.amount) : "";
    const stroke =
      colors.linkColor === "target"
        ? colorOf(target)
        : colors.linkColor === "none"
          ? theme.axis
          : colorOf(source);
    nodes.push(
      path(rounded(outline(link) ?? ""), {
        stroke,
        strokeWidth: Math.max(0.75, Math.round((link.width ?? 1) * 100) / 100),
        opacity: 0.38,
        mark: markOf(link.row, `${source.name} – ${target.name}`, "", shown),
      }),
    );
  }
  const labels = objectOf<"display" | "value">(options.labels);
  const deepest = Math.max(1, ...graph.nodes.map(({ layer = 0 }) => layer));
  const gap = area.width / (deepest + 1);
  for (const node of graph.nodes) {
    const { x0 = 0, x1 = 0, y0 = 0, y1 = 0, value = 0, name, layer = 0 } = node;
    const shown = measure ? measure.text(value * most) : "";
    nodes.push(
      rect(x0, y0, x1 - x0, Math.max(1, y1 - y0), {
        fill: colorOf(node),
        radius: 2,
        mark: markOf(undefined, name, "", shown),
      }),
    );
    if (labels.display === false || y1 - y0 + padding < 12) continue;
    const isLast = layer === deepest;
    const written = labels.value === true && shown !== "" ? `${name} · ${shown}` : name;
    const room = Math.max(0, gap * (deepest === 1 ? 0.9 : 1) - 28);
    nodes.push(
      text(isLast ? x0 - 6 : x1 + 6, (y0 + y1) / 2 + 4, fitText(written, room, 12), {
        fill: theme.text,
        anchor: isLast ? "end" : "start",
      }),
    );
  }
}

function nodeIn(end: SankeyLink<Step, Flow>["source"]): SankeyNode<Step, Flow> | undefined {
  return typeof end === "object" ? end : undefined;
}

/** Rounds the numbers of path data to hundredths of a pixel. */
function rounded(d: string): string {
  return d.replaceAll(/-?\d+\.\d+(?:e[-+]?\d+)?/g, (number) =>
    String(Math.round(Number(number) * 100) / 100),
  );
}

/** Returns the flows of the rows; flows between the same steps are added. Collects the steps. */
function flowsOf(
  frame: Frame,
  steps: Map<string, Step>,
  measure: PlacedColumn | undefined,
): Flow[] {
  const { rows, request } = frame;
  const [source] = columnsIn(frame, "source");
  const [destination] = columnsIn(frame, "destination");
  const categories = columnsIn(frame, "category");
  const isAlluvial = request.item.options.type === "alluvial" || !source || !destination;
  const stages = isAlluvial ? categories : [source, destination];
  const flows = new Map<string, Flow>();
  const left: string[] = [];
  for (const [index, row] of rows.entries()) {
    const amount = measure ? measure.number(row[measure.cell]) : 1;
    const names = stages.map((stage) => stage.text(row[stage.cell]));
    if (amount === null || !(amount > 0)) {
      left.push(names.join(" – "));
      continue;
    }
    const keys = stages.map((stage, place) => {
      const cell = row[stage.cell];
      const own = stage.key(cell);
      // The stages of an alluvial diagram are different steps even if their values are equal.
      const key = isAlluvial ? `${place} ${own}` : own;
      if (!steps.has(key))
        steps.set(key, {
          key,
          name: stage.text(cell),
          color: request.colors.of(
            stages[isAlluvial ? place : 0]?.field.columnId ?? "",
            own,
            stage.color(cell),
          ),
        });
      return key;
    });
    for (const [place, from] of keys.slice(0, -1).entries()) {
      const to = keys[place + 1]!;
      const id = `${from}\0${to}`;
      const known = flows.get(id);
      if (known) {
        known.amount += amount;
        known.row = undefined;
      } else flows.set(id, { source: from, target: to, value: 0, amount, row: index });
    }
  }
  noteLeftOut(frame, "notPositive", left.length, left);
  return [...flows.values()];
}

/**
 * Leaves out flows that lead back to an earlier step: bands run in one direction. Largest flows come first. O(flows²).
 */
function withoutCircles(
  frame: Frame,
  flows: readonly Flow[],
  steps: ReadonlyMap<string, Step>,
): Flow[] {
  const next = new Map<string, string[]>();
  const circular: string[] = [];
  const isReached = (from: string, wanted: string): boolean => {
    const seen = new Set<string>();
    const left = [from];
    for (let key = left.pop(); key !== undefined; key = left.pop()) {
      if (key === wanted) return true;
      if (seen.has(key)) continue;
      seen.add(key);
      left.push(...(next.get(key) ?? []));
    }
    return false;
  };
  const kept = flows.filter(({ source, target }) => {
    if (isReached(target, source)) {
      circular.push(`${steps.get(source)?.name} – ${steps.get(target)?.name}`);
      return false;
    }
    next.set(source, [...(next.get(source) ?? []), target]);
    return true;
  });
  noteLeftOut(frame, "circular", circular.length, circular);
  return kept;
}
