import type { Calls } from "./calls/calls.ts";
import type { OwnAccountCalls } from "./calls/ownAccount.ts";

/** The names of the resources and services that offer an action. */
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

/** The type of `properties` in a call; `never` if the call has no such member. */
export type Given<Resource extends keyof Calls, Action> =
  MembersOf<Resource, Action> extends { readonly properties?: infer Properties }
    ? Exclude<Properties, undefined>
    : never;
/** The type of `find` in a search; `never` if the resource cannot be searched. */
export type Found<Resource extends keyof Calls> =
  MembersOf<Resource, "get"> extends { readonly find?: infer Find extends object | undefined }
    ? Exclude<Find, undefined>
    : never;

/** The roles of the associations of a resource. */
type RoleOf<Resource extends keyof Calls> =
  MembersOf<Resource, "associate"> extends { readonly resource: { readonly role: infer Role } }
    ? Role
    : never;
/**
 * The record at the other end of an association. Misspelled roles are rejected; a role that the compiler only knows as
 * `string` is not checked.
 */
export interface TargetOf<Resource extends keyof Calls, Role extends string> {
  readonly role: Role & (string extends Role ? Role : RoleOf<Resource>);
  readonly id: string;
}
/** The associations that a resource accepts when it creates a record; `never` if it has none. */
export type LinksOf<Resource extends keyof Calls> =
  MembersOf<Resource, "create"> extends { readonly associations?: infer Links }
    ? Exclude<Links, undefined>
    : never;

type Answered = AnswerOf<"data", "get">;
type OneAnswer = Exclude<Answered, readonly unknown[]>;
type ListOfAnswers = Extract<Answered, readonly unknown[]>;
/**
 * The type of the response to `find` of `data`: a list for two or more `queries`, and one answer otherwise. If the
 * compiler does not know the number of queries, both.
 */
export type AnswerOfFind<Find> = Find extends { readonly queries: infer Queries }
  ? Queries extends readonly [unknown]
    ? OneAnswer
    : Queries extends readonly [unknown, unknown, ...unknown[]]
      ? ListOfAnswers
      : Answered
  : OneAnswer;

/** The records of a resource, as a search returns them. */
export type RecordOf<Resource extends keyof Calls> =
  AnswerOf<Resource, "get"> extends { readonly rows: ReadonlyArray<infer Row> } ? Row : never;

/** A name that the compiler does not know, so that its call is not type-checked. Known names are rejected here. */
export type Unlisted<Name extends string> = Name & (Name extends keyof Calls ? never : Name);

/** The members and the answer of a call on the caller's own account, by its path. */
export type Own<Path extends keyof OwnAccountCalls> = OwnAccountCalls[Path];
