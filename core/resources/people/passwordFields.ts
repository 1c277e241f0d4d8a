import { type Field, text } from "../kernel/index.ts";

const lengths = { least: 10, most: 200 };

/** The password by which a user signs in, with the e-mail address. Part of no answer; null removes it. */
export const password: Field = text({
  on: ["create", "update"],
  length: lengths.most,
  check: (value) =>
    String(value).length < lengths.least ? `have at least ${lengths.least} characters` : undefined,
});

/** The present password of a user, which the user gives to change it. Part of no answer. */
export const oldPassword: Field = text({ on: ["update"], length: lengths.most });
