import { safeColor } from "../color/contrast.ts";
import { readableText } from "../color/readableText.ts";
import { drawLegend } from "../frame/drawLegend.ts";
import { columnsIn, markOf, type Area, type Frame } from "../frame/frame.ts";
import { text } from "../frame/nodes.ts";
import type { Weight } from "../scene.ts";
import { objectOf } from "../item/readItem.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { noteLeftOut } from "./noteLeftOut.ts";

/** The most words of a picture. */
const mostWords = 150;
const smallest = 11;
/** After this many words without room, the picture is full. */
const mostMisses = 12;
/** The share of the area that words cover at most. Words of different sizes cannot fill it. */
const mostCover = 0.5;
const mostRounds = 4;

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Draws words whose size shows their value, largest in the middle. Every word is placed on a spiral where it touches no
 * other word, so that equal answers give equal pictures.
 */
export function drawWords(frame: Frame): void {
  const { nodes, request, rows } = frame;
  const { theme, colors, item } = request;
  const [category] = columnsIn(frame, "category");
  const [measure] = columnsIn(frame, "measure");
  const [group] = columnsIn(frame, "color");
  if (!category) return;
  const isColored = objectOf<"colored">(item.options.categories).colored !== false;
  const left: string[] = [];
  const unnamed: string[] = [];
  const all = rows.flatMap((row, index) => {
    const value = measure ? measure.number(row[measure.cell]) : 1;
    const cell = row[category.cell];
    const name = category.text(cell);
    if (name.trim() === "" || cell === null || cell === undefined) {
      unnamed.push(name);
      return [];
    }
    if (value === null || !(value > 0)) {
      left.push(name);
      return [];
    }
    const by = group ?? (isColored ? category : undefined);
    const byCell = by && row[by.cell];
    const color = by
      ? colors.of(by.field.columnId ?? "", by.key(byCell), by.color(byCell))
      : (safeColor(category.color(cell)) ?? theme.series[0] ?? "");
    return [{ index, value, name, color, series: group ? group.text(row[group.cell]) : "" }];
  });
  noteLeftOut(frame, "notPositive", left.length, left);
  noteLeftOut(frame, "withoutName", unnamed.length);
  const ranking = objectOf<"active" | "direction" | "number">(item.options.ranking);
  const isBottom = ranking.active === true && ranking.direction === "bottom";
  const sorted = all.toSorted((one, other) => other.value - one.value);
  const wanted =
    ranking.active === true && typeof ranking.number === "number" && ranking.number > 0
      ? Math.min(mostWords, Math.floor(ranking.number))
      : mostWords;
  const words = isBottom ? sorted.slice(-wanted) : sorted.slice(0, wanted);
  if (group) {
    const entries = new Map(words.map(({ series, color }) => [series, { name: series, color }]));
    drawLegend(frame, [...entries.values()]);
  }
  const { area } = frame;
  const most = words[0]?.value ?? 1;
  const least = words.at(-1)?.value ?? 1;
  const longest = Math.max(1, ...words.slice(0, 8).map(({ name }) => measureText(name, 1, 600)));
  const atMost = Math.max(smallest, Math.min(72, area.height / 2.6, area.width / longest));
  // The largest sizes whose words cover at most half of the area, or smaller ones that have room for all words.
  let largest = atMost;
  const room = area.width * area.height * mostCover;
  while (largest > smallest && coverOf(words, { largest, most, least }) > room) largest *= 0.9;
  let laid: PlacedWord[] = [];
  for (let round = 0; round < mostRounds; round++) {
    laid = placeWords(words, { area, largest: Math.max(smallest, largest), most, least });
    if (laid.length === words.length || largest <= smallest) break;
    largest *= 0.82;
  }
  for (const { word, box, size, weight, shown } of laid)
    nodes.push({
      ...text((box.left + box.right) / 2, box.bottom - size * 0.24, shown, {
        fill: readableText(word.color, theme.background, theme.text),
        size,
        weight,
        anchor: "middle",
      }),
      mark: markOf(word.index, word.name, word.series, measure ? measure.text(word.value) : ""),
    });
  const drawn = new Set(laid.map(({ word }) => word.index));
  const missed = sorted.filter(({ index }) => !drawn.has(index)).map(({ name }) => name);
  noteLeftOut(frame, "withoutRoom", missed.length, missed);
}

interface Word {
  readonly index: number;
  readonly value: number;
  readonly name: string;
  readonly color: string;
  readonly series: string;
}

interface Sizes {
  /** Font size of the largest word, in pixels. */
  readonly largest: number;
  /** The largest and the smallest value. */
  readonly most: number;
  readonly least: number;
}

function sizeOf({ value }: Word, { largest, most, least }: Sizes): number {
  // Halved before subtracting, because the difference of two doubles can overflow.
  const share = most > least ? (value / 2 - least / 2) / (most / 2 - least / 2) : 0.6;
  return Math.round((smallest + Math.sqrt(share) * (largest - smallest)) * 10) / 10;
}

/** Returns the area that words cover, in square pixels. */
function coverOf(words: readonly Word[], sizes: Sizes): number {
  return words.reduce((sum, word) => {
    const size = sizeOf(word, sizes);
    return sum + (measureText(word.name, size) + 3) * size * 1.08;
  }, 0);
}

interface PlacedWord {
  readonly word: Word;
  readonly box: Box;
  readonly size: number;
  readonly weight: Weight;
  readonly shown: string;
}

/** Places words, largest first. Words without room are left out. */
function placeWords(
  words: readonly Word[],
  { area, ...sizes }: Sizes & { readonly area: Area },
): PlacedWord[] {
  const taken: Box[] = [];
  const placed: PlacedWord[] = [];
  let misses = 0;
  for (const word of words) {
    const size = sizeOf(word, sizes);
    const weight = size > 18 ? 600 : 400;
    const shown = fitText(word.name, area.width * 0.96, size, weight);
    const box =
      shown === "" ? undefined : placeFor(measureText(shown, size, weight), size, area, taken);
    if (box) {
      taken.push(box);
      placed.push({ word, box, size, weight, shown });
    } else if (++misses > mostMisses) break;
  }
  return placed;
}

/** Returns the first free box on a spiral from the middle of the area. */
function placeFor(width: number, size: number, area: Area, taken: readonly Box[]): Box | undefined {
  const height = size * 1.08;
  const [x, y] = [area.x + area.width / 2, area.y + area.height / 2];
  const farthest = Math.hypot(area.width, area.height) / 2;
  const flat = Math.min(1, area.height / area.width);
  for (
    let angle = 0, reach = 0;
    reach < farthest;
    angle += 5 / Math.max(5, reach), reach = angle * 1.6
  ) {
    const left = x + Math.cos(angle) * reach - width / 2;
    const top = y + Math.sin(angle) * reach * flat - height / 2;
    const box = { left, right: left + width, top, bottom: top + height };
    const isInside =
      left >= area.x &&
      box.right <= area.x + area.width &&
      top >= area.y &&
      box.bottom <= area.y + area.height;
    if (isInside && !taken.some((other) => isTouching(box, other))) return box;
  }
  return undefined;
}

function isTouching(one: Box, other: Box): boolean {
  return (
    one.left < other.right + 3 &&
    other.left < one.right + 3 &&
    one.top < other.bottom &&
    other.top < one.bottom
  );
}
