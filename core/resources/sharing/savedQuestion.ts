import { ApiError, isObject } from "../../base/index.ts";
import { allowAny, allowOwner } from "../rights/allow.ts";
import {
  checkSize,
  type Declaration,
  flag,
  identity,
  limits,
  object,
  settable,
  text,
  timestamps,
  uuid,
} from "../kernel/index.ts";
import { allowReaders } from "./allowReaders.ts";
import { checkSharing } from "./checkSharing.ts";

/** Maximum size of a question. Addresses of the console are far shorter. */
const mostQuestionBytes = 65_536;

const fields = {
  ...identity,
  name: text({
    ...settable,
    description: "Name of the question.",
    required: true,
    nullable: false,
    length: limits.nameLength,
    check: (value) => (String(value).trim() === "" ? "not be blank" : undefined),
  }),
  question: object({
    ...settable,
    description:
      "The question as Explore has it in the parameter `q` of its address: the columns of the dataset by which rows are grouped, measures, filters and the chart. The host stores it without running it.",
    required: true,
    nullable: false,
    check: (value) =>
      isObject<"rows" | "measures" | "filters">(value) &&
      [value.rows, value.measures, value.filters].every(Array.isArray)
        ? checkSize(value, mostQuestionBytes)
        : 'be a question of Explore, such as {rows: [], measures: [{id: "*", aggregation: "count"}], filters: []}',
  }),
  shared: flag({
    ...settable,
    description: "Whether everyone who can read the dataset can use the question.",
    nullable: false,
    default: false,
  }),
  securable_id: uuid({
    description: "The dataset of the question.",
    on: ["create"],
    required: true,
    nullable: false,
    refersTo: ["securable", "read"],
  }),
  user_id: uuid({ description: "The user who saved the question.", nullable: false }),
  ...timestamps,
};

const saved = { noun: "question", home: "dataset" } as const;

/** A question about a dataset, saved under a name. */
export const savedQuestion: Declaration<typeof fields> = {
  name: "savedquestion",
  description:
    "A question that a person asked about a dataset in Explore, saved under a name. Whoever opens it gets the rows that their own rights allow.",
  rights:
    "The user who saved the question has all rights. Whoever can read the dataset can read and use a shared question, and the dataset's owner has all rights on it. Embed tokens have no saved questions.",
  actions: ["create", "get", "update", "delete", "validate"],
  // Readers keep shared questions when their owner leaves. Private questions are deleted with the owner.
  ownedBy: "user_id",
  ownedIf: "shared",
  fields,
  allow: allowAny(allowOwner("user_id"), allowReaders),
  associations: {
    Securable: { kind: "one", resource: "securable", key: "securable_id" },
    Owner: { kind: "one", resource: "user", key: "user_id" },
  },
  hooks: {
    async beforeCreate(values, call) {
      const { principal } = call;
      if (principal.restriction)
        throw new ApiError("FORBIDDEN", [
          "save a question; embed tokens have no questions of their own",
        ]);
      const { securable_id: securableId, shared } = values;
      await checkSharing(saved, { securableId, isShared: shared === true }, call);
      return { ...values, user_id: principal.userId };
    },
    async beforeUpdate(row, values, call) {
      const { securable_id: securableId } = row;
      await checkSharing(saved, { securableId, isShared: values.shared === true }, call);
      return values;
    },
  },
};
