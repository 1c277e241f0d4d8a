import {
  type Declaration,
  type Fields,
  multilingual,
  number,
  text,
  textIdentity,
  timestamps,
} from "../kernel/index.ts";

/** A resource that everyone reads and nobody writes: the host fills its table from the data of its Node. */
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

/** ISO 3166-1: the id is the code of two letters. */
export const country = reference("country");
/** CLDR: the id is the tag, like `fr-BE`. */
export const locale = reference("locale");
/** IANA: the id is the name, like `Europe/Brussels`. */
export const timezone = reference("timezone");
/** ISO 4217: the id is the code of three letters. */
export const currency = reference("currency", {
  symbol: text({ nullable: false }),
  decimals: number({ nullable: false }),
});
