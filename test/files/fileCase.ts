import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Type, { type Static } from "typebox";
import { Compile } from "typebox/compile";

const Kind = Type.Union([
  Type.Literal("text"),
  Type.Literal("number"),
  Type.Literal("currency"),
  Type.Literal("duration"),
  Type.Literal("date"),
  Type.Literal("datetime"),
]);

const Cell = Type.Union([Type.String(), Type.Number(), Type.Null()]);

/** What a table of a file contains: types by column name, and rows or a part of the error of reading them. */
const ExpectedTable = Type.Object(
  {
    columns: Type.Record(Type.String(), Kind),
    /** Dates and datetimes are ISO strings. */
    rows: Type.Optional(Type.Array(Type.Array(Cell))),
    /** The number of rows, if `rows` has only the first ones. */
    rowCount: Type.Optional(Type.Integer()),
    /** Parts of notes, each of which must occur. */
    notes: Type.Optional(Type.Array(Type.String())),
    /** Parts of notes, none of which may occur. */
    silent: Type.Optional(Type.Array(Type.String())),
    /** The error of reading the rows, without the name of the file. */
    refused: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type ExpectedTable = Static<typeof ExpectedTable>;

const Expected = Type.Object(
  {
    /** The fact that the file tests. */
    title: Type.String(),
    /** Where the expected values come from. */
    from: Type.String(),
    settings: Type.Optional(Type.Record(Type.String(), Type.String())),
    table: Type.Optional(ExpectedTable),
    /** The tables of a workbook, by sheet. */
    sheets: Type.Optional(Type.Record(Type.String(), ExpectedTable)),
    /** The error of the whole file, without its name. */
    refused: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
type Expected = Static<typeof Expected>;
const validator = Compile(Expected);

/** A file, and what a reader must return for it. */
export interface FileCase extends Expected {
  /** Path of the file in its folder, such as `csv/semicolon.csv`. */
  readonly path: string;
}

const ending = ".expected";

/** Returns the cases of a folder: each file `name.expected` describes the file `name` next to it. */
export function fileCases(folder: string): readonly FileCase[] {
  return globSync(`**/*${ending}`, { cwd: folder })
    .toSorted()
    .map((described) => {
      const path = described.slice(0, -ending.length);
      if (!existsSync(join(folder, path))) throw new Error(`${described} describes no file`);
      const expected: unknown = JSON.parse(readFileSync(join(folder, described), "utf8"));
      if (!validator.Check(expected))
        throw new Error(`${described}: ${JSON.stringify(validator.Errors(expected)[0])}`);
      return { path, ...expected };
    });
}
