import { meaningOf, wordsIn } from "../questions/index.ts";
import type { BoardProfile, ColumnProfile } from "./boardProfile.ts";
import { roleOf, type Role } from "./roleOf.ts";

type MeasureRole = Extract<Role, { readonly kind: "measure" }>;

/** A column whose values are aggregated, with how. */
export interface RankedMeasure {
  readonly column: ColumnProfile;
  readonly role: MeasureRole;
}

/** The columns of a dataset by their use on a board, the most useful first. */
export interface RankedColumns {
  readonly time: ColumnProfile | undefined;
  readonly measures: readonly RankedMeasure[];
  /** Strings that group the rows, with values that repeat. */
  readonly categories: readonly ColumnProfile[];
  /** Strings that name the rows of a short list. */
  readonly labels: readonly ColumnProfile[];
  readonly ordinals: readonly ColumnProfile[];
  readonly identifiers: readonly ColumnProfile[];
  readonly country: ColumnProfile | undefined;
  /** The columns of a latitude and a longitude. */
  readonly place: readonly [ColumnProfile, ColumnProfile] | undefined;
  /** All columns with values, in the order of the dataset. */
  readonly shown: readonly ColumnProfile[];
  isYear(column: ColumnProfile): boolean;
}

/** Share of rows with a value below which a column does not lead a board. */
const leastFilled = 0.3;
/** Number of values that people can compare in one chart. */
const comparable = 50;

/** Words in names of columns by which people usually group, in several languages. */
const usualGroups =
  /^(region|category|type|kind|product|segment|status|state|channel|department|city|brand|team|gender|sex|species|carrier|airline|origin|kategorie|produkt|stadt|abteilung|geschlecht|catégorie|produit|ville|categoría|ciudad|categorie|stad)$/;
/** Words in names of datetimes that say when a record was written, not when something happened. */
const bookkeeping = /^(updated|modified|changed|imported|synced|exported|deleted|expires|expiry)$/;

/** Sorts the columns of a dataset by how much they tell. Columns without variety are left out. */
export function rankColumns(profile: BoardProfile): RankedColumns {
  const { rows } = profile;
  const all = profile.columns.map((column) => ({ column, role: roleOf(column, profile) }));
  const of = (kind: Role["kind"]) =>
    all.filter(({ role }) => role.kind === kind).map(({ column }) => column);
  const byScore = (columns: readonly ColumnProfile[], score: (column: ColumnProfile) => number) =>
    columns.toSorted((one, other) => score(other) - score(one));
  const isFilled = ({ filled }: ColumnProfile) => filled >= rows * leastFilled;
  const measures = all
    .flatMap(({ column, role }) => (role.kind === "measure" ? [{ column, role }] : []))
    .toSorted((one, other) => measureScore(other, rows) - measureScore(one, rows));
  const categories = byScore(of("category").filter(isFilled), (column) =>
    categoryScore(column, rows),
  );
  const labels = of("label").filter(isFilled);
  const [latitude] = of("latitude");
  const [longitude] = of("longitude");
  return {
    time: byScore(of("time").filter(isFilled), (column) => timeScore(column, rows))[0],
    measures,
    categories,
    labels,
    ordinals: of("ordinal").filter(isFilled),
    identifiers: of("identifier"),
    country: [...categories, ...labels].find(({ isCountry }) => isCountry),
    place: latitude && longitude ? [latitude, longitude] : undefined,
    shown: all.filter(({ column }) => column.filled > 0).map(({ column }) => column),
    isYear: (column) => {
      const { role } = all.find((each) => each.column === column) ?? {};
      return role?.kind === "ordinal" && role.isYear;
    },
  };
}

function timeScore({ filled, title }: ColumnProfile, rows: number): number {
  const words = wordsIn(title);
  const isRecorded = words.some((word) => bookkeeping.test(word));
  return filled / rows - (isRecorded ? 1 : 0) - (meaningOf(title) === "birth" ? 2 : 0);
}

/** Amounts come before averages, and money before other amounts. Columns with few values come last. */
function measureScore({ column, role }: RankedMeasure, rows: number): number {
  const isMoney = column.subtype === "currency" || column.format?.includes("$") === true;
  const isNamed = meaningOf(column.title) === "amount";
  const isTotal = wordsIn(column.title).some((word) => moneyWords.test(word));
  return (
    (role.aggregation === "sum" ? 1 : 0) +
    (isMoney || isTotal ? 1 : 0) +
    (isNamed ? 0.5 : 0) +
    (role.isShare || meaningOf(column.title) !== undefined ? 0.25 : 0) +
    (column.filled / rows < leastFilled ? -3 : 0) +
    (column.distinct <= 2 && !role.isShare ? -1 : 0)
  );
}

const moneyWords =
  /^(revenue|sales|turnover|profit|income|amount|umsatz|betrag|omzet|ventas|ricavi|vendite)$/;

/** A handful of values is best. Many values are still useful in a ranking, if they repeat. */
function categoryScore({ distinct, filled, title }: ColumnProfile, rows: number): number {
  const isUsual = wordsIn(title).some((word) => usualGroups.test(word));
  const spread = distinct === 2 ? 1.4 : distinct <= 12 ? 2 : distinct <= comparable ? 1.6 : 1;
  return spread + (isUsual ? 0.5 : 0) + filled / rows - (filled / distinct < 3 ? 1 : 0);
}
