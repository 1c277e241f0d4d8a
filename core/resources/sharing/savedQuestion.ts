import { ApiError, isObject } from "../../base/index.ts";
import { allowAny, allowOwner } from "../rights/allow.ts";
import {
  checkSize,
  type Declaration,
  flag,
  type HookCall,
  identity,
  limits,
  object,
  selectAllowed,
  settable,
  text,
  timestamps,
  uuid,
  type ValuesOf,
} from "../kernel/index.ts";
import { allowReaders } from "./allowReaders.ts";

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

type Question = ValuesOf<typeof fields>;

/**
 * Checks that a question is about a dataset. Only people who may modify the dataset share questions with its readers.
 * @throws {ApiError} CONFLICT for a question about a dashboard, FORBIDDEN
 */
async function check(
  { shared }: Question,
  securableId: string | undefined,
  { context, principal }: HookCall,
): Promise<void> {
  const { knex, declarations } = context;
  const declaration = declarations.get("securable");
  if (!declaration || securableId === undefined)
    throw new TypeError("a saved question must belong to a dataset");
  const right = shared === true ? "modify" : "read";
  const [found] = await selectAllowed(knex, declaration, [securableId], right, principal);
  if (!found && shared === true)
    throw new ApiError("FORBIDDEN", [
      "share a question; ask someone who may modify the dataset, or save the question for yourself",
    ]);
  if (isObject<"type">(found) && found.type !== "dataset")
    throw new ApiError("CONFLICT", ["a question must belong to a dataset, not to a dashboard"]);
}

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
      await check(values, values.securable_id, call);
      return { ...values, user_id: principal.userId };
    },
    async beforeUpdate(row, values, call) {
      await check(values, row.securable_id, call);
      return values;
    },
  },
};
