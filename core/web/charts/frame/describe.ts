import { counted } from "../words/templates.ts";
import { itemKinds, type ItemKind } from "../item/itemKinds.ts";
import type { Frame } from "./frame.ts";

/**
 * Describes a picture in words: its kind, its title, and the smallest and largest value of each measure with their
 * categories. O(rows).
 */
export function describe(
  { columns, rows, request, notes, shownNotes, words }: Frame,
  kind: ItemKind,
  title: string,
): string {
  const sentences = [`${words.kinds[kind]}${title === "" ? "" : `: ${title}`}.`];
  const [category] = columns.filter(({ isNumeric }) => !isNumeric);
  const cell = category ? columns.indexOf(category) : -1;
  for (const [index, measure] of columns.entries()) {
    // Latitudes and longitudes are places, not amounts.
    if (!measure.isNumeric || measure.field.slot === "geo" || sentences.length > 4) continue;
    let least: number | undefined;
    let most: number | undefined;
    for (const [place, row] of rows.entries()) {
      const value = measure.number(row[index]);
      if (value === null) continue;
      if (least === undefined || value < (measure.number(rows[least]?.[index]) ?? 0)) least = place;
      if (most === undefined || value > (measure.number(rows[most]?.[index]) ?? 0)) most = place;
    }
    if (least === undefined || most === undefined) continue;
    const at = (place: number) =>
      `${measure.text(rows[place]?.[index])}${category ? ` (${shortened(category.text(rows[place]?.[cell]))})` : ""}`;
    sentences.push(
      least === most
        ? `${measure.name}: ${at(most)}.`
        : `${measure.name}: ${at(least)} – ${at(most)}.`,
    );
  }
  if (itemKinds[kind].hasRows && request.failure === undefined && rows.length > 0)
    sentences.push(`${counted(words.rows, rows.length, request.localeId)}.`);
  return [...sentences, ...notes, ...shownNotes].join(" ");
}

/** Shortens names such as geometries, which nobody wants to listen to. */
const shortened = (name: string) => (name.length > 80 ? `${name.slice(0, 79)}…` : name);
