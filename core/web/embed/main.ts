import { defineElements } from "./elements/index.ts";

export * from "./published.ts";

// Pages that load this script can use the elements immediately.
defineElements();
