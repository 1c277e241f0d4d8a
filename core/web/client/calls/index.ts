// Types of every call of the API: members and answer, by resource and action. `npm run calls` writes them.
// May import: nothing.
export type { Calls } from "./calls.ts";
export type { OwnAccountCalls } from "./ownAccount.ts";
export type {
  AnswerOf,
  Asked,
  Found,
  Given,
  MembersOf,
  Offering,
  Own,
  Unlisted,
} from "./callMembers.ts";
