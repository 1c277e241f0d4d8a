import {
  type Declaration,
  type Fields,
  multilingual,
  number,
  text,
  textIdentity,
  timestamps,
} from "../kernel/index.ts";

/**
 * Declares a resource that everyone can read and nobody can write. The host fills the table of the resource from
 * Node.js data.
 */
function reference(name: string, description: string, more: Fields = {}): Declaration {
  return {
    name,
    description,
    rights: "Everyone can read and use it.",
    actions: ["get"],
    fields: {
      ...textIdentity(),
      name: multilingual({ description: "Name, by language.", nullable: false }),
      ...more,
      ...timestamps,
    },
    allow(query, _alias, right) {
      query.whereRaw(right === "read" || right === "use" ? "true" : "false");
    },
    associations: {},
  };
}

/** Countries of ISO 3166-1. The id is the two-letter code. */
export const country = reference(
  "country",
  "A country of ISO 3166-1. Its id is the two-letter code.",
);
/** Locales of CLDR. The id is the tag, such as `fr-BE`. */
export const locale = reference(
  "locale",
  "A language, or a language of a region, of CLDR. Its id is the tag, such as `fr-BE`.",
);
/** IANA time zones. The id is the name, such as `Europe/Brussels`. */
export const timezone = reference(
  "timezone",
  "An IANA time zone. Its id is the name, such as `Europe/Brussels`.",
);
/** Currencies of ISO 4217. The id is the three-letter code. */
export const currency = reference(
  "currency",
  "A currency of ISO 4217. Its id is the three-letter code.",
  {
    symbol: text({ description: "Symbol of the currency.", nullable: false }),
    decimals: number({ description: "Number of decimals of the currency.", nullable: false }),
  },
);
