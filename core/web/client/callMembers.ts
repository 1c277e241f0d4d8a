import type { Calls } from "./calls/calls.ts";
import type { OwnAccountCalls } from "./calls/ownAccount.ts";

/** Resources and services that offer an action. */
export type Offering<Action extends string> = {
  [Resource in keyof Calls]: Action extends keyof Calls[Resource] ? Resource : never;
}[keyof Calls];

/** The members of a call, beside action, version, key and token. */
export type MembersOf<Resource extends keyof Calls, Action> = Action extends keyof Calls[Resource]
  ? Calls[Resource][Action] extends { readonly members: infer Members extends object }
    ? Members
    : never
  : never;

/** The answer of a call, as the host describes it. */
export type AnswerOf<Resource extends keyof Calls, Action> = Action extends keyof Calls[Resource]
  ? Calls[Resource][Action] extends { readonly answer: infer Answer }
    ? Answer
    : never
  : never;

/** The `properties` of a call. */
export type Given<Resource extends keyof Calls, Action> =
  MembersOf<Resource, Action> extends { readonly properties?: infer Properties }
    ? Exclude<Properties, undefined>
    : never;
/** The `find` of a search. */
export type Found<Resource extends keyof Calls> =
  MembersOf<Resource, "get"> extends { readonly find?: infer Find }
    ? Exclude<Find, undefined>
    : never;

type Answered = AnswerOf<"data", "get">;
/** Several queries are answered by a list, one bare query by its answer. */
export type Asked<Find> = Find extends { readonly queries: readonly unknown[] }
  ? Extract<Answered, readonly unknown[]>
  : Exclude<Answered, readonly unknown[]>;

/** A name that the compiler does not know: its call is not checked. A known name is never taken here. */
export type Unlisted<Name extends string> = Name & (Name extends keyof Calls ? never : Name);

/** A step of the caller's own account. */
export type Own<Path extends keyof OwnAccountCalls> = OwnAccountCalls[Path];
