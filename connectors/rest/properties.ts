import type { AccountProperty } from "../../plugins/protocol/index.ts";

/** Properties of an API account. */
export const properties: readonly AccountProperty[] = [
  { id: "host", label: "Base address", type: "text", required: true },
  { id: "identifier", label: "User, or client ID", type: "text" },
  { id: "token", label: "Token, key, password or client secret", type: "password" },
  {
    id: "api",
    label: "Description as JSON, or a file that contains it",
    type: "text",
    required: true,
  },
];
