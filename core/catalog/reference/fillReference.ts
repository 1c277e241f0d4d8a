import { createHash } from "node:crypto";
import type { Knex } from "knex";
import { countryCodes } from "./countries.ts";
import { localeIds } from "./locales.ts";
import { builtInThemes } from "./themes.ts";

/** Number of the lock under which hosts fill the tables. The number is arbitrary, and no other lock uses it. */
const lockId = 7_306_122_103;

/** Languages in which names are stored. */
const languages = [
  "en",
  "cs",
  "da",
  "de",
  "es",
  "fi",
  "fr",
  "it",
  "ja",
  "nl",
  "pl",
  "pt",
  "sv",
  "zh",
];

type Members = Readonly<Record<string, unknown>>;

function named(
  type: Intl.DisplayNamesType,
): (code: string) => { readonly [Language in string]: string } {
  const byLanguage = languages.map(
    (language) => [language, new Intl.DisplayNames(language, { type })] as const,
  );
  return (code) =>
    Object.fromEntries(byLanguage.map(([language, names]) => [language, names.of(code) ?? code]));
}

function countries(): Members[] {
  const nameOf = named("region");
  return countryCodes().map((id) => ({ id, name: nameOf(id) }));
}

function locales(): Members[] {
  const nameOf = named("language");
  return localeIds().map((id) => ({ id, name: nameOf(id) }));
}

function currencies(): Members[] {
  const nameOf = named("currency");
  return Intl.supportedValuesOf("currency").map((id) => {
    const format = new Intl.NumberFormat("en", {
      style: "currency",
      currency: id,
      currencyDisplay: "narrowSymbol",
    });
    const symbol = format.formatToParts(1).find(({ type }) => type === "currency")?.value ?? id;
    return {
      id,
      name: nameOf(id),
      symbol,
      decimals: format.resolvedOptions().maximumFractionDigits ?? 2,
    };
  });
}

function timezones(): Members[] {
  return [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])].map((id) => {
    const format = new Intl.DateTimeFormat("en", { timeZone: id, timeZoneName: "longGeneric" });
    const name = format.formatToParts(0).find(({ type }) => type === "timeZoneName")?.value ?? id;
    return { id, name: { en: name } };
  });
}

const tables: Readonly<Record<string, () => readonly Members[]>> = {
  country: countries,
  locale: locales,
  currency: currencies,
  timezone: timezones,
  theme: () => builtInThemes,
};

/**
 * Returns a version key for the contents of the tables. It changes with the data of this Node and with the lists in
 * this code.
 */
function versionOf(): string {
  const { icu, cldr, tz } = process.versions;
  const own = createHash("sha256")
    .update(JSON.stringify([languages, builtInThemes]))
    .digest("hex");
  return JSON.stringify([icu, cldr, tz, own.slice(0, 16)]);
}

async function write(transaction: Knex.Transaction, table: string, rows: readonly Members[]) {
  const [first] = rows;
  if (!first) throw new Error(`there is no reference data for ${table}`);
  const now = new Date();
  const members = Object.keys(first).filter((member) => member !== "id");
  const written = rows.map((row) => ({
    ...Object.fromEntries(
      Object.entries(row).map(([member, value]) => [
        member,
        typeof value === "object" ? JSON.stringify(value) : value,
      ]),
    ),
    created_at: now,
    updated_at: now,
  }));
  await transaction(table)
    .insert(written)
    .onConflict("id")
    .merge([...members, "updated_at"]);
}

/**
 * Fills the tables that no caller writes (country, locale, currency, timezone, and the built-in themes) with the data
 * of this Node. Fills them again only if the version of that data has changed. Never removes a row, because records may
 * refer to it. Takes about 0.3 s the first time, and only one SQL statement at every later start.
 */
export async function fillReference(knex: Knex): Promise<void> {
  const version = versionOf();
  const isFilled = async (each: Knex) =>
    Boolean(await each("reference_version").where({ version }).first("version"));
  if (await isFilled(knex)) return;
  await knex.transaction(async (transaction) => {
    await transaction.raw("select pg_advisory_xact_lock(?)", [lockId]);
    if (await isFilled(transaction)) return;
    for (const [table, rowsOf] of Object.entries(tables)) await write(transaction, table, rowsOf());
    await transaction("reference_version").delete();
    await transaction("reference_version").insert({ version });
  });
}
