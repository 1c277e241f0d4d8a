import { passwordLengths as lengths } from "../../identity/index.ts";
import { type Field, text } from "../kernel/index.ts";

/**
 * The password with which a user signs in, together with the e-mail address. It is never returned, and null removes it.
 */
export const password: Field = text({
  description: "The new password.",
  on: ["create", "update"],
  length: lengths.most,
  check: (value) =>
    String(value).length < lengths.least ? `have at least ${lengths.least} characters` : undefined,
});

/** The current password, which users must send to change their own password. It is never returned. */
export const oldPassword: Field = text({
  description: "The current password. Users need it to change their own password.",
  on: ["update"],
  length: lengths.most,
});
