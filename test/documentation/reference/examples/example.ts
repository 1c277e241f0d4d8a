import type { Calls, MembersOf } from "../../../../core/web/client/index.ts";

/**
 * The examples of a resource: the members of one call per action, without `action`, `key` and `token`, in the order in
 * which they run. `create` gives the record the example id of the resource, and the last example deletes it.
 */
export type ExamplesOf<Resource extends keyof Calls> = {
  readonly [Action in keyof Calls[Resource]]: MembersOf<Resource, Action>;
};

/** The examples of several resources. */
export type ExamplesFor<Resources extends keyof Calls> = {
  readonly [Resource in Resources]: ExamplesOf<Resource>;
};
