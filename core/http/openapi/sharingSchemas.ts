import Type, { type TSchema } from "typebox";
import type { Action } from "../../base/index.ts";
import { reference } from "./reference.ts";
import type { ServiceOperation } from "./serviceSchemas.ts";

const Id = Type.String({ format: "uuid" });
const Nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const Word = (...words: readonly string[]): TSchema =>
  Type.Union(words.map((word) => Type.Literal(word)));
const Name = Nullable(Type.Union([Type.String(), reference("LocalizedText")]));
const Right = Word("read", "use", "modify", "own");
const Text = Nullable(Type.String());
const Holder = Type.Object({
  kind: Word("user", "group", "integration"),
  id: Id,
  name: Name,
  email: Text,
  is_public: Type.Boolean({ description: "Whether this is the Public group." }),
  right: Right,
  filters: Nullable(Type.Array(reference("RowFilter"))),
});

const Explained = Type.Object({
  id: Id,
  type: Word("dataset", "dashboard"),
  name: Nullable(reference("LocalizedText")),
  right: Right,
  owner: Type.Optional(Nullable(Type.Object({ id: Id, name: Type.String(), email: Text }))),
  holders: Type.Optional(
    Type.Array(Holder, { description: "With whom the record is shared, without its owner." }),
  ),
  memberships: Type.Optional(
    Type.Array(Type.Object({ user_id: Id, id: Id }), {
      description:
        "The groups and integrations among the holders to which each user among the holders and candidates belongs.",
    }),
  ),
  datasets: Type.Optional(
    Type.Array(
      Type.Object({
        id: Id,
        name: Nullable(reference("LocalizedText")),
        right: Right,
        holders: Type.Optional(
          Type.Array(Holder, { description: "Absent for a dataset that the caller does not own." }),
        ),
      }),
      { description: "The datasets behind a dashboard that the caller can see." },
    ),
  ),
  unseen_dataset_count: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "Number of datasets behind the dashboard that the caller cannot see.",
    }),
  ),
  candidates: Type.Optional(
    Type.Array(
      Type.Object({
        kind: Word("user", "group"),
        id: Id,
        name: Name,
        email: Text,
        is_public: Type.Boolean(),
      }),
      {
        description: "People and groups that `options.candidates` found.",
      },
    ),
  ),
  seen_as: Type.Optional(
    Type.Object({
      sees: Type.Boolean({ description: "Whether the user or group sees the record." }),
      datasets: Type.Array(Id, { description: "The datasets that it sees." }),
      withheld_datasets: Type.Array(Id, {
        description:
          "Datasets that it sees, but the key pair does not, because their rows can depend on the person. Empty for owners of the organization.",
      }),
      has_embed_filters: Type.Boolean({
        description:
          "Whether the organization's filters for embedded pages hide further rows from the key pair.",
      }),
      token: Type.Object({
        id: Id,
        token: Type.String(),
        expiry: Type.String({ format: "date-time" }),
      }),
    }),
  ),
});

/** The actions of datasets and dashboards beyond the common ones, by resource and action. */
export const sharingOperations: Readonly<
  Record<string, Partial<Record<Action, ServiceOperation>>>
> = {
  securable: {
    explain: {
      summary: "Returns who can see a dataset or dashboard",
      members: {
        id: Id,
        options: Type.Optional(
          Type.Object({
            candidates: Type.Optional(
              Type.String({
                maxLength: 200,
                description:
                  "Part of a name or e-mail address. Finds people and groups with whom the caller may share the record.",
              }),
            ),
            see_as: Type.Optional(
              Type.Object(
                { role: Word("Users", "Groups"), id: Id },
                {
                  description:
                    "A user or group. The answer then contains a key pair that sees what it sees, for 15 minutes.",
                },
              ),
            ),
          }),
        ),
      },
      answer: Explained,
    },
  },
};
