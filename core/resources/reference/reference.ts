import {
  type Declaration,
  type Fields,
  multilingual,
  number,
  text,
  textIdentity,
  timestamps,
} from "../kernel/index.ts";

/** Declares a resource that everyone can read and nobody can write. The host fills its table from Node.js data. */
function reference(name: string, more: Fields = {}): Declaration {
  return {
    name,
    actions: ["get"],
    fields: { ...textIdentity(), name: multilingual({ nullable: false }), ...more, ...timestamps },
    allow(query, _alias, right) {
      query.whereRaw(right === "read" || right === "use" ? "true" : "false");
    },
    associations: {},
  };
}

/** Countries of ISO 3166-1. The id is the two-letter code. */
export const country = reference("country");
/** Locales of CLDR. The id is the tag, such as `fr-BE`. */
export const locale = reference("locale");
/** IANA time zones. The id is the name, such as `Europe/Brussels`. */
export const timezone = reference("timezone");
/** Currencies of ISO 4217. The id is the three-letter code. */
export const currency = reference("currency", {
  symbol: text({ nullable: false }),
  decimals: number({ nullable: false }),
});
