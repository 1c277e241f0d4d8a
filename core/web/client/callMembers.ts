import type { Calls } from "./calls/calls.ts";
import type { OwnAccountCalls } from "./calls/ownAccount.ts";

/** The resources and services that offer an action. */
export type Offering<Action extends string> = {
  [Resource in keyof Calls]: Action extends keyof Calls[Resource] ? Resource : never;
}[keyof Calls];

/** The members of a call, without `action`, `version`, `key` and `token`. */
export type MembersOf<Resource extends keyof Calls, Action> = Action extends keyof Calls[Resource]
  ? Calls[Resource][Action] extends { readonly members: infer Members extends object }
    ? Members
    : never
  : never;

/** The response of a call, as the host declares it. */
export type AnswerOf<Resource extends keyof Calls, Action> = Action extends keyof Calls[Resource]
  ? Calls[Resource][Action] extends { readonly answer: infer Answer }
    ? Answer
    : never
  : never;

/** The `properties` member of a call. */
export type Given<Resource extends keyof Calls, Action> =
  MembersOf<Resource, Action> extends { readonly properties?: infer Properties }
    ? Exclude<Properties, undefined>
    : never;
/** The `find` member of a search. */
export type Found<Resource extends keyof Calls> =
  MembersOf<Resource, "get"> extends { readonly find?: infer Find }
    ? Exclude<Find, undefined>
    : never;

type Answered = AnswerOf<"data", "get">;
/** The response to `find`: a list for several queries, one answer for a single query. */
export type AnswerOfFind<Find> = Find extends { readonly queries: readonly unknown[] }
  ? Extract<Answered, readonly unknown[]>
  : Exclude<Answered, readonly unknown[]>;

/** A name that the compiler does not know, so that its call is not type-checked. Known names are rejected here. */
export type Unlisted<Name extends string> = Name & (Name extends keyof Calls ? never : Name);

/** A call on the caller's own account. */
export type Own<Path extends keyof OwnAccountCalls> = OwnAccountCalls[Path];
