import { textOf } from "../language/index.ts";
import type { ExploredColumn } from "./columns.ts";

/**
 * Words in names of columns whose numbers have no meaningful total, in the languages of the console. Numbers per unit,
 * shares, scores and positions are averaged; numbers that name something are counted.
 */
const averaged = new Set(
  `age average avg delay distance duration height hour hours humidity index interest latency latitude lat length lng lon
  longitude margin mean median minute percent percentage pct price pressure rank rate rating ratio score share speed
  temperature temp wait weight yield
  alter anteil breite dauer durchschnitt geschwindigkeit note preis prozent quote rate temperatur
  duree durée moyenne pourcentage prix taux température vitesse
  duración edad media nota porcentaje precio promedio tasa temperatura velocidad
  aandeel duur gemiddelde leeftijd prijs snelheid temperatuur vertraging`.split(/\s+/),
);
const counted = new Set(
  `code ean gtin id isbn key nr phone postcode sku year month weekday quarter week zip zipcode
  código jahr monat plz telefon année mois téléphone año mes teléfono jaar maand telefoon`.split(
    /\s+/,
  ),
);

/**
 * Returns the aggregation with which a column is first measured. Columns say "sum" unless somebody chose another, so
 * for "sum" the name and the format of a number decide; other columns are counted.
 */
export function usualAggregation(
  column: Pick<ExploredColumn, "type" | "aggregation_type"> & {
    readonly name?: unknown;
    readonly format?: string | null;
  },
): string {
  if (column.type !== "numeric") return "distinctcount";
  if (column.aggregation_type && column.aggregation_type !== "sum") return column.aggregation_type;
  if (column.format?.includes("%")) return "average";
  const words = wordsOf(textOf(column.name));
  const last = words.at(-1) ?? "";
  if (counted.has(last)) return "distinctcount";
  return words.some((word) => averaged.has(word)) ? "average" : "sum";
}

/** Splits a name such as "unitPrice" or "unit_price" into small words. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLocaleLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
