import { numberFormat } from "../format/numberFormats.ts";
import { combine, isAdditive } from "../item/combine.ts";
import { fillIn } from "../words/templates.ts";
import type { Frame, PlacedColumn } from "./frame.ts";

/** What a picture leaves out of the values of a column. */
export interface Cut {
  /** The name of the column whose values are cut. */
  readonly name: string;
  readonly shown: number;
  /** Number of values with those that are left out; undefined if the host could not count them. */
  readonly count: number | undefined;
  /** Whether the values with the largest measure are shown. */
  readonly isTop?: boolean;
  /** The oldest period in the picture, if the newest periods are shown. */
  readonly from?: string | undefined;
  /** The share of a measure that is left out, from 0 to 1; absent if its parts do not add up to a whole. */
  readonly rest?: { readonly share: number; readonly measure: string } | undefined;
}

/** Notes in words which groups the answer or the picture leaves out. */
export function sayCut(frame: Frame, cut: Cut): void {
  frame.isCutSaid = true;
  frame.notes.push(cutSentence(frame, cut));
}

/** Returns the sentence about a cut. */
export function cutSentence(frame: Frame, { name, shown, count, isTop, from, rest }: Cut): string {
  const { words, request } = frame;
  const template = from !== undefined ? words.newestOf : isTop ? words.topOf : words.shownOf;
  return [
    fillIn(template, {
      name,
      shown: countText(frame, shown),
      count:
        count === undefined
          ? fillIn(words.moreThan, { count: countText(frame, shown) })
          : countText(frame, count),
      from: from ?? "",
    }),
    ...(rest
      ? [`${words.other}: ${shareText(rest.share, request.localeId)} (${rest.measure})`]
      : []),
  ].join(" · ");
}

/** Returns a number of values in the reader's language. */
export function countText({ request }: Frame, count: number): string {
  return new Intl.NumberFormat(request.localeId).format(count);
}

/** Returns a share with as many digits as show that it is neither nothing nor everything. */
function shareText(share: number, localeId: string): string {
  const write = numberFormat({ format: share < 0.01 ? ".1%" : ".0%" }, localeId);
  return share > 0 && share < 0.001 ? `< ${write(0.001)}` : write(share);
}

/**
 * Notes how many groups have no shape because their value is missing or not above 0, and the total of these values. The
 * groups that the answer leaves out are included.
 */
export function sayNotPositive(frame: Frame, measure: PlacedColumn): void {
  const { rows, request, words, notes } = frame;
  const { all, positive } = request.leftOut ?? {};
  const values = rows
    .map((row) => measure.number(row[measure.cell]))
    .filter((value) => value === null || value <= 0);
  const restCount = all && positive ? all.count - positive.count : 0;
  const count = values.length + restCount;
  if (count === 0) return;
  const rest = [all, positive].map((each) => measure.number(each?.cells[measure.cell]) ?? 0);
  const [whole = 0, drawn = 0] = restCount > 0 ? rest : [];
  const { field } = measure;
  const total = isAdditive(field) ? combine(field, [...values, whole, -drawn]) : null;
  const note = fillIn(words.notAboveZero, { count: countText(frame, count) });
  notes.push(
    total === null || total === 0 ? note : `${note} (${words.total}: ${measure.text(total)})`,
  );
}
