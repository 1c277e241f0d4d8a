import type { AccountProperty } from "../../plugins/protocol/index.ts";

/** The members that an account of an API may have. */
export const properties: readonly AccountProperty[] = [
  { id: "host", label: "Base address", type: "text", required: true },
  { id: "identifier", label: "User, or client id", type: "text" },
  { id: "token", label: "Token, key, password or client secret", type: "password" },
  { id: "api", label: "Description, as JSON, or its file", type: "text", required: true },
];
