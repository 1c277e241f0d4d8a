import type { Random } from "../../../support/random.ts";

/**
 * An expression in the language of expressions, and in DuckDB's SQL. Its columns are n and m (double), s and t (text),
 * and w and v (timestamp).
 */
export interface Twin {
  readonly source: string;
  readonly sql: string;
}

type Kind = "number" | "text" | "datetime" | "test";

const columnsOf = { number: ["n", "m"], text: ["s", "t"], datetime: ["w", "v"] } as const;
const numbers = ["0", "1", "2", "2.5", "0.5", "10", "1e6", "7"];
const texts = ["", "a", "B", "ab", "Ghent", "a,b,c", "𝒳y", "é", "it's", " x "];
const instants = ["2024-02-29T23:59:59.999Z", "2023-12-31", "1969-07-20T20:17:40Z", "2024-03-31"];
const periods = ["year", "quarter", "month", "week", "day", "hour", "minute", "second"] as const;

/** Macros that give SQL the semantics of the language: numbers are finite, and tests are never null. */
export const macros = [
  "create macro finite(x) as case when isfinite(x) then x end",
  "create macro tested(x) as coalesce(x, false)",
];

const twin = (source: string, sql: string): Twin => ({ source, sql });
const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Returns a random, well-typed expression of a kind, with the same meaning in DuckDB, at most `depth` levels deep. */
export function randomTyped(random: Random, kind: Kind, depth: number): Twin {
  const of = (other: Kind) => randomTyped(random, other, depth - 1);
  if (kind === "test") return depth <= 1 ? simpleTest(random) : randomTest(random, of);
  if (depth <= 1 || random.chance(0.15)) return randomLeaf(random, kind);
  if (random.chance(0.25)) return randomChoice(random, kind, of);
  if (kind === "number") return randomNumber(random, of);
  return kind === "text" ? randomText(random, of) : randomDatetime(random, of);
}

function randomLeaf(random: Random, kind: "number" | "text" | "datetime"): Twin {
  if (random.chance(0.7)) {
    const column = random.pick(columnsOf[kind]);
    return twin(`{D:${column}}`, column);
  }
  if (kind === "number") {
    const number = random.pick(numbers);
    return twin(number, `${number}::double`);
  }
  if (kind === "text") {
    const text = random.pick(texts);
    return twin(quote(text), `${quote(text)}::varchar`);
  }
  const instant = random.pick(instants);
  return twin(`cast('${instant}' as datetime)`, `timestamp '${instant.replace("Z", "")}'`);
}

const simpleTest = (random: Random): Twin => {
  const column = random.pick(["n", "s", "w"]);
  return twin(`{D:${column}} is null`, `(${column} is null)`);
};

function randomTest(random: Random, of: (kind: Kind) => Twin): Twin {
  const kind = random.pick(["number", "text", "datetime"] as const);
  switch (random.below(7)) {
    case 0:
    case 1: {
      const [one, other] = [of(kind), of(kind)];
      const operator = random.pick(["=", "<", "<=", ">", ">=", "!="]);
      const positive = operator === "!=" ? "=" : operator;
      const sql = `tested(${one.sql} ${positive} ${other.sql})`;
      return twin(
        `(${one.source}) ${operator} (${other.source})`,
        operator === "!=" ? `(not ${sql})` : sql,
      );
    }
    case 2: {
      const [one, other] = [of("test"), of("test")];
      const operator = random.pick(["and", "or"]);
      return twin(
        `(${one.source}) ${operator} (${other.source})`,
        `(${one.sql} ${operator} ${other.sql})`,
      );
    }
    case 3: {
      const inner = of("test");
      return twin(`not (${inner.source})`, `(not ${inner.sql})`);
    }
    case 4: {
      const [value, low, high] = [of(kind), of(kind), of(kind)];
      return twin(
        `(${value.source}) between (${low.source}) and (${high.source})`,
        `tested(${value.sql} between ${low.sql} and ${high.sql})`,
      );
    }
    case 5: {
      const value = of("number");
      const hasNull = random.chance(0.5);
      return twin(
        `(${value.source}) in (1, 2.5${hasNull ? ", null" : ""})`,
        `(tested(${value.sql} in (1, 2.5))${hasNull ? ` or ${value.sql} is null` : ""})`,
      );
    }
    default: {
      const [text, part] = [of("text"), random.pick(["a", "B", "", "é", "H"])];
      const [name, word] = random.pick([
        ["contains", "like"],
        ["starts_with", "starts with"],
        ["ends_with", "ends with"],
      ] as const);
      return twin(
        `(${text.source}) ${word} '${part}'`,
        `tested(${name}(lower(${text.sql}), lower('${part}')))`,
      );
    }
  }
}

function randomChoice(random: Random, kind: Kind, of: (kind: Kind) => Twin): Twin {
  const [one, other] = [of(kind), of(kind)];
  switch (random.below(5)) {
    case 0: {
      const test = of("test");
      return twin(
        `case when ${test.source} then ${one.source} else ${other.source} end`,
        `case when ${test.sql} then ${one.sql} else ${other.sql} end`,
      );
    }
    case 1: {
      const [key, first] = [of("number"), of("number")];
      return twin(
        `case ${key.source} when ${first.source} then ${one.source} end`,
        `case ${key.sql} when ${first.sql} then ${one.sql} end`,
      );
    }
    case 2:
      return twin(`coalesce(${one.source}, ${other.source})`, `coalesce(${one.sql}, ${other.sql})`);
    case 3:
      return twin(`nullif(${one.source}, ${other.source})`, `nullif(${one.sql}, ${other.sql})`);
    default: {
      const name = random.pick(["greatest", "least"]);
      return twin(
        `${name}(${one.source}, ${other.source})`,
        `case when ${one.sql} is not null and ${other.sql} is not null then ${name}(${one.sql}, ${other.sql}) end`,
      );
    }
  }
}

function randomNumber(random: Random, of: (kind: Kind) => Twin): Twin {
  const [one, other] = [of("number"), of("number")];
  switch (random.below(6)) {
    case 0:
    case 1: {
      const operator = random.pick(["+", "-", "*", "/", "%"]);
      return twin(
        `(${one.source}) ${operator} (${other.source})`,
        `finite(${one.sql} ${operator} ${other.sql})`,
      );
    }
    case 2: {
      const name = random.pick(["abs", "sign", "ceil", "floor", "trunc", "round"]);
      return twin(`${name}(${one.source})`, `(${name}(${one.sql}))::double`);
    }
    case 3: {
      const digits = random.pick([-2, -1, 1, 2, 3]);
      return twin(`round(${one.source}, ${digits})`, `round(${one.sql}, ${digits})`);
    }
    case 4: {
      const text = of("text");
      return random.pick([
        twin(`length(${text.source})`, `length(${text.sql})::double`),
        twin(`position(${text.source}, 'a')`, `strpos(${text.sql}, 'a')::double`),
        twin(`sqrt(abs(${one.source}))`, `sqrt(abs(${one.sql}))`),
        twin(`div(${one.source}, ${other.source})`, `trunc(finite(${one.sql} / ${other.sql}))`),
        twin(`-(${one.source})`, `(-${one.sql})`),
      ]);
    }
    default: {
      const [from, to] = [of("datetime"), of("datetime")];
      const period = random.pick(periods);
      const [name, field] = random.pick([
        ["year", "year"],
        ["quarter", "quarter"],
        ["month", "month"],
        ["week", "week"],
        ["weekyear", "isoyear"],
        ["day", "day"],
        ["dayofyear", "doy"],
        ["weekday", "isodow"],
        ["hour", "hour"],
        ["minute", "minute"],
        ["second", "second"],
      ] as const);
      return random.pick([
        twin(`${name}(${from.source})`, `date_part('${field}', ${from.sql})::double`),
        twin(`epoch_ms(${from.source})`, `epoch_ms(${from.sql})::double`),
        twin(
          `date_diff('${period}', ${from.source}, ${to.source})`,
          differenceSql(period, from.sql, to.sql),
        ),
      ]);
    }
  }
}

function randomText(random: Random, of: (kind: Kind) => Twin): Twin {
  const [one, other] = [of("text"), of("text")];
  const count = random.below(4);
  const sought = random.pick(["a", ",", "b", "𝒳"]);
  const name = random.pick(["lower", "upper", "trim", "ltrim", "rtrim", "reverse"]);
  const cut = random.pick(["left", "right", "repeat"]);
  const padded = random.pick(["lpad", "rpad"]);
  return random.pick([
    twin(`(${one.source}) || (${other.source})`, `(${one.sql} || ${other.sql})`),
    twin(`concat(${one.source}, ${other.source})`, `concat(${one.sql}, ${other.sql})`),
    twin(`${name}(${one.source})`, `${name}(${one.sql})`),
    twin(`${cut}(${one.source}, ${count})`, `${cut}(${one.sql}, ${count})`),
    twin(`${padded}(${one.source}, ${count}, 'xy')`, `${padded}(${one.sql}, ${count}, 'xy')`),
    twin(`substring(${one.source}, ${count + 1})`, `substring(${one.sql}, ${count + 1})`),
    twin(`substring(${one.source}, ${count}, 2)`, `substring(${one.sql}, ${count}, 2)`),
    twin(
      `replace(${one.source}, '${sought}', ${other.source})`,
      `replace(${one.sql}, '${sought}', ${other.sql})`,
    ),
    twin(
      `split_part(${one.source}, '${sought}', ${count + 1})`,
      `split_part(${one.sql}, '${sought}', ${count + 1})`,
    ),
  ]);
}

function randomDatetime(random: Random, of: (kind: Kind) => Twin): Twin {
  const one = of("datetime");
  const count = random.below(40) - 20;
  const period = random.pick(periods);
  const months = { year: 12, quarter: 3, month: 1 }[period as "year"];
  const interval = months ? `to_months(${months * count})` : `(interval 1 ${period} * ${count})`;
  return random.pick([
    twin(
      `date_trunc('${period}', ${one.source})`,
      `date_trunc('${period}', ${one.sql})::timestamp`,
    ),
    twin(`date_add('${period}', ${count}, ${one.source})`, `(${one.sql} + ${interval})`),
    twin(`date_of(${one.source})`, `date_trunc('day', ${one.sql})::timestamp`),
  ]);
}

/** Works around DuckDB 1.5, which counts one week too few across 1970-01-01 because it divides toward zero. */
function differenceSql(period: string, from: string, to: string): string {
  return period === "week"
    ? `(date_diff('day', date_trunc('week', ${from}), date_trunc('week', ${to})) / 7)::double`
    : `date_diff('${period}', ${from}, ${to})::double`;
}
