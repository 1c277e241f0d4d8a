import Type, { type TSchema } from "typebox";

const Nullable = (type: TSchema, description?: string) =>
  Type.Union([type, Type.Null()], description === undefined ? {} : { description });
const DataType = Type.Union([
  Type.Literal("numeric"),
  Type.Literal("datetime"),
  Type.Literal("hierarchy"),
]);
const Limit = (description: string) =>
  Type.Union([Type.Number(), Type.String(), Type.Null()], { description });

const Remedies = Type.Array(
  Type.Object(
    {
      setting: Type.String({
        description: "Name of the member of `options.file` that changes this, such as `nulls`.",
      }),
      value: Type.Optional(
        Type.Unknown({
          description:
            "The proposed value. Those of `nulls` and `columns` are added to the values that are already set. " +
            "Absent: only a person knows the value.",
        }),
      ),
    },
    { additionalProperties: true },
  ),
  { description: "Settings that change what the note says, one per proposed value." },
);

/** The schemas of answers to calls that send a file. */
export const uploadSchemas = {
  FilePreview: Type.Object(
    {
      valid: Type.Boolean({ description: "Whether create would store the file." }),
      message: Type.Optional(
        Type.String({ description: "What is wrong, what is allowed, and what to do." }),
      ),
      remedies: Type.Optional({
        ...Remedies,
        description: "Settings that can correct what is wrong. Absent if the file can be stored.",
      }),
      columns: Type.Array(
        Type.Object(
          {
            id: Type.Optional(
              Type.String({
                description:
                  "Id of the dataset's column to which the values would be added. Absent for new columns.",
              }),
            ),
            stored_type: Type.Optional({
              ...DataType,
              description: "Type of that column. The values of the file must fit it.",
            }),
            name: Type.String({ description: "Name of the column in the file." }),
            type: { ...DataType, description: "Type that the column would have." },
            subtype: Nullable(Type.String(), "What the values mean, such as `date`."),
            note: Nullable(Type.String(), "Why the column has another type than most values."),
            seen: Type.Object(
              {
                rows: Type.Integer({ description: "Number of rows that were read." }),
                values: Type.Integer({ description: "Number of rows with a value." }),
                nulls: Type.Integer({ description: "Number of rows without a value." }),
                minimum: Limit("The smallest number, or the earliest instant in ISO 8601."),
                maximum: Limit("The largest number, or the latest instant in ISO 8601."),
                form: Type.String({
                  description: "The form of the values, such as `dates as day/month/year`.",
                }),
                misfit_count: Type.Integer({
                  description: "Number of sampled values that do not have this form.",
                }),
                misfits: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
                  description: "The first of these values, with their places.",
                }),
              },
              { additionalProperties: true, description: "Counts of the values that were read." },
            ),
            samples: Type.Array(Type.String(), {
              description: "The first distinct values, as strings.",
            }),
          },
          { additionalProperties: true },
        ),
      ),
      rows: Type.Array(Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()])), {
        description: "The first 50 rows, as they would be stored.",
      }),
      settings: Type.Record(Type.String(), Type.Unknown(), {
        description: "The settings with which the file was read.",
      }),
      notes: Type.Array(
        Type.Object(
          {
            kind: Type.Union(
              (["sample", "form", "doubt", "remark"] as const).map((each) => Type.Literal(each)),
              {
                description:
                  "What the note says: `sample`, which rows determined the types; `form`, how the values of a column " +
                  "are read; `doubt`, why a column is text although most of its values look like another type; or " +
                  "another `remark`.",
              },
            ),
            column: Nullable(
              Type.String(),
              "Name of the column in the file that the note is about. Null: the file.",
            ),
            message: Type.String({
              description: "The note as a sentence. Its wording may change.",
            }),
            remedies: Remedies,
          },
          { additionalProperties: true },
        ),
        { description: "What was detected, and how." },
      ),
      sheets: Type.Optional(
        Type.Array(Type.String(), { description: "Names of the sheets of a workbook." }),
      ),
    },
    { description: "How a file would be stored." },
  ),
  UploadProgress: Type.Object(
    {
      state: Type.Union(
        (["receiving", "reading", "stored", "failed"] as const).map((each) => Type.Literal(each)),
        { description: "What the host is doing with the file." },
      ),
      received_bytes: Type.Integer({ description: "Number of bytes that the host has." }),
      size_bytes: Nullable(
        Type.Integer(),
        "Size of the file. Null if the client did not state it.",
      ),
      rows: Type.Integer({ description: "Number of rows that were read." }),
      share: Nullable(Type.Number(), "The part of the file that was read, from 0 to 1."),
    },
    { description: "How far an upload has progressed. At most a second old." },
  ),
};
