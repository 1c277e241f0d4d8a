import { createdColumn, nameColumn, type RecordOf } from "../../../records/index.ts";
import { holderKind } from "../shares/index.ts";
import { words } from "./words.ts";

const path = "/access/groups";

/** The declaration of the Groups tab: groups of people who share the same rights. */
export const groups = holderKind<RecordOf<"group">>({
  id: "groups",
  resource: "group",
  path,
  words,
  columns: () => [
    nameColumn(path),
    {
      label: words.people,
      width: "110px",
      cell: ({ public: isPublic }) => (isPublic ? words.everyone : words.members),
    },
    {
      label: words.suborganization,
      width: "minmax(130px, 1fr)",
      cell: ({ suborganization }) => suborganization ?? "–",
    },
    createdColumn(),
  ],
  include: [],
  dependents: ["user", "securable"],
  members: ["user"],
  mayCreate: (user) => user.role !== "member",
  isRuled: (_, user) => user.role === "owner",
  note: ({ suborganization }) => (suborganization ? words.within(suborganization) : undefined),
  fixed: ({ public: isPublic }) => (isPublic ? words.public : undefined),
});
