import type { DataType } from "../../plugins/protocol/index.ts";
import {
  cell,
  integerRange,
  list,
  sql,
  storedIntegers,
  trusted,
  type Bound,
  type Comparison,
  type Fragment,
  type SqlColumn,
} from "../../plugins/sql/index.ts";

/** Expressions that convert values of a native type to a logical type. */
export interface ColumnForm {
  readonly type: DataType;
  read(quoted: Fragment): Fragment;
  /** Like `read`, but returns decimals, NaN and infinities unchanged; the driver converts them. */
  plain?(quoted: Fragment): Fragment;
  /** Like `read`, but keeps all digits of a number. */
  wide(quoted: Fragment): Fragment;
  /**
   * Returns a test in the native type, for which the database can use an index; undefined if a test in the native type
   * would have another meaning.
   */
  native?(operator: Comparison | "=", value: Bound, quoted: Fragment): Fragment | undefined;
  /** Returns an equality test in the native type that passes all equal values, and possibly others. */
  indexed?(quoted: Fragment, value: Bound): Fragment | undefined;
  /** Returns an equality test in the native type that passes exactly the equal values. */
  among?(quoted: Fragment, value: Bound): Fragment;
  /** Whether the type is `timestamp with time zone`. */
  readonly isZoned?: boolean;
}

const forms = new WeakMap<SqlColumn, ColumnForm>();

/** Returns the form of a column, chosen by its native type as `format_type` prints it. */
export function formOf(column: SqlColumn): ColumnForm {
  let form = forms.get(column);
  if (!form) {
    form = formOfType(column.nativeType);
    if (column.type === "hierarchy" && form.type === "numeric") form = digitsForm(form);
    forms.set(column, form);
  }
  return form;
}

/** Returns the kind of a number type, as in `Dialect.numberKind`. */
export function numberKind({ nativeType }: SqlColumn): "small" | "big" | "wide" | undefined {
  const form = formOfType(nativeType);
  if (form === bigForm) return "big";
  if (form === wideForm) return /^numeric\(\d+,0\)$/.test(nativeType) ? "big" : "wide";
  return form === smallForm || form === decimalForm || form === oidForm ? "small" : undefined;
}

/** Returns the form of an integer or a decimal that is read as its digits. */
function digitsForm(form: ColumnForm): ColumnForm {
  const { least, greatest } = integerRange(form === oidForm ? 32 : 64, form === oidForm);
  if (form === wideForm || form === decimalForm) return textForm;
  return {
    ...textForm,
    among(quoted, value) {
      const found = storedIntegers(value, { least, greatest });
      return found.length === 0
        ? trusted("1 = 0")
        : sql`${quoted} = any(${list("hierarchy", found)}::${trusted(form === oidForm ? "oid" : "bigint")}[])`;
    },
  };
}

/** Number of decimal digits that a double preserves. */
const doubleDigits = 15;
const mostSafe = 2 ** 53;

export function formOfType(nativeType: string): ColumnForm {
  const [, name = "", modifier = "", rest = ""] =
    /^([^(]*)(?:\(([^)]*)\))?(.*)$/s.exec(nativeType) ?? [];
  if (rest.endsWith("[]") || name.endsWith("[]")) return textForm;
  switch (`${name}${rest}`) {
    case "smallint":
    case "integer":
      return smallForm;
    case "bigint":
      return bigForm;
    case "oid":
      return oidForm;
    case "numeric":
      return modifier !== "" && Number(modifier.split(",")[0]) <= doubleDigits
        ? decimalForm
        : wideForm;
    case "money":
      return moneyForm;
    case "real":
      return realForm;
    case "double precision":
      return doubleForm;
    case "date":
      return dateForm;
    case "timestamp without time zone":
      return timestampForm;
    case "timestamp with time zone":
      return zonedForm;
    case "text":
    case "character varying":
      return nativeTextForm;
    case "character":
      return paddedForm;
    case "inet":
      return inetForm;
    default:
      return textForm;
  }
}

function numbers(form: Omit<ColumnForm, "type">): ColumnForm {
  return { type: "numeric", ...form };
}

const smallForm = numbers({
  read: (quoted) => quoted,
  wide: (quoted) => quoted,
  native: wholeTest,
  indexed: wholeList,
});
const bigForm = numbers({
  plain: unchanged,
  read: (quoted) => sql`${quoted}::float8`,
  wide: (quoted) => quoted,
  native: wholeTest,
  indexed: wholeList,
});
/** The form of object identifiers, which PostgreSQL converts to other numbers only through `bigint`. */
const oidForm = numbers({
  read: (quoted) => sql`${quoted}::bigint::float8`,
  wide: (quoted) => sql`${quoted}::bigint`,
});
const decimalForm = numbers({
  plain: unchanged,
  read: (quoted) => sql`nullif(${quoted}, 'NaN')::float8`,
  wide: (quoted) => sql`nullif(${quoted}, 'NaN')`,
  native(operator, value, quoted) {
    if (value.kind !== "cell") return undefined;
    // The conversion goes through text, because a cast from double to decimal rounds to 15 digits.
    const bound = cell("hierarchy", String(value.value));
    const test = sql`${quoted}${trusted(` ${operator} `)}${bound}::numeric`;
    return operator.startsWith(">") ? sql`(${test} and ${quoted} <> 'NaN')` : test;
  },
});
/**
 * The form of decimals of any length. Values beyond the range of doubles become null, and values too small for a double
 * become 0.
 */
const wideForm = numbers({
  plain: unchanged,
  read: (quoted) =>
    sql`case when abs(${quoted}) < 1e-300 then case when abs(${quoted}) > 2.4703282292062328e-324 then ${quoted}::float8 else 0 end when abs(${quoted}) < 1.7976931348623158e308 then ${quoted}::float8 end`,
  wide: (quoted) =>
    sql`case when abs(${quoted}) < 1e-300 then case when abs(${quoted}) > 2.4703282292062328e-324 then ${quoted}::float8::numeric else 0 end when abs(${quoted}) < 1.7976931348623158e308 then ${quoted} end`,
});
const moneyForm = numbers({
  read: (quoted) => sql`${quoted}::numeric::float8`,
  wide: (quoted) => sql`${quoted}::numeric`,
});
const realForm = numbers({ read: finite, wide: finite });
const doubleForm = numbers({
  plain: unchanged,
  read: finite,
  wide: finite,
  native: (operator, value, quoted) => {
    if (operator === "=") return sql`${quoted} = ${value}`;
    const test = sql`${quoted}${trusted(` ${operator} `)}${value}`;
    return operator.startsWith("<")
      ? sql`(${test} and ${quoted} > '-Infinity')`
      : sql`(${test} and ${quoted} < 'Infinity')`;
  },
  indexed: (quoted, value) => (value.kind === "list" ? sql`${quoted} = any(${value})` : undefined),
});

function unchanged(quoted: Fragment): Fragment {
  return quoted;
}

/**
 * Maps NaN and infinities to null. The second comparison also excludes NaN, because in PostgreSQL NaN is greater than
 * infinity.
 */
function finite(quoted: Fragment): Fragment {
  return sql`case when ${quoted} > '-Infinity' and ${quoted} < 'Infinity' then ${quoted}::float8 end`;
}

/**
 * Returns a test that compares integers as integers; undefined if the value is not a number, or is too large to be
 * compared exactly.
 */
function wholeTest(
  operator: Comparison | "=",
  value: Bound,
  quoted: Fragment,
): Fragment | undefined {
  if (value.kind !== "cell" || typeof value.value !== "number") return undefined;
  const number = value.value;
  if (Math.abs(number) >= mostSafe) return undefined;
  if (operator === "=" && !Number.isInteger(number)) return trusted("1 = 0");
  const isUp = operator === "<" || operator === ">=";
  const bound = cell("numeric", isUp ? Math.ceil(number) + 0 : Math.floor(number) + 0);
  return sql`${quoted}${trusted(` ${operator} `)}${bound}::bigint`;
}

function wholeList(quoted: Fragment, value: Bound): Fragment | undefined {
  if (value.kind !== "list") return undefined;
  const numbers = value.values.map(Number);
  if (!numbers.every((number) => Math.abs(number) < mostSafe)) return undefined;
  return sql`${quoted} = any(${list("numeric", numbers.filter(Number.isInteger))}::bigint[])`;
}

/** The first instant after ECMAScript time. */
const afterLast = "'275760-09-13 00:00:00.001'";

/** Returns an instant as a UTC `timestamp`, rounded down to the millisecond. */
function instants(quoted: Fragment, utc: Fragment): Fragment {
  return sql`case when ${quoted} > '-infinity' and ${quoted} < ${trusted(afterLast)} then ${utc} end`;
}

const dateForm: ColumnForm = {
  type: "datetime",
  read: (quoted) =>
    sql`case when ${quoted} > '-infinity' and ${quoted} <= '275760-09-13' then ${quoted}::timestamp end`,
  wide: (quoted) => quoted,
};
const timestampForm: ColumnForm = {
  type: "datetime",
  read: (quoted) => instants(quoted, sql`date_trunc('milliseconds', ${quoted})`),
  wide: (quoted) => quoted,
};
const zonedForm: ColumnForm = {
  type: "datetime",
  isZoned: true,
  read: (quoted) => instants(quoted, sql`date_trunc('milliseconds', ${quoted} at time zone 'UTC')`),
  wide: (quoted) => quoted,
};

/** The form of all types that are read as text. The collation `C` compares strings by bytes. */
const textForm: ColumnForm = {
  type: "hierarchy",
  read: (quoted) => sql`${quoted}::text collate "C"`,
  wide: (quoted) => quoted,
};
const nativeTextForm: ColumnForm = {
  ...textForm,
  indexed: (quoted, value) =>
    value.kind === "list" ? sql`${quoted} = any(${value})` : sql`${quoted} = ${value}`,
};
/** The form of `inet`, whose cast to text adds the prefix length even to a single address. */
const inetForm: ColumnForm = {
  ...textForm,
  read: (quoted) =>
    sql`case when ${quoted} is not null then pg_catalog.concat(${quoted}) end collate "C"`,
};
/**
 * The form of `character(n)`. Its comparisons ignore trailing blanks, and the text form of its values contains none.
 */
const paddedForm: ColumnForm = {
  ...textForm,
  indexed: (quoted, value) =>
    value.kind === "list"
      ? sql`${quoted} = any(${value}::bpchar[])`
      : sql`${quoted} = ${value}::bpchar`,
};
