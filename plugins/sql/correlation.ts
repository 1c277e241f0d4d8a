import { sql, trusted, type Fragment } from "./fragment.ts";

/** Squares of numbers below this limit can be added up within the range of doubles. */
const limit = trusted("1e140");
/** A power of two. Larger numbers are multiplied by it, which does not change their correlation. */
const scale = trusted(String(2 ** -560));
/** A distance whose square is still a double. */
const leastSpread = trusted("1e-150");

/**
 * Writes Pearson's correlation of two doubles with a database's own function, which must skip rows in which either
 * number is null. The result is null if either number is constant, for which databases return null, NaN or a random
 * number. Numbers whose squares are too large are scaled, because databases fail or return null for them.
 */
export function correlation(name: string): (value: Fragment, second: Fragment) => Fragment {
  return (value, second) => {
    const left = formsOf(value, second);
    const right = formsOf(second, value);
    const of = (one: Fragment, other: Fragment) => sql`${trusted(name)}(${one}, ${other})`;
    const withLeft = (form: Fragment) =>
      sql`case when ${right.isSmall} then ${of(form, right.plain)} else ${of(form, right.scaled)} end`;
    const found = sql`case when ${left.isSmall} then ${withLeft(left.plain)} else ${withLeft(left.scaled)} end`;
    // Rounding may lead to a result that is slightly greater than 1.
    const bounded = sql`least(1, greatest(-1, ${found}))`;
    return sql`case when ${left.isVarying} and ${right.isVarying} then ${bounded} end`;
  };
}

function formsOf(number: Fragment, other: Fragment) {
  const paired = sql`case when ${other} is not null then ${number} end`;
  return {
    isVarying: sql`max(${paired}) > min(${paired}) + ${leastSpread}`,
    isSmall: sql`max(abs(${paired})) < ${limit}`,
    plain: sql`case when abs(${number}) < ${limit} then ${number} end`,
    scaled: sql`${number} * ${scale}`,
  };
}
