import { regions } from "../columns.ts";
import type { Choice } from "../benchQuery.ts";
import { requirePeer } from "./requirePeer.ts";
import type { OpenRequest, System } from "./system.ts";

/** The part of nodejs-polars 0.26.1 that the bench uses. */
interface Expr {
  alias(name: string): Expr;
  and(other: Expr): Expr;
  or(other: Expr): Expr;
  cast(type: unknown): Expr;
  count(): Expr;
  eq(value: unknown): Expr;
  gt(value: unknown): Expr;
  gtEq(value: unknown): Expr;
  isIn(values: readonly string[]): Expr;
  lt(value: unknown): Expr;
  ltEq(value: unknown): Expr;
  max(): Expr;
  mean(): Expr;
  median(): Expr;
  min(): Expr;
  nUnique(): Expr;
  sum(): Expr;
  readonly dt: { truncate(every: string): Expr };
  readonly str: { contains(pattern: string): Expr };
}
interface LazyFrame {
  filter(test: Expr): LazyFrame;
  groupBy(by: string | readonly (string | Expr)[]): {
    agg(...columns: Expr[]): LazyFrame;
  };
  join(other: LazyFrame, options: { readonly on: string; readonly how: "inner" }): LazyFrame;
  limit(count: number): LazyFrame;
  select(...columns: (string | Expr)[]): LazyFrame;
  sort(options: { readonly by: string; readonly descending: boolean }): LazyFrame;
  collect(): Promise<{ rows(): unknown[][] }>;
}
interface Frame {
  lazy(): LazyFrame;
  withColumns(...columns: Expr[]): Frame;
}
interface Polars {
  col(name: string): Expr;
  lit(value: unknown): Expr;
  readParquet(file: string): Frame;
  readonly Categorical: unknown;
  readonly Utf8: unknown;
}

/**
 * Opens Polars with two threads. Its frames are eager, and are queried lazily. `polars` has String columns, and
 * `polars-categorical` has Categorical columns.
 */
export async function openPolars({ name, files }: OpenRequest): Promise<System> {
  const { default: polars, version } = requirePeer("nodejs-polars") as {
    default: Polars;
    readonly version: string;
  };
  const [file, ...others] = files.facts;
  if (!file || others.length > 0) throw new Error("Polars is measured only up to 10,000,000 rows");
  const isCategorical = name === "polars-categorical";
  const { col, lit } = polars;
  const startedAt = performance.now();
  let facts = polars.readParquet(file);
  let dimension = polars.readParquet(files.dimension);
  if (isCategorical) {
    const categorical = (column: string) => col(column).cast(polars.Categorical).alias(column);
    facts = facts.withColumns(...["s5", "s50", "s1000", "s50k"].map(categorical));
    dimension = dimension.withColumns(categorical("s50k"));
  }
  const loadMs = performance.now() - startedAt;

  // This version does not support isIn on Categorical columns, so the test is written as a chain of equalities.
  const isIn = (column: string, values: readonly string[]) =>
    isCategorical
      ? values.map((value) => col(column).eq(lit(value))).reduce((one, other) => one.or(other))
      : col(column).isIn(values);
  const where = (...tests: Expr[]) =>
    facts.lazy().filter([isIn("s5", regions), ...tests].reduce((one, other) => one.and(other)));
  const bigSums = (groups: readonly string[], count: number) =>
    where()
      .groupBy(groups)
      .agg(col("x").sum().alias("s"))
      .sort({ by: "s", descending: true })
      .limit(count);
  const days = (column: string, { countries, from, to }: Choice) =>
    where(
      isIn("s50", countries),
      col(column).gtEq(lit(new Date(from))),
      col(column).lt(lit(new Date(to))),
    )
      .groupBy([col(column).dt.truncate("1d").alias("d")])
      .agg(col("x").sum().alias("s"))
      .sort({ by: "d", descending: false });
  const oneCountry = () => where(isIn("s50", ["country_07"]), col("x").gt(900));
  const texts = isCategorical ? col("s50k").cast(polars.Utf8) : col("s50k");
  const month = () => col("dt").dt.truncate("1mo").alias("m");
  const queries: Readonly<Record<string, (choice: Choice | undefined) => LazyFrame>> = {
    Q1: () => where().select(col("x").sum()),
    Q2: () =>
      where()
        .groupBy("s5")
        .agg(col("x").sum().alias("s"), col("x").mean().alias("a"), col("x").count().alias("n")),
    Q3: () => where().groupBy(["s50", "s1000"]).agg(col("x").sum()),
    Q3l: () => bigSums(["s50", "s1000"], 100),
    Q4: () =>
      where()
        .groupBy([month()])
        .agg(col("x").sum().alias("s"), col("x").min().alias("low"), col("x").max().alias("high"))
        .sort({ by: "m", descending: false }),
    Q5: (choice) => days("dt", choice!),
    Q5u: (choice) => days("dtu", choice!),
    Q6: () => bigSums(["s50k"], 10),
    Q7e: () => where().groupBy("s5").agg(col("s2m").nUnique()),
    Q8: () => where().groupBy("s50").agg(col("x").median()),
    Q9: () => bigSums(["s2m"], 10),
    Q10: () => where(col("x").gt(500), texts.str.contains("foo")).select(col("x").count()),
    Q11: () => oneCountry().select("dt", "s50", "s50k", "x", "i1").limit(100),
    Q11b: () =>
      oneCountry()
        .sort({ by: "y", descending: true })
        .select("dt", "s50", "s50k", "x", "i1", "y")
        .limit(100),
    Q12: () =>
      where()
        .join(dimension.lazy(), { on: "s50k", how: "inner" })
        .groupBy("cat20")
        .agg(col("x").sum()),
    Q13: () =>
      where(
        isIn("s5", ["region_1", "region_2", "region_3"]),
        col("i2").gtEq(20),
        col("i2").ltEq(79),
      )
        .groupBy([month(), col("s5")])
        .agg(col("x").sum().alias("s"), col("y").mean().alias("a"), col("z").count().alias("n")),
  };
  return {
    loadMs,
    version,
    async query(query) {
      const frameOf = queries[query.name];
      if (!frameOf) throw new Error(`Polars for Node.js does not support ${query.name}`);
      return { rows: (await frameOf(query.choice).collect()).rows() };
    },
    async close() {},
  };
}
